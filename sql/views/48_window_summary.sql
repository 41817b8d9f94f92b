-- One row per project, window and scope: counts that no series gives.
{% from "figures.sql" import join_scope_names, scope_name %}
{% from "days.sql" import is_whole_window, join_window_state %}
create view detail.window_summary as
with first_days as (
  select project_id, min(date) as first_date
  from core.share_of_voice
  where grain = 'day' and scope = 'project' and total_responses > 0
  group by project_id
),
answers as (
  {% for part, table, figures in [
    ["summary", "response_summary", "v.total_responses, v.total_brand_mentions, v.brand_mention_rate, cast(null as varchar) as sentiment, cast(null as bigint) as count, cast(null as double) as current_share_of_voice, cast(null as double) as previous_share_of_voice"],
    ["split", "sentiment_distribution", "null, null, null, lower(v.sentiment), v.count, null, null"],
    ["share_of_voice", "share_of_voice_comparison", "null, null, null, null, null, v.current_share_of_voice, v.previous_share_of_voice"]
  ] %}
  select v.project_id, v.window_kind, v.window_start, v.window_end, v.scope, v.scope_id, '{{ part }}' as part, {{ is_whole_window() }} as is_whole, {{ figures }}
  from core.{{ table }} v
  {{ join_window_state(table) }}
  left join first_days f on f.project_id = v.project_id
  {{ "union all" if not loop.last }}
  {% endfor %}
),
summed as (
  select
    project_id,
    window_kind,
    window_start,
    scope,
    scope_id,
    max(window_end) as window_end,
    max(total_responses) as total_responses,
    max(total_brand_mentions) as total_brand_mentions,
    max(brand_mention_rate) as brand_mention_rate,
    {% for sentiment in ["positive", "negative", "neutral", "unknown"] %}
    max(count) filter (where sentiment = '{{ sentiment }}') as {{ sentiment }},
    {% endfor %}
    -- The listed sentiments hold all responses: one that is not listed had none.
    case when sum(count) = max(total_responses) then 0 end as unlisted,
    max(current_share_of_voice) as current_share_of_voice,
    max(previous_share_of_voice) as previous_share_of_voice,
    {% for part in ["summary", "split", "share_of_voice"] %}
    coalesce(bool_and(is_whole) filter (where part = '{{ part }}'), false) as is_whole_{{ part }},
    {% endfor %}
    bool_and(is_whole) as is_whole_window
  from answers
  group by project_id, window_kind, window_start, scope, scope_id
)
select
  v.project_id,
  p.name as project_name,
  v.window_kind,
  v.window_start,
  v.window_end,
  cast(v.window_end - v.window_start + 1 as integer) as days_in_window,
  v.scope,
  v.scope_id,
  {{ scope_name() }} as scope_name,
  v.is_whole_window,
  {% for part in ["summary", "split", "share_of_voice"] %}
  v.is_whole_{{ part }},
  {% endfor %}
  v.total_responses as all_responses,
  v.total_brand_mentions as all_brand_mentions,
  v.brand_mention_rate,
  coalesce(v.positive, v.unlisted) as positive_count,
  coalesce(v.negative, v.unlisted) as negative_count,
  coalesce(v.neutral, v.unlisted) as neutral_count,
  coalesce(v.unknown, v.unlisted) as unknown_count,
  v.current_share_of_voice as current_share_of_voice_pct,
  v.previous_share_of_voice as previous_share_of_voice_pct
from summed v
{{ join_scope_names() }};

comment on view detail.window_summary is 'Counts of whole windows that no series gives: responses of every type, brand mentions, sentiment, share of voice. One row per project, window and scope. Windows overlap: filter on one kind. Source: GET v1 responses/summary, v1 responses/sentiment-distribution and v1 share-of-voice/comparison.';
