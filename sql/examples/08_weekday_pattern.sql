-- Question: Do figures follow the days of the week?
-- Grain: one row per project and day of the week, the last 12 whole weeks of final days
-- Key: project_id, iso_day_of_week
-- Columns: project_id, project_name, iso_day_of_week, day_name, days_with_data, share_of_voice_pct,
--   net_sentiment_known_pct, crawler_requests_per_day, ai_visits_per_day
-- Caveat: sentiment is that of responses with a known one: over all responses it follows visibility. Shares are computed from the counts of all those days together; counts are given per day with data. Days are
--   UTC days, so that an evening elsewhere may be the next day here.
with bounds as (
  select cast(date_trunc('week', sync_day - lookback_days + 1) as date) as first_day_after from main.sync_settings
)
select
  k.project_id,
  k.project_name,
  c.iso_day_of_week,
  c.day_name,
  count(k.organic_responses) as days_with_data,
  100.0 * sum(k.organic_brand_mentions)
    / nullif(sum(k.organic_responses) filter (where k.organic_brand_mentions is not null), 0) as share_of_voice_pct,
  100.0 * sum(coalesce(s.positive_count, 0) - coalesce(s.negative_count, 0)) / nullif(sum(s.known_count), 0) as net_sentiment_known_pct,
  avg(k.crawler_requests_count) as crawler_requests_per_day,
  avg(k.ai_visits_count) as ai_visits_per_day
from main.daily_kpis k
join main.calendar c on c.date = k.date
left join main.sentiment_split s on s.project_id = k.project_id and s.date = k.date
cross join bounds b
where k.date >= b.first_day_after - 84 and k.date < b.first_day_after
group by k.project_id, k.project_name, c.iso_day_of_week, c.day_name
order by k.project_name, c.iso_day_of_week;
