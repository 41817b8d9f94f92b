{# The effects of one kind of span side by side: `effects`, one row per project and first day. #}
{% macro pivot_effects(span, later=[]) -%}
effects as (
  select
    project_id,
    first_date,
    {% for measure in ["visibility", "sentiment", "share_of_voice"] %}
    {% for days in ["1_14"].concat(later) %}
    {% set suffix = "" if days == "1_14" else "_" ~ days %}
    {% set is_here = "measure = '" ~ measure ~ "' and days = '" ~ days ~ "'" %}
    any_value(effect) filter (where {{ is_here }}) as {{ measure }}_effect{{ suffix }},
    any_value(effect_low) filter (where {{ is_here }}) as {{ measure }}_effect{{ suffix }}_low,
    any_value(effect_high) filter (where {{ is_here }}) as {{ measure }}_effect{{ suffix }}_high,
    bool_or(is_clear) filter (where {{ is_here }}) as {{ measure }}{{ "_effect" if suffix }}{{ suffix }}_is_clear,
    {% endfor %}
    {% endfor %}
    coalesce(bool_or(not_judged is null) filter (where days = '1_14'), false) as is_judged,
    any_value(not_judged) filter (where measure = 'visibility' and days = '1_14') as visibility_not_judged,
    min(not_judged) filter (where days = '1_14') as other_not_judged
  from detail.action_effects
  where span = '{{ span }}'
  group by project_id, first_date
),
{%- endmacro %}

{# `setup`: what changed about the questions from 14 days before the first to 14 days after the last of the days `spans` (project_id, first_date, last_date). #}
{% macro setup_titles(spans) -%}
setup as (
  select b.project_id, b.first_date, string_agg(s.title, '; ' order by s.date asc, s.what asc) as titles
  from {{ spans }} b
  join main.setup_changes s on s.project_id = b.project_id and s.date between b.first_date - 14 and b.last_date + 14
  group by b.project_id, b.first_date
),
{%- endmacro %}

{# Why nothing was judged; NULL where a measure was. #}
{% macro not_judged() -%}
case when not coalesce(f.is_judged, false) then coalesce(f.visibility_not_judged, f.other_not_judged, 'too_few_days') end
{%- endmacro %}
