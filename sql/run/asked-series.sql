-- One row per series that the run $1 requested, and per alarm of it, if any; days before $2 are old. With the result of the newest request.
with asked as (
  select *, coalesce(window_end, date '9999-12-31') as newest
  from meta.slices
  where run_id = $1
),
newest as (
  select
    endpoint, project_id, scope, scope_id, grain, window_kind,
    max_by(coalesce(got_nothing, true), newest) as got_nothing,
    max_by(coalesce(http_status, 0), newest) as http_status,
    max_by(coalesce(error_class, ''), newest) as error_class
  from asked
  group by all
)
select
  a.endpoint, a.project_id, a.scope, a.scope_id, a.grain, a.window_kind, a.alarm,
  max(a.error_message) as message,
  bool_or(a.alarm is null and {{is_answered}}) as "isAnswered",
  bool_or(coalesce(a.window_start < cast($2 as date), false)) as "isOld",
  bool_or(coalesce(a.window_end >= cast($2 as date), true)) as "isRecent",
  any_value(n.got_nothing) as "gotNothing",
  any_value(n.http_status) as "httpStatus",
  any_value(n.error_class not in ('transient', 'quota') or n.http_status = 429) as "isOfApi"
from asked a
join newest n
  on n.endpoint = a.endpoint and n.project_id = a.project_id and n.scope = a.scope and n.scope_id = a.scope_id
  and n.grain is not distinct from a.grain and n.window_kind is not distinct from a.window_kind
group by a.endpoint, a.project_id, a.scope, a.scope_id, a.grain, a.window_kind, a.alarm
