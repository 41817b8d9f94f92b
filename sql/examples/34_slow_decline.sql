-- Question: Which figures slide so slowly that four weeks do not show it?
-- Grain: one row per project and measure that fell over 28 or 90 days, the slow declines first
-- Key: project_id, measure
-- Columns: project_id, project_name, measure, last_date, value, change_28_days, is_clear_28_days, previous_value,
--   change_90_days, change_low, change_high, is_clear_90_days, is_slow_decline
-- Caveat: is_slow_decline: the fall over 90 days is clear and that over 28 days is not. Over all projects and measures
--   at most 5 % of the clear changes of a window are false. Season counts as change: compare with 365 days where there are two years.
select
  l.project_id,
  l.project_name,
  l.measure,
  l.last_date,
  l.value,
  s.change as change_28_days,
  s.is_clear as is_clear_28_days,
  l.previous_value,
  l.change as change_90_days,
  l.change_low,
  l.change_high,
  l.is_clear as is_clear_90_days,
  coalesce(l.is_clear and l.change < 0, false) and not coalesce(s.is_clear and s.change < 0, false) as is_slow_decline
from main.kpi_changes l
left join main.kpi_changes s on s.project_id = l.project_id and s.measure = l.measure and s.window_days = 28
where l.window_days = 90 and (l.change < 0 or s.change < 0)
order by is_slow_decline desc, is_clear_90_days desc nulls last, l.project_name, l.measure;
