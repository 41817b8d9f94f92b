-- Question: What changed in the last four weeks, and is it more than noise?
-- Words: what changed recently, highlights
-- Grain: one row per project and measure, the clear changes first
-- Key: project_id, measure
-- Columns: project_id, project_name, measure, last_date, value, previous_value, change, typical_change,
--   is_clear, is_trend, setup_changes
-- Caveat: 28 whole days against the 28 before; put 7 for a quicker and less certain look. is_clear: the interval of the change
--   excludes 0; is_trend: it does not exceed the slow trend of the year. Neither is a cause: setup_changes lists changed questions.
select
  project_id,
  project_name,
  measure,
  last_date,
  value,
  previous_value,
  change,
  typical_change,
  is_clear,
  is_trend,
  setup_changes
from main.kpi_changes
where window_days = 28
order by project_name, is_clear desc nulls last, measure;
