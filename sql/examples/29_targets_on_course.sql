-- Question: Which of our targets are on course?
-- Words: goals, are we on target
-- Grain: one row per project and measure with a target
-- Key: project_id, measure
-- Columns: project_id, project_name, measure, goal, due_date, value, distance, projected_value, projected_low,
--   projected_high, is_reached, is_on_course
-- Caveat: targets come from the configuration. The projection carries the change of the last 90 days on (of 28 where there
--   are fewer than 90), with its 95 % interval: the further the due day, the wider it is.
select
  project_id,
  project_name,
  measure,
  goal,
  due_date,
  value,
  distance,
  projected_value,
  projected_low,
  projected_high,
  is_reached,
  is_on_course
from main.targets
order by is_on_course nulls last, due_date, project_name, measure;
