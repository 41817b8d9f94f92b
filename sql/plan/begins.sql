-- One row per series and what its nightly question has to begin before, to be able to answer: the day after its newest row (`newest`), or a
-- row that answers lack (`missing`), also from the nearest known row before it to the nearest after it (`needed`).
with x as materialized (
  select endpoint, project_id, scope, scope_id, grain, date, last_day, reason, state = 'row' and reason is distinct from 'kept' as has_row
  from ({{asked_days}}) where window_kind is null
),
newest as (
  select endpoint, project_id, scope, scope_id, grain, max(last_day) filter (where has_row) as last_row from x group by all
),
missing as (
  select x.* from x join newest n on {{same_series}}
  -- Rows that the newest answers do not reach may be shown to be gone by later ones.
  where x.reason = 'vanishing' or x.reason = 'kept' and x.last_day > n.last_row
),
-- Few series have such a row.
known as (select n.* from x n semi join missing x on {{same_series}} where n.has_row)
select
  endpoint, project_id as "projectId", scope, scope_id as "scopeId", grain, null as "windowKind",
  'newest' as fact, last_row + 1 as start, last_row + 1 as "end"
from newest n where last_row is not null
union all
select endpoint, project_id, scope, scope_id, grain, null, 'missing', date, last_day from missing
union all
select
  x.endpoint, x.project_id, x.scope, x.scope_id, x.grain, null, 'needed',
  coalesce(max(n.date) filter (n.date < x.date), x.date), coalesce(min(n.last_day) filter (n.date > x.date), x.last_day)
from missing x left join known n on {{same_series}}
group by x.endpoint, x.project_id, x.scope, x.scope_id, x.grain, x.date, x.last_day
