-- One row per project, measure and window of days: the last whole days against those before, and the goal where there is one.
select
  k.project_id, k.measure, k.window_days, k.value, k.previous_value, k.change, k.change_low, k.change_high, k.typical_change, coalesce(k.is_trend, false) as is_trend,
  coalesce(k.is_clear, false) as is_clear, k.not_judged is not null as is_changed, k.real_change, coalesce(k.real_is_clear, false) as real_is_clear,
  t.goal, t.due_date, t.is_reached, t.is_on_course
from (from main.kpi_changes where {{project}} and window_days is not null) k
left join main.targets t on t.project_id = k.project_id and t.measure = k.measure
order by k.project_id, k.measure, k.window_days;
