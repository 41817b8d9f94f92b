-- One row per run of adjacent periods of a series that are settled, or that need a second question.
with asked as materialized (
  -- A row that is missing is asked about with its neighbours, not as a range of its own.
  select
    endpoint, project_id, scope, scope_id, grain, window_kind, date, last_day, asked_on, first_on, is_unconfirmed,
    is_settled or coalesce(reason = 'vanishing' and last_day < {{today}} - lookback_days, false) as is_settled,
    case grain
      when 'week' then (date - date '0001-01-01') // 7
      when 'month' then year(date) * 12 + month(date)
      else date - date '0001-01-01'
    end as period
  from ({{asked_days}}) where window_kind is null and (is_settled or is_unconfirmed or reason = 'vanishing')
),
longer as (from asked where grain in ('week', 'month') and is_settled),
late as materialized (
  select x.* from longer x
  semi join (from meta.asked_days semi join longer using (project_id)) d on {{is_late_day}}
),
days as not materialized (from asked x anti join late n on {{same_series}} and n.date = x.date),
facts as not materialized (
  select *, 'settled' as fact from days where is_settled
  union all
  select *, 'unconfirmed' from days x where is_settled and is_unconfirmed and {{project_has_row}}
),
series as (
  select
    endpoint, project_id, scope, scope_id, grain, fact,
    min(date) as start, max(last_day) as "end", count(*) = 1 + max(period) - min(period) as is_whole
  from facts group by all
)
select
  endpoint, project_id as "projectId", scope, scope_id as "scopeId", grain, null as "windowKind", fact, start, "end"
from series where is_whole
union all
select endpoint, project_id, scope, scope_id, grain, null, fact, min(date), max(last_day)
from (
  -- Few series have gaps, and a window over all days takes twice the time of the rest.
  select k.*, period - row_number() over (partition by k.endpoint, k.project_id, k.scope, k.scope_id, k.grain, k.fact order by period) as island
  from facts k semi join series n on {{same_fact}} and not n.is_whole
)
group by endpoint, project_id, scope, scope_id, grain, fact, island
order by start
