-- One row per project, prompt and day.
{% from "days.sql" import is_final, is_whole, join_series_state %}
{% from "changes.sql" import deletions, final_on, join_renamed_prompts %}
create view detail.prompt_days as
with figures as (
  {% for series in ["visibility", "sentiment", "share_of_voice"] %}
  select
    v.project_id,
    v.scope_id as prompt_id,
    v.date,
    '{{ series }}' as series,
    {% for name, type, source in [
      ["visibility", "double", "visibility"],
      ["sentiment", "double", "sentiment"],
      ["total_responses", "bigint", "share_of_voice"],
      ["brand_mentions", "bigint", "share_of_voice"],
      ["share_of_voice", "double", "share_of_voice"]
    ] %}
    {{ "v." ~ name if source == series else "cast(null as " ~ type ~ ")" }} as {{ name }},
    {% endfor %}
    v._changed_at as changed_at,
    {{ is_whole("v.date") }} as is_whole_day,
    {{ is_final("v.date") }} as is_final
  from core.{{ series }} v
  {{ join_series_state(series) }}
  where v.scope = 'prompt' and v.grain = 'day'
  union all
  select
    project_id, scope_id, date, '{{ series }}',
    {% for type in ["double", "double", "bigint", "bigint", "double"] %}cast(null as {{ type }}), {% endfor %}
    deleted_at, null, null
  from {{ deletions(series) }} gone
  where scope = 'prompt' and grain = 'day'
  {{ "union all" if not loop.last }}
  {% endfor %}
),
days as (
  select
    project_id,
    prompt_id,
    date,
    max(visibility) as visibility,
    max(sentiment) as sentiment,
    max(total_responses) as total_responses,
    max(brand_mentions) as brand_mentions,
    max(share_of_voice) as share_of_voice,
    bool_and(is_whole_day) as is_whole_day,
    {% for series in ["visibility", "sentiment", "share_of_voice"] %}
    coalesce(bool_and(is_whole_day) filter (where series = '{{ series }}'), false) as is_whole_{{ series }},
    {% endfor %}
    bool_and(is_final) as is_final,
    max(changed_at) as changed_at
  from figures
  group by project_id, prompt_id, date
  having bool_or(is_whole_day is not null)
)
select
  v.project_id,
  p.name as project_name,
  v.prompt_id,
  q.prompt,
  q.type as prompt_type,
  q.monitor_id,
  m.name as monitor_name,
  v.date,
  v.visibility,
  v.sentiment,
  v.total_responses as organic_responses,
  v.brand_mentions as organic_brand_mentions,
  v.share_of_voice as share_of_voice_pct,
  v.is_whole_visibility,
  v.is_whole_sentiment,
  v.is_whole_share_of_voice,
  v.is_whole_day,
  v.is_final,
  greatest(v.changed_at, p._changed_at, m._changed_at, renamed.changed_at) as changed_at,
  {{ final_on("v.date") }} as final_on
from days v
left join core.projects p on p.project_id = v.project_id
left join core.prompts q on q.project_id = v.project_id and q.prompt_id = v.prompt_id
left join core.monitors m on m.project_id = q.project_id and m.monitor_id = q.monitor_id
{{ join_renamed_prompts("v.prompt_id") }};

comment on view detail.prompt_days is 'Figures of each prompt by day, where the scope prompt is configured for visibility, sentiment or share_of_voice (sync.scopes). One row per project, prompt and day with a figure. Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.';
{{ comments("prompt_days", "project_id, project_name, prompt_id, prompt, prompt_type") }}
{{ comments("prompt_days", "monitor_id, monitor_name, date, visibility, sentiment") }}
{{ comments("prompt_days", "organic_responses, organic_brand_mentions, share_of_voice_pct, is_whole_visibility, is_whole_sentiment, is_whole_share_of_voice, is_whole_day, is_final") }}
{{ comments("prompt_days", "changed_at, final_on") }}
