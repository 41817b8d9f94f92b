-- One row per project, measure and day, every day from the first to the last covered.
create view detail.measure_days as
with figures as (
  select project_id, date, 'visibility' as measure, visibility as numerator, 1 as denominator
  from core.visibility
  where grain = 'day' and scope = 'project' and visibility between 0 and 100
  union all
  select project_id, date, 'sentiment', sentiment, 1
  from core.sentiment
  where grain = 'day' and scope = 'project' and sentiment between 0 and 100
  union all
  select project_id, date, 'share_of_voice', 100.0 * brand_mentions, total_responses
  from core.share_of_voice
  where grain = 'day' and scope = 'project' and brand_mentions is not null and total_responses > 0
  union all
  select
    project_id,
    date,
    'net_sentiment_known',
    100.0 * (coalesce(positive, 0) - coalesce(negative, 0)),
    coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0)
  from core.response_sentiment
  where grain = 'day' and scope = 'project'
    and coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0) > 0
  union all
  select project_id, date, 'citations', total_citations, 1
  from core.citation_ranks
  where grain = 'day' and scope = 'project' and total_citations is not null
  union all
  select project_id, date, 'crawler_requests', sum(requests), 1
  from core.crawler_requests
  where grain = 'day' and scope = 'project' and requests is not null
  group by project_id, date
  union all
  select project_id, date, 'ai_visits', sum(visits), 1
  from core.visitor_visits
  where grain = 'day' and scope = 'project' and visits is not null
  group by project_id, date
),
measured as (
  select distinct project_id, measure from figures
)
select
  d.project_id,
  d.project_name,
  m.measure,
  d.date,
  cast(f.numerator / f.denominator as double) as value,
  cast(f.numerator as double) as numerator,
  cast(f.denominator as double) as denominator,
  d.is_whole_day,
  d.is_final
from detail.project_days d
join measured m on m.project_id = d.project_id
left join figures f on f.project_id = d.project_id and f.date = d.date and f.measure = m.measure;

comment on view detail.measure_days is 'The daily figures of a project, one below the other. One row per project, measure and day, every day from the first to the last covered; NULL where there is no figure, or a score outside 0 to 100. Source: the project series.';
