-- One row per window that is settled, or that needs a second question: one that moves with the day is asked on one day, and once more on the next where it failed or was empty.
with x as materialized (select * from ({{asked_days}}) where window_kind is not null)
select
  x.endpoint, x.project_id as "projectId", x.scope, x.scope_id as "scopeId", x.grain, x.window_kind as "windowKind",
  'settled' as fact, x.date as start, x.last_day as "end"
from x anti join meta.asked_days d on {{is_late_day}}
where x.is_settled and (x.window_kind not like 'last_%' or x.last_day = {{today}} - 1)
union all
select endpoint, project_id, scope, scope_id, grain, window_kind, 'unconfirmed', date, last_day
from x
where is_unconfirmed and (window_kind like 'last_%' or is_settled) and {{project_has_row}}
union all
select endpoint, project_id, scope, scope_id, grain, window_kind, 'unconfirmed', window_start, window_end
from meta.slices s
where window_kind like 'last_%' and status = 'failed' and sync_day = window_end + 1 and sync_day < {{today}}
  and exists (from temp.asked_today t where t.endpoint = s.endpoint)
  and not exists (
    from meta.alarms a
    where a.endpoint = s.endpoint and a.project_id = s.project_id and a.scope = s.scope and a.scope_id in ('', s.scope_id)
      and a.window_kind is not distinct from s.window_kind and a.days >= 3
  )
