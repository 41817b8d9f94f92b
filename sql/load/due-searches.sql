-- One row per project whose whole range is searched for something that two sync days lack in the table $1; searched before the day $2.
select distinct v.project_id as project
from meta.vanishing v
join ({{asked_since}}) a on a.project_id = v.project_id
where v.table_name = $1 and v.witnesses >= 2 and a.asked_on < v.witnessed_on and a.asked_on <= cast($2 as date)
