-- One row per project, table and kind of change.
select
  coalesce(l.project_label, x.project_id, '(all)') as project,
  x.table_name as "table",
  x.change,
  count(*) as rows,
  min(x.date) as first,
  max(x.date) as last,
  max(x.witnessed_on) as since
from meta.vanishing x
left join detail.project_labels l using (project_id)
where {{chosen}}
group by 1, 2, 3
order by 1, 2, 3
limit 10
