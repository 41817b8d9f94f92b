-- Question: Which crawler's activity goes ahead of visits from AI assistants, and by how many days?
-- Grain: one row per project and crawler, its best lag of 0 to 7 days
-- Key: project_id, crawler
-- Columns: project_id, project_name, crawler, lag_days, correlation, days_count
-- Caveat: a correlation of daily counts, not a cause; both follow the same week. Fewer than 28 pairs of days are left
--   out, and so are crawlers that ask the same number every day.
with crawled as (
  select project_id, project_name, date, source as crawler, crawler_requests_count as requests
  from main.ai_traffic
  where source_kind = 'crawler' and is_final
),
visited as (
  select project_id, date, sum(ai_visits_count) as visits
  from main.ai_traffic
  where source_kind = 'visitor' and is_final
  group by project_id, date
),
lagged as (
  select
    c.project_id,
    c.project_name,
    c.crawler,
    l.lag_days,
    corr(c.requests, v.visits) as correlation,
    count(*) as days_count
  from crawled c
  cross join (select cast(unnest(range(8)) as integer) as lag_days) l
  join visited v on v.project_id = c.project_id and v.date = c.date + l.lag_days
  where c.requests is not null and v.visits is not null
  group by c.project_id, c.project_name, c.crawler, l.lag_days
  having count(*) >= 28 and stddev_pop(c.requests) > 0 and stddev_pop(v.visits) > 0
)
select project_id, project_name, crawler, lag_days, correlation, days_count
from lagged
qualify row_number() over (partition by project_id, crawler order by correlation desc, lag_days) = 1
order by project_name, correlation desc, crawler;
