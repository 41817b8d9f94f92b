-- One row per project and day, every day from the first to the last covered, exactly one row.
create view main.daily_kpis as
with crawled as (
  select project_id, date, cast(sum(requests) as bigint) as requests
  from core.crawler_requests
  where grain = 'day' and scope = 'project'
  group by project_id, date
),
visited as (
  select project_id, date, cast(sum(visits) as bigint) as visits
  from core.visitor_visits
  where grain = 'day' and scope = 'project'
  group by project_id, date
)
select
  d.project_id,
  d.project_name,
  d.date,
  v.visibility,
  t.sentiment,
  o.share_of_voice as share_of_voice_pct,
  o.total_responses,
  o.brand_mentions,
  r.positive_count,
  r.negative_count,
  r.neutral_count,
  r.unknown_count,
  r.net_sentiment_pct,
  c.total_citations as citations_count,
  c.average_rank as average_citation_rank,
  crawled.requests as crawler_requests_count,
  visited.visits as ai_visits_count,
  e.actions_completed,
  e.prompts_created,
  e.prompts_deleted,
  e.event_titles,
  d.is_final
from main.project_days d
left join core.visibility v
  on v.project_id = d.project_id and v.date = d.date and v.grain = 'day' and v.scope = 'project'
left join core.sentiment t
  on t.project_id = d.project_id and t.date = d.date and t.grain = 'day' and t.scope = 'project'
left join core.share_of_voice o
  on o.project_id = d.project_id and o.date = d.date and o.grain = 'day' and o.scope = 'project'
left join core.citation_ranks c
  on c.project_id = d.project_id and c.date = d.date and c.grain = 'day' and c.scope = 'project'
left join main.sentiment_split r on r.project_id = d.project_id and r.date = d.date
left join crawled on crawled.project_id = d.project_id and crawled.date = d.date
left join visited on visited.project_id = d.project_id and visited.date = d.date
left join main.event_days e on e.project_id = d.project_id and e.date = d.date;

comment on view main.daily_kpis is 'All project figures of a day. Exactly one row per project and day, every day from the first to the last covered; NULL where there is no figure, never 0 in its place. Source: several endpoints, see the columns.';
comment on column main.daily_kpis.project_id is 'Project id (core.projects).';
comment on column main.daily_kpis.project_name is 'Name of the project; NULL when unknown.';
comment on column main.daily_kpis.date is 'Day (UTC).';
comment on column main.daily_kpis.visibility is 'Visibility score of the own brand, scale as the API reports it. Do not sum or average. Source: GET v1 visibility-time-series.';
comment on column main.daily_kpis.sentiment is 'Sentiment score towards the own brand, scale as the API reports it. Do not sum or average. Source: GET v1 sentiment-time-series.';
comment on column main.daily_kpis.share_of_voice_pct is 'Brand mentions per organic response, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.';
comment on column main.daily_kpis.total_responses is 'Organic responses. Adds up over periods of one grain, not over scopes. Source: GET v1 share-of-voice/time-series.';
comment on column main.daily_kpis.brand_mentions is 'Responses that mention the own brand. Adds up over periods of one grain, not over scopes. Source: GET v1 share-of-voice/time-series.';
comment on column main.daily_kpis.positive_count is 'Positive responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.daily_kpis.negative_count is 'Negative responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.daily_kpis.neutral_count is 'Neutral responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.daily_kpis.unknown_count is 'Responses without a known sentiment. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.daily_kpis.net_sentiment_pct is 'Positive less negative responses, per 100 responses of any sentiment (unknown included), -100 to 100; NULL when there are none. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.daily_kpis.citations_count is 'Citations of that day. Adds up over days. Source: GET v1 citations/rank-analysis.';
comment on column main.daily_kpis.average_citation_rank is 'Average rank of the citations, 1 is best. Do not sum or average. Source: GET v1 citations/rank-analysis.';
comment on column main.daily_kpis.crawler_requests_count is 'Requests of AI crawlers to the tracked site, all crawlers; NULL where the API reports none for the day. Adds up over days. Source: GET v1 analytics/crawlers/trend.';
comment on column main.daily_kpis.ai_visits_count is 'Visits that AI assistants sent to the tracked site, all referrers; NULL where the API reports none for the day. Adds up over days. Source: GET v1 analytics/visitors/trend.';
comment on column main.daily_kpis.actions_completed is 'Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days, not over scopes. Source: GET v2 events.';
comment on column main.daily_kpis.prompts_created is 'Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days, not over scopes. Source: GET v2 events.';
comment on column main.daily_kpis.prompts_deleted is 'Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days, not over scopes. Source: GET v2 events.';
comment on column main.daily_kpis.event_titles is 'Titles of the events of the day, by time, separated by semicolons; NULL when there were none. Source: GET v2 events.';
comment on column main.daily_kpis.is_final is 'False while the figures are younger than the look-back window and may still change.';
