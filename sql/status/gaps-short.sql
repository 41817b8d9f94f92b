-- One row per project and endpoint with expected days that are not covered, most first.
select
  coalesce(any_value(project_label), project_id) as project,
  endpoint,
  count(*) as gaps,
  min(date) as first,
  max(date) as last
from detail.sync_gaps
left join detail.project_labels using (project_id)
where status <> 'known' and {{chosen}}
group by project_id, endpoint
order by gaps desc, project, project_id, endpoint
limit 10
