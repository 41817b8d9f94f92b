-- One row per project whose whole range is searched for something that two sync days lack in the table $1; the newest search of the
-- endpoint $3, probe $4, was on the day $2 or before.
select distinct v.project_id as "projectId"
from meta.vanishing v
join ({{asked_since}}) a on a.project_id = v.project_id
where v.table_name = $1 and v.witnesses >= 2 and a.asked_on < v.witnessed_on
  and not exists (from meta.probes p where p.endpoint = $3 and p.project_id = v.project_id and p.parameter = $4 and p.asked_on > cast($2 as date))
