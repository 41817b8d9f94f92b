-- One row per series and reason with days that are still owed; `isRecent`: one of them ended on $1 or later.
select
  endpoint, project_id, scope, scope_id, grain, window_kind, reason, count(*) as periods,
  bool_or({{last_day}} >= cast($1 as date)) as "isRecent"
from meta.asked_days x
where reason in ('bad_row', 'incomplete')
group by all
