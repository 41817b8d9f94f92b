-- One row per project: when the one of its expected filter values that waits longest was asked for last, milliseconds since the epoch.
select e.project_id as project, min(coalesce(epoch_ms(s.fetched_at), 0)) as at
from meta.expected_series e
left join (
  select endpoint, project_id, scope, scope_id, max(fetched_at) as fetched_at from meta.slices where scope <> 'project' group by all
) s on s.endpoint = e.endpoint and s.project_id = e.project_id and s.scope = e.scope and s.scope_id = e.scope_id
where e.scope <> 'project'
group by e.project_id
