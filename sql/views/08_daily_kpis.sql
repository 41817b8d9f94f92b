-- One row per project and day, every day from the first to the last covered, exactly one row.
{% from "figures.sql" import event_counts, response_counts %}
{% from "days.sql" import open_project_days %}
{# What makes a figure whole: its endpoint, and the word in the column that says so. #}
{% set figures = [
  ["visibility", "visibility"],
  ["sentiment", "sentiment"],
  ["share_of_voice", "share_of_voice"],
  ["response_sentiment", "response_sentiment"],
  ["citation_ranks", "citations"],
  ["crawler_requests", "crawler_requests"],
  ["visitor_visits", "ai_visits"],
  ["events", "events"]
] %}
create view detail.daily_kpis as
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
),
partial as (
  select
    project_id,
    date,
    {% for endpoint, name in figures %}
    bool_or(is_partial) filter (where endpoint = '{{ endpoint }}') as {{ name }}{{ "," if not loop.last }}
    {% endfor %}
  from {{ open_project_days() }} days
  group by project_id, date
)
select
  d.project_id, d.project_name, d.date, v.visibility, t.sentiment,
  o.share_of_voice as share_of_voice_pct,
  o.total_responses as organic_responses,
  o.brand_mentions as organic_brand_mentions,
  r.positive as positive_count, r.negative as negative_count, r.neutral as neutral_count, r.unknown as unknown_count, r.known as known_count,
  r.net_sentiment_pct, r.net_sentiment_known_pct,
  c.total_citations as citations_count,
  c.average_rank as average_citation_rank,
  crawled.requests as crawler_requests_count,
  visited.visits as ai_visits_count,
  e.actions_completed, e.prompts_created, e.prompts_deleted, e.event_titles,
  coalesce(s.timezone, 'UTC') as traffic_timezone,
  {% for endpoint, name in figures %}
  d.date < coalesce(w.sync_day, s.sync_day, d.date + 1) and not coalesce(partial.{{ name }}, false) as is_whole_{{ name }},
  {% endfor %}
  d.date < coalesce(w.sync_day, s.sync_day, d.date + 1) as is_over,
  d.is_whole_day,
  d.is_final
from detail.project_days d
cross join main.sync_settings s
left join core.visibility v on v.project_id = d.project_id and v.date = d.date and v.grain = 'day' and v.scope = 'project'
left join core.sentiment t on t.project_id = d.project_id and t.date = d.date and t.grain = 'day' and t.scope = 'project'
left join core.share_of_voice o on o.project_id = d.project_id and o.date = d.date and o.grain = 'day' and o.scope = 'project'
left join core.citation_ranks c on c.project_id = d.project_id and c.date = d.date and c.grain = 'day' and c.scope = 'project'
left join detail.project_sync_days w on w.project_id = d.project_id
left join partial on partial.project_id = d.project_id and partial.date = d.date
left join {{ response_counts() }} r on r.project_id = d.project_id and r.date = d.date
left join crawled on crawled.project_id = d.project_id and crawled.date = d.date
left join visited on visited.project_id = d.project_id and visited.date = d.date
left join {{ event_counts() }} e on e.project_id = d.project_id and e.date = d.date;

comment on view detail.daily_kpis is 'All project figures of a day. Exactly one row per project and day, every day from the first to the last covered; NULL where there is no figure, never 0 in its place. Source: several endpoints, see the columns.';
{{ comments("daily_kpis", "project_id, project_name, date, visibility, sentiment, share_of_voice_pct, organic_responses, organic_brand_mentions") }}
{{ comments("daily_kpis", "positive_count, negative_count, neutral_count, unknown_count, known_count") }}
{{ comments("daily_kpis", "net_sentiment_pct, net_sentiment_known_pct") }}
comment on column detail.daily_kpis.citations_count is 'Citations of that day. Adds up over days. Source: GET v1 citations/rank-analysis.';
comment on column detail.daily_kpis.average_citation_rank is 'Average rank of the citations, 1 is best. Do not sum or average: citation_rank_trend has ranked_citations_count to weigh it by. Source: GET v1 citations/rank-analysis.';
comment on column detail.daily_kpis.crawler_requests_count is 'Requests of AI crawlers to the tracked site, all crawlers; NULL where the API reports none for the day. Adds up over days. Source: GET v1 analytics/crawlers/trend.';
comment on column detail.daily_kpis.ai_visits_count is 'Visits that AI assistants sent to the tracked site, all referrers; NULL where the API reports none for the day. Adds up over days. Source: GET v1 analytics/visitors/trend.';
comment on column detail.daily_kpis.traffic_timezone is 'Time zone of the days of crawlers and visitors (sync.timezone); every other figure is of a day in UTC.';
{{ comments("daily_kpis", "is_whole_visibility, is_whole_sentiment, is_whole_share_of_voice") }}
{% for name, words in [["response_sentiment", "the counts by sentiment were"], ["citations", "citations were"], ["crawler_requests", "crawlers were"], ["ai_visits", "visits were"], ["events", "events were"]] %}
comment on column detail.daily_kpis.is_whole_{{ name }} is 'True where {{ words }} asked for after the day was over; NULL in main otherwise.';
{% endfor %}
comment on column detail.daily_kpis.is_over is 'False from the day of the newest sync of the project on. A day that was over may still have figures that were asked for too early: see is_whole_visibility and its kin.';
{{ comments("daily_kpis", "actions_completed, prompts_created, prompts_deleted, event_titles, is_whole_day, is_final") }}
