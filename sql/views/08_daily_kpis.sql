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
  r.positive as positive_count, r.negative as negative_count, r.neutral as neutral_count, r.unknown as unknown_count, r.known as known_count, r.total as all_responses,
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
