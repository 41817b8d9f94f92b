-- One row per project and part of the change of its visibility over the last 7 days, largest first.
select
  project_id,
  coalesce(project_name, project_id) as project,
  visibility_before as before,
  visibility_after as after,
  change,
  typical_change as typical,
  part,
  points
from main.why_visibility_moved
where window_days = 7 and not_told is null and change is not null and points is not null
order by abs(change) desc, project_id, abs(points) desc, part
