-- Question: Why did visibility move?
-- Words: why did our score drop, fall, decline, cause
-- Grain: one row per project and part of the change, last 28 days against the 28 before, the largest first
-- Key: project_id, part
-- Columns: project_id, project_name, before_from, after_to, change, part, points, typical_change, before_as_reported,
--   visibility_before, judged_by, not_told
-- Caveat: between nights with a prompt list that came by 06:00 UTC; not_told has the reason if there are none. The points sum to the change.
--   real_change is what the questions do not explain; put 7 or 90 for other windows.
select
  project_id,
  project_name,
  before_from,
  after_to,
  change,
  part,
  points,
  typical_change,
  before_as_reported,
  visibility_before,
  judged_by,
  not_told
from main.why_visibility_moved
where window_days = 28 and (points <> 0 or not_told is not null and part = 'real_change')
order by project_name, abs(points) desc nulls last, part;
