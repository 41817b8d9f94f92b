-- One row per series that the server refused when it was asked last.
select endpoint, project_id, scope, scope_id, grain, window_kind
from meta.slices
where project_id <> ''
group by all having max_by(coalesce(alarm, ''), fetched_at) = 'refused'
