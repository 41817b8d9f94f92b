-- One row per series that the run $1 asked for, with its alarms; `isOld`: it asked for days before $2.
select
  endpoint, project_id, scope, scope_id, grain, window_kind,
  coalesce(list(distinct alarm) filter (alarm is not null), []) as alarms,
  max(error_message) filter (alarm is not null) as message,
  bool_or(alarm is null and {{is_answered}}) as "isAnswered",
  bool_or(coalesce(window_start < cast($2 as date), false)) as "isOld"
from meta.slices
where run_id = $1
group by all
