-- Question: After which days with completed actions did sentiment shift?
-- Words: negative answers, tone, reputation, mood
-- Grain: one row per project and day with completed actions, 7 days before against 7 days after, the day itself left out; at most 20 rows, shown_of is their number
-- Key: project_id, date
-- Columns: project_id, project_name, date, events_count, event_titles, net_sentiment_known_before_pct,
--   net_sentiment_known_after_pct, change_points, typical_change_points, is_clear, days_before, days_after,
--   shown_of
-- Caveat: change after, not caused by; other days with actions may lie inside. is_clear: the change is
--   more than the series normally varies; about 1 idle day in 20 is. Percentages come from the counts of each side together, responses with a known sentiment alone. Sides with fewer than 5 days of data or days that may still change are left out.
with event_dates as (
  select project_id, project_name, date, string_agg(title, '; ' order by "time", event_id) as event_titles, count(*) as events_count
  from main.event_annotations
  where type = 'action'
  group by project_id, project_name, date
),
sides as (
  select
    e.project_id,
    e.project_name,
    e.date,
    e.events_count,
    e.event_titles,
    count(nullif(s.known_count, 0)) filter (where s.date < e.date) as days_before,
    count(nullif(s.known_count, 0)) filter (where s.date > e.date) as days_after,
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
  s.project_id,
  s.project_name,
  s.date,
  s.events_count,
  s.event_titles,
  s.net_sentiment_known_before_pct,
  s.net_sentiment_known_after_pct,
  s.net_sentiment_known_after_pct - s.net_sentiment_known_before_pct as change_points,
  t.typical_change as typical_change_points,
  abs(s.net_sentiment_known_after_pct - s.net_sentiment_known_before_pct) > t.typical_change as is_clear,
  s.days_before,
  s.days_after,
  count(*) over () as shown_of
from sides s
left join main.kpi_changes t on t.project_id = s.project_id and t.measure = 'net_sentiment_known' and t.window_days = 7
where s.days_before >= 5 and s.days_after >= 5
order by is_clear desc nulls last, abs(change_points) / nullif(typical_change_points, 0) desc nulls last, abs(change_points) desc nulls last, s.project_id, s.date
limit 20;
