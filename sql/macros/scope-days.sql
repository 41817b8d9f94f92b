{# The daily figures of one filter side by side, and which of them are whole. One row per project, value of the filter and day with a figure. #}
{% from "days.sql" import is_final, is_whole, join_series_state %}

{% macro scope_days(scope) -%}
{# Answers of every type are known by model alone. #}
{% set all = ["visibility", "sentiment", "share_of_voice"].concat(["brand_visibility"] if scope == "model" else []) %}
(
  with figures as (
    {% for series in all %}
    select
      v.project_id,
      v.scope_id,
      v.date,
      '{{ series }}' as series,
      {% for name, type, source in [
        ["visibility", "double", "visibility"],
        ["sentiment", "double", "sentiment"],
        ["total_responses", "bigint", "share_of_voice"],
        ["brand_mentions", "bigint", "share_of_voice"],
        ["share_of_voice", "double", "share_of_voice"],
        ["all_responses", "bigint", "brand_visibility"]
      ] %}
      {{ ("v.total_responses" if name == "all_responses" else "v." ~ name) if source == series else "cast(null as " ~ type ~ ")" }} as {{ name }},
      {% endfor %}
      {{ is_whole("v.date") }} as is_whole_day,
      {{ is_final("v.date") }} as is_final
    {% if series == "brand_visibility" %}
    -- The same for every brand.
    from (
      select project_id, scope, scope_id, grain, date, max(total_responses) as total_responses
      from core.brand_visibility
      where scope = '{{ scope }}' and grain = 'day'
      group by project_id, scope, scope_id, grain, date
    ) v
    {% else %}
    from core.{{ series }} v
    {% endif %}
    {{ join_series_state(series) }}
    where v.scope = '{{ scope }}' and v.grain = 'day'
    {{ "union all" if not loop.last }}
    {% endfor %}
  )
  select
    project_id,
    scope_id,
    date,
    max(visibility) as visibility,
    max(sentiment) as sentiment,
    max(total_responses) as total_responses,
    max(brand_mentions) as brand_mentions,
    max(share_of_voice) as share_of_voice,
    max(all_responses) as all_responses,
    bool_and(is_whole_day) as is_whole_day,
    {% for series in all %}
    coalesce(bool_and(is_whole_day) filter (where series = '{{ series }}'), false) as is_whole_{{ series }},
    {% endfor %}
    bool_and(is_final) as is_final
  from figures
  group by project_id, scope_id, date
)
{%- endmacro %}
