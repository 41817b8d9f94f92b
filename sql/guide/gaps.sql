-- One row per project and endpoint with expected days that are not covered, most first.
select
  coalesce(any_value(project_label), project_id) as project,
  endpoint,
  cast(count(*) as double) as days,
  min(date)::varchar as first,
  max(date)::varchar as last
from main.sync_gaps
left join detail.project_labels using (project_id)
where endpoint in ({{endpoints}}) and project_id in ({{projects}}) and date between {{start}} and {{end}}
group by project_id, endpoint
order by days desc, project, endpoint
