-- Question: How did each month go, against the month before?
-- Grain: one row per project and month
-- Key: project_id, month_start
-- Columns: project_id, project_name, month_start, days_in_month, days_with_data, share_of_voice_pct,
--   net_sentiment_pct, citations_count, crawler_requests_count, ai_visits_count, actions_completed, is_final,
--   share_of_voice_change_points, net_sentiment_change_points, ai_visits_change
-- Caveat: shares come from the counts of the month, never from averaging days. Compare months only where days_with_data
--   is near days_in_month on both sides; is_final is false while any day of the month may still change.
with months as (
  select
    k.project_id,
    k.project_name,
    c.month_start,
    cast(day(last_day(c.month_start)) as integer) as days_in_month,
    count(k.total_responses) as days_with_data,
    100.0 * sum(k.brand_mentions)
      / nullif(sum(k.total_responses) filter (where k.brand_mentions is not null), 0) as share_of_voice_pct,
    100.0 * sum(coalesce(s.positive_count, 0) - coalesce(s.negative_count, 0)) / nullif(sum(s.total_count), 0) as net_sentiment_pct,
    cast(sum(k.citations_count) as bigint) as citations_count,
    cast(sum(k.crawler_requests_count) as bigint) as crawler_requests_count,
    cast(sum(k.ai_visits_count) as bigint) as ai_visits_count,
    cast(sum(k.actions_completed) as bigint) as actions_completed,
    bool_and(k.is_final) as is_final
  from main.daily_kpis k
  join main.calendar c on c.date = k.date
  left join main.sentiment_split s on s.project_id = k.project_id and s.date = k.date
  group by k.project_id, k.project_name, c.month_start
)
select
  *,
  share_of_voice_pct - lag(share_of_voice_pct) over project as share_of_voice_change_points,
  net_sentiment_pct - lag(net_sentiment_pct) over project as net_sentiment_change_points,
  ai_visits_count - lag(ai_visits_count) over project as ai_visits_change
from months
window project as (partition by project_id order by month_start)
order by project_name, month_start;
