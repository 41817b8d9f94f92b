-- Question: How did each month go, against the month before?
-- Words: compare this month with last month, monthly report
-- Grain: one row per project and month
-- Key: project_id, month_start
-- Columns: project_id, project_name, month_start, days_in_month, days_with_data, share_of_voice_pct,
--   net_sentiment_known_pct, citations_count, crawler_requests_count, ai_visits_count, ai_visits_per_day,
--   actions_completed, is_final, is_whole_month, share_of_voice_change_points, net_sentiment_known_change_points,
--   ai_visits_per_day_change
-- Caveat: shares come from the counts of the month, never from averaging days; sentiment is that of responses with a
--   known one. Months differ in length: compare visits per day. Changes are NULL unless both months are whole and have 20
--   days with the figure; is_final is false while any day may still change.
with months as (
  select
    k.project_id,
    k.project_name,
    c.month_start,
    cast(day(last_day(c.month_start)) as integer) as days_in_month,
    count(k.organic_responses) as days_with_data,
    100.0 * sum(k.organic_brand_mentions)
      / nullif(sum(k.organic_responses) filter (where k.organic_brand_mentions is not null), 0) as share_of_voice_pct,
    100.0 * sum(coalesce(s.positive_count, 0) - coalesce(s.negative_count, 0)) / nullif(sum(s.known_count), 0) as net_sentiment_known_pct,
    cast(sum(k.citations_count) as bigint) as citations_count,
    cast(sum(k.crawler_requests_count) as bigint) as crawler_requests_count,
    cast(sum(k.ai_visits_count) as bigint) as ai_visits_count,
    cast(sum(k.actions_completed) as bigint) as actions_completed,
    bool_and(k.is_final) as is_final,
    count(*) = day(last_day(c.month_start)) as is_whole_month,
    count(nullif(s.known_count, 0)) as days_with_sentiment,
    count(k.ai_visits_count) as days_with_visits
  from main.daily_kpis k
  join main.calendar c on c.date = k.date
  left join main.sentiment_split s on s.project_id = k.project_id and s.date = k.date
  group by k.project_id, k.project_name, c.month_start
)
select
  project_id,
  project_name,
  month_start,
  days_in_month,
  days_with_data,
  share_of_voice_pct,
  net_sentiment_known_pct,
  citations_count,
  crawler_requests_count,
  ai_visits_count,
  ai_visits_count / nullif(cast(days_with_visits as double), 0) as ai_visits_per_day,
  actions_completed,
  is_final,
  is_whole_month,
  case when is_whole_month and lag(is_whole_month) over project and least(days_with_data, lag(days_with_data) over project) >= 20
    then share_of_voice_pct - lag(share_of_voice_pct) over project end as share_of_voice_change_points,
  case when is_whole_month and lag(is_whole_month) over project and least(days_with_sentiment, lag(days_with_sentiment) over project) >= 20
    then net_sentiment_known_pct - lag(net_sentiment_known_pct) over project end as net_sentiment_known_change_points,
  case when is_whole_month and lag(is_whole_month) over project and least(days_with_visits, lag(days_with_visits) over project) >= 20
    then ai_visits_count / cast(days_with_visits as double)
      - lag(ai_visits_count / cast(days_with_visits as double)) over project end as ai_visits_per_day_change
from months
window project as (partition by project_id order by month_start)
order by project_name, month_start;
