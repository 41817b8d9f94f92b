-- One row per project, model (or monitor) and day, and one for what the listed ones lack.
{% from "scope-days.sql" import scope_days %}
{% from "days.sql" import is_final, is_whole, join_series_state %}
{% for scope, kind, words in [["model", "AI model", "models"], ["monitor", "monitor", "monitors"]] %}
{% set id = scope ~ "_id" %}
create view detail.{{ scope }}_kpis as
with listed as (
  select * from {{ scope_days(scope) }} days
),
summed as (
  select
    project_id, date, sum(total_responses) as total_responses, sum(brand_mentions) as brand_mentions,
    bool_and(is_whole_share_of_voice) filter (where total_responses is not null) as is_whole_day,
    bool_and(is_final) filter (where total_responses is not null) as is_final
  from listed
  group by project_id, date
),
rest as (
  select
    v.project_id,
    v.date,
    cast(v.total_responses - coalesce(l.total_responses, 0) as bigint) as total_responses,
    case when v.brand_mentions >= coalesce(l.brand_mentions, 0) then cast(v.brand_mentions - coalesce(l.brand_mentions, 0) as bigint) end as brand_mentions,
    {{ is_whole("v.date") }} and coalesce(l.is_whole_day, true) as is_whole_day,
    {{ is_final("v.date") }} and coalesce(l.is_final, true) as is_final
  from core.share_of_voice v
  {{ join_series_state("share_of_voice") }}
  left join summed l on l.project_id = v.project_id and l.date = v.date
  where v.scope = 'project' and v.grain = 'day' and v.project_id in (select project_id from listed)
    and v.total_responses > coalesce(l.total_responses, 0)
),
days as (
  select
    project_id, date, scope_id, visibility, sentiment, total_responses, brand_mentions, share_of_voice,
    is_whole_visibility, is_whole_sentiment, is_whole_share_of_voice, {{ "all_responses, is_whole_brand_visibility," if scope == "model" }} is_whole_day, is_final
  from listed
  union all
  select
    project_id, date, '(other)', null, null, total_responses, brand_mentions,
    case when brand_mentions <= total_responses then 100.0 * brand_mentions / nullif(total_responses, 0) end,
    false, false, is_whole_day, {{ "null, false," if scope == "model" }} is_whole_day, is_final
  from rest
)
select
  v.project_id,
  p.name as project_name,
  v.scope_id as {{ id }},
  {% if scope == "model" %}
  case v.scope_id when '(other)' then 'Other models' else m.label end as model_name,
  n.assistant,
  coalesce(m.deprecated, false) as is_deprecated_model,
  {% else %}
  case v.scope_id when '(other)' then 'Other monitors' else m.name end as monitor_name,
  {% endif %}
  v.date, v.visibility, v.sentiment, v.share_of_voice as share_of_voice_pct,
  v.total_responses as organic_responses, v.brand_mentions as organic_brand_mentions,
  {{ "v.all_responses, v.is_whole_brand_visibility," if scope == "model" }}
  v.is_whole_visibility, v.is_whole_sentiment, v.is_whole_share_of_voice, v.is_whole_day, v.is_final
from days v
left join core.projects p on p.project_id = v.project_id
{% if scope == "model" %}
left join core.models m on m.model_id = v.scope_id
left join main.models n on n.model_id = v.scope_id;
{% else %}
left join core.monitors m on m.project_id = v.project_id and m.monitor_id = v.scope_id;
{% endif %}

comment on view detail.{{ scope }}_kpis is 'Figures of each {{ kind }} by day. One row per project, {{ scope }} and day with a figure, and one row (other) with the counts and the share that the project has and the listed {{ words }} lack, where these have any. Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.';
{% endfor %}
