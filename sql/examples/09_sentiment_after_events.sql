-- Question: After which days with events did sentiment shift?
-- Grain: one row per project and day with events, 7 days before against 7 days after, the day itself left out
-- Key: project_id, date
-- Columns: project_id, project_name, date, events_count, event_titles, net_sentiment_known_before_pct,
--   net_sentiment_known_after_pct, change_points, days_before, days_after
-- Caveat: change after, not caused by; other days with events may lie inside. Percentages come from the counts of each
--   side together, responses with a known sentiment alone. Sides with fewer than 5 days of data or days that may still change are left out.
with event_dates as (
  select project_id, project_name, date, event_titles, events_count
  from main.event_days
  where events_count > 0
),
sides as (
  select
    e.project_id,
    e.project_name,
    e.date,
    e.events_count,
    e.event_titles,
    count(s.known_count) filter (where s.date < e.date) as days_before,
    count(s.known_count) filter (where s.date > e.date) as days_after,
    100.0 * sum(coalesce(s.positive_count, 0) - coalesce(s.negative_count, 0)) filter (where s.date < e.date)
      / nullif(sum(s.known_count) filter (where s.date < e.date), 0) as net_sentiment_known_before_pct,
    100.0 * sum(coalesce(s.positive_count, 0) - coalesce(s.negative_count, 0)) filter (where s.date > e.date)
      / nullif(sum(s.known_count) filter (where s.date > e.date), 0) as net_sentiment_known_after_pct
  from event_dates e
  join main.sentiment_split s
    on s.project_id = e.project_id and s.date between e.date - 7 and e.date + 7 and s.date <> e.date and s.is_final
  group by e.project_id, e.project_name, e.date, e.events_count, e.event_titles
)
select
  project_id,
  project_name,
  date,
  events_count,
  event_titles,
  net_sentiment_known_before_pct,
  net_sentiment_known_after_pct,
  net_sentiment_known_after_pct - net_sentiment_known_before_pct as change_points,
  days_before,
  days_after
from sides
where days_before >= 5 and days_after >= 5
order by abs(net_sentiment_known_after_pct - net_sentiment_known_before_pct) desc nulls last, project_id, date
limit 20;
