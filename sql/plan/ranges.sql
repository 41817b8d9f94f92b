-- One row per run of adjacent periods of a series that are settled, or that need a second question.
with days as materialized (
  -- A row that is missing is asked about with its neighbours, not as a range of its own.
  select * replace (is_settled or coalesce(reason = 'vanishing' and last_day < {{today}} - lookback_days, false) as is_settled)
  from ({{asked_days}}) where window_kind is null and (is_settled or is_unconfirmed or reason = 'vanishing')
)
select
  endpoint, project_id as "projectId", scope, scope_id as "scopeId", grain, window_kind as "windowKind",
  kind as "isSettled", min(date) as start, max(last_day) as "end"
from (
  select
    *,
    case grain
      when 'week' then (date - date '0001-01-01') // 7
      when 'month' then year(date) * 12 + month(date)
      else date - date '0001-01-01'
    end - row_number() over (partition by endpoint, project_id, scope, scope_id, grain, kind order by date) as island
  from (
    select *, true as kind from days where is_settled
    union all
    select *, false from days x where is_settled and is_unconfirmed and {{project_has_row}}
  )
)
group by endpoint, project_id, scope, scope_id, grain, window_kind, kind, island
order by start
