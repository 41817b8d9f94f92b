-- One row per series or window with an alarm; of several, the one with the fewest days. For a refused parameter, only values whose newest answer is a refusal of their own: a value that was not requested, because its path was refused, does not wait.
select endpoint, project_id as "projectId", scope, scope_id as "scopeId", grain, window_kind as "windowKind",
  bool_or(reason = 'refused') as "isRefused", bool_or(is_known_at_once) as "isKnownAtOnce", min(days) as days, min(asked_on) as asked_on
from (
  select endpoint, project_id, scope, scope_id, grain, window_kind, reason, coalesce(known_since = first_on, false) as is_known_at_once, days, asked_on
  from meta.alarms
  where reason <> 'lost' and (scope = 'project' or reason <> 'refused')
  union all
  select x.endpoint, x.project_id, x.scope, x.scope_id, x.grain, x.window_kind, a.reason, false, a.days, a.asked_on
  from (
    select endpoint, project_id, scope, scope_id, grain, window_kind, max_by(coalesce(alarm, ''), fetched_at) as alarm, max_by(requests, fetched_at) as requests
    from meta.slices
    where endpoint in (select endpoint from meta.alarms where reason = 'refused') and scope <> 'project'
    group by all
  ) x
  join meta.alarms a
    on a.endpoint = x.endpoint and a.project_id = x.project_id and a.scope = x.scope and a.scope_id in ('', x.scope_id)
    and a.grain is not distinct from x.grain and a.window_kind is not distinct from x.window_kind
  where x.alarm = 'refused' and x.requests > 0 and a.reason = 'refused' and a.days >= 3
)
group by endpoint, project_id, scope, scope_id, grain, window_kind
