-- One row per closed window with rows that is owed: the row of its project's series with which the server shows that it remembers the
-- window's days. `isForgotten`: no answer has that row any more.
with owed as (
  select x.*, t.series, t.lookback_days, {{last_day}} as last_day
  from meta.asked_days x
  join temp.asked_today t on t.endpoint = x.endpoint
  where x.state = 'row' and t.series <> '' and x.asked_on < {{today}} and {{last_day}} < {{today}}
    and (x.window_kind in ('month', 'day') or {{last_day}} = {{today}} - 1)
    and {{last_day}} >= {{first_day}} and x.date <= {{newest_day}}
),
settled as (
  select x.* from ({{asked_days}}) x anti join meta.asked_days d on {{is_late_day}} where x.window_kind is not null and x.is_settled
)
select
  x.endpoint, x.project_id as "projectId", x.scope, x.scope_id as "scopeId", x.grain, x.window_kind as "windowKind", x.date as start,
  x.series, coalesce(max(r.date) filter (r.date < x.date), min(r.date)) as day,
  not {{chain_only}} and x.last_day < {{today}} - x.lookback_days
    and coalesce(max_by(r.reason, r.date) filter (r.date < x.date), min_by(r.reason, r.date), '') = 'kept' as "isForgotten"
from owed x
join meta.asked_days r
  on r.endpoint = x.series and r.project_id = x.project_id and r.scope = 'project' and r.grain = 'day'
  and r.date between x.date - 7 and x.last_day and (r.state = 'row' or r.reason = 'vanishing')
where {{chain_only}} or not exists (
  from settled n where {{same_series}} and n.window_kind = x.window_kind and n.date = x.date
)
group by x.endpoint, x.project_id, x.scope, x.scope_id, x.grain, x.window_kind, x.date, x.last_day, x.series, x.lookback_days
