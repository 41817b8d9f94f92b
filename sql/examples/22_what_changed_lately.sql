-- Question: What changed in the last four weeks, and is it more than noise?
-- Grain: one row per project and measure, the clear changes first
-- Key: project_id, measure
-- Columns: project_id, project_name, measure, last_date, value, previous_value, change, drift, typical_change,
--   is_clear
-- Caveat: 28 whole days against the 28 before; put 7 for a quicker and less certain look. is_clear compares the change
--   less drift, the slow trend of the series, with what is typical; it does not say why.
select
  project_id,
  project_name,
  measure,
  last_date,
  value,
  previous_value,
  change,
  drift,
  typical_change,
  is_clear
from main.kpi_changes
where window_days = 28
order by project_name, is_clear desc nulls last, measure;
