-- Question: Which crawler's activity goes ahead of visits from AI assistants, and by how many days?
-- Grain: one row per project and crawler, its best lag of 0 to 7 days
-- Key: project_id, crawler
-- Columns: project_id, project_name, crawler, lag_days, correlation, days_count, is_clear
-- Caveat: a correlation of the ranks of daily counts (their logarithms) less their 28-day mean and their
--   weekday are taken away, not a cause: ranks, because bursts of two sources meet at some lag by chance. The best of 8
--   lags is high by chance: is_clear is true if it is beyond that, and is wrong for about 1 crawler in 100. Fewer than 56
--   pairs of days are left out, and so are crawlers that ask the same number every day.
with counted as (
  select project_id, project_name, date, source as series, crawler_requests_count as amount, true as is_crawler
  from main.ai_traffic
  where source_kind = 'crawler' and is_final and crawler_requests_count is not null
  union all
  select project_id, project_name, date, 'visits', sum(ai_visits_count), false
  from main.ai_traffic
  where source_kind = 'visitor' and is_final and ai_visits_count is not null
  group by project_id, project_name, date
),
level as (
  select
    *,
    ln(1 + amount) - avg(ln(1 + amount)) over (
      partition by project_id, is_crawler, series order by date
      range between interval 14 days preceding and interval 13 days following
    ) as above_level
  from counted
),
adjusted as (
  select
    *,
    above_level - avg(above_level) over (partition by project_id, is_crawler, series, isodow(date)) as remainder,
    stddev_pop(amount) over (partition by project_id, is_crawler, series) as spread
  from level
),
ranked as (
  select
    *,
    rank() over (partition by project_id, is_crawler, series order by round(remainder, 9)) as place
  from adjusted
),
lagged as (
  select
    c.project_id,
    c.project_name,
    c.series as crawler,
    l.lag_days,
    corr(c.place, v.place) as correlation,
    count(*) as days_count
  from ranked c
  cross join (select cast(unnest(range(8)) as integer) as lag_days) l
  join ranked v on v.project_id = c.project_id and v.date = c.date + l.lag_days and not v.is_crawler and v.spread > 0
  where c.is_crawler and c.spread > 0
  group by c.project_id, c.project_name, c.series, l.lag_days
  having count(*) >= 56 and stddev_pop(c.place) > 0 and stddev_pop(v.place) > 0
)
select
  project_id,
  project_name,
  crawler,
  lag_days,
  correlation,
  days_count,
  correlation > 3 / sqrt(days_count) as is_clear
from lagged
qualify row_number() over (partition by project_id, crawler order by correlation desc, lag_days) = 1
order by project_name, correlation desc, crawler;
