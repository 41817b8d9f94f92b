-- One row per day from $2 to $3 of project $1: its figures, and their 7-day means where at least 4 of the 7 days have a value.
with figures as (
  select
    date,
    is_final,
    visibility,
    sentiment,
    case when total_responses > 0 then share_of_voice_pct end as share_of_voice_pct,
    case when total_responses > 0 then total_responses end as total_responses,
    case when total_responses > 0 then brand_mentions end as brand_mentions,
    net_sentiment_pct,
    citations_count,
    average_citation_rank,
    crawler_requests_count,
    ai_visits_count,
    event_titles
  from main.daily_kpis
  where project_id = $1 and date between cast($2 as date) - 6 and cast($3 as date)
),
means as (
  select
    *,
    case when count(visibility) over seven >= 4 then avg(visibility) over seven end as visibility_7_day_mean,
    case
      when count(total_responses) over seven >= 4
        then cast(100.0 * sum(brand_mentions) over seven / sum(total_responses) over seven as double)
    end as share_of_voice_7_day_pct,
    case when count(crawler_requests_count) over seven >= 4 then avg(crawler_requests_count) over seven end as crawler_requests_7_day_mean,
    case when count(ai_visits_count) over seven >= 4 then avg(ai_visits_count) over seven end as ai_visits_7_day_mean
  from figures
  window seven as (order by date range between interval 6 days preceding and current row)
)
select * from means where date >= cast($2 as date) order by date;
