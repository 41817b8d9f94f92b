-- One row per project and measure: the last 28 whole days against the 28 before, and the goal where there is one.
select
  k.project_id, k.measure, k.value, k.previous_value, k.change, k.typical_change, coalesce(k.is_clear, false) as is_clear,
  k.days_with_value, t.goal
from main.kpi_changes k
left join main.targets t on t.project_id = k.project_id and t.measure = k.measure
where k.window_days = 28 and {{k.project}};
