-- One row per measure of project $1: its value over the 28 days that end on $2, and over the 28 days before.
with days as (
  select
    k.*,
    r.ranked_citations_count,
    case when k.date > cast($2 as date) - 28 then 'current' else 'previous' end as period
  from main.daily_kpis k
  left join main.citation_rank_trend r
    on r.project_id = k.project_id and r.date = k.date and r.grain = 'day' and r.scope = 'project'
  where k.project_id = $1 and k.date > cast($2 as date) - 56 and k.date <= cast($2 as date)
),
measured as (
  select 'visibility' as measure, period, avg(visibility) as value, count(visibility) as days_count, bool_and(is_final) as is_final from days group by period
  union all
  select
    'share_of_voice', period,
    100.0 * sum(brand_mentions) / nullif(sum(total_responses), 0),
    count(*) filter (where total_responses > 0), bool_and(is_final)
  from days group by period
  union all
  select 'sentiment', period, avg(sentiment), count(sentiment), bool_and(is_final) from days group by period
  union all
  select 'citations', period, sum(citations_count), count(citations_count), bool_and(is_final) from days group by period
  union all
  select
    'citation_rank', period,
    sum(average_citation_rank * ranked_citations_count) / nullif(sum(ranked_citations_count) filter (where average_citation_rank is not null), 0),
    count(average_citation_rank), bool_and(is_final)
  from days group by period
  union all
  select 'crawler_requests', period, sum(crawler_requests_count), count(crawler_requests_count), bool_and(is_final) from days group by period
  union all
  select 'ai_visits', period, sum(ai_visits_count), count(ai_visits_count), bool_and(is_final) from days group by period
  union all
  select 'actions_completed', period, sum(actions_completed), count(actions_completed), bool_and(is_final) from days group by period
)
select
  measure,
  cast(max(value) filter (where period = 'current') as double) as current_value,
  cast(max(value) filter (where period = 'previous') as double) as previous_value,
  coalesce(max(days_count) filter (where period = 'current'), 0) as current_days,
  coalesce(max(days_count) filter (where period = 'previous'), 0) as previous_days,
  coalesce(bool_and(is_final) filter (where period = 'current'), false) as is_final
from measured
group by measure;
