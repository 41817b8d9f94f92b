-- One row per refused value and path; of a refused parameter, those values whose newest answer is a refusal.
select
  x.endpoint, x.project_id as "projectId", x.scope, x.scope_id as "scopeId", x.grain, x.window_kind as "windowKind",
  max(a.days) as days, max(a.last_on) as "lastOn", max(a.asked_on) as "askedOn"
from (
  select endpoint, project_id, scope, scope_id, grain, window_kind, max_by(coalesce(alarm, ''), fetched_at) as alarm
  from meta.slices
  where endpoint in (select endpoint from meta.alarms where reason = 'refused') and project_id <> ''
  group by all
) x
join meta.alarms a
  on a.endpoint = x.endpoint and a.project_id = x.project_id and a.scope = x.scope and a.scope_id in ('', x.scope_id)
  and a.grain is not distinct from x.grain and a.window_kind is not distinct from x.window_kind
where x.alarm = 'refused' and a.reason = 'refused' and a.days >= 3
group by all
