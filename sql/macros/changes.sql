{# When the figures of a row last changed, for readers that take only what changed. A maximum over the rows that exist misses those that went: meta.restatements has them. #}
{% from "days.sql" import asked_date %}

{% macro from_key(column) -%}
json_extract_string(key, '$.{{ column }}')
{%- endmacro %}

{# The day from which what ends on `last_day` is final. #}
{% macro final_on(last_day) -%}
{{ last_day }} + (select greatest(lookback_days, 1) from main.sync_settings)
{%- endmacro %}

{# Last day of the window `v`; of a month that is not over, the last day of the month. #}
{% macro last_day_of_window() -%}
case v.window_kind when 'month' then last_day(v.window_start) else v.window_end end
{%- endmacro %}

{# Rows of a table of series that the API withdrew. One row per series and period, and value of the column `part`. #}
{% macro deletions(table, part="") -%}
(
  select
    {% for column in ["project_id", "grain", "scope", "scope_id"] %}
    {{ from_key(column) }} as {{ column }},
    {% endfor %}
    {{ (from_key(part) ~ " as " ~ part ~ ",") if part }}
    {{ try_cast(from_key("date"), "date") }} as date,
    max(changed_at) as deleted_at
  from meta.restatements
  where table_name = '{{ table }}' and change = 'deleted'
  group by {{ "1, 2, 3, 4, 5, 6" if part else "1, 2, 3, 4, 5" }}
)
{%- endmacro %}

{% macro same_series(left, right) -%}
{{ left }}.project_id = {{ right }}.project_id and {{ left }}.grain = {{ right }}.grain and {{ left }}.scope = {{ right }}.scope and {{ left }}.scope_id = {{ right }}.scope_id
{%- endmacro %}

{# `gone`: withdrawn rows of the period of `v`. #}
{% macro join_deletions(table) -%}
left join (
  select project_id, grain, scope, scope_id, date, max(deleted_at) as deleted_at from {{ deletions(table) }} d group by project_id, grain, scope, scope_id, date
) gone
  on {{ same_series("gone", "v") }} and gone.date = v.date
{%- endmacro %}

{# `skipped`: withdrawn rows between the row `v` and the one before it, which has become the one before. #}
{% macro join_skipped(table, part="") -%}
left join (
  select project_id, grain, scope, scope_id, {{ (part ~ ",") if part }} date, max(deleted_at) as deleted_at
  from (
    select d.project_id, d.grain, d.scope, d.scope_id, {{ ("d." ~ part ~ ",") if part }} d.deleted_at, min(c.date) as date
    from {{ deletions(table, part) }} d
    join core.{{ table }} c on {{ same_series("c", "d") }} {{ ("and c." ~ part ~ " = d." ~ part) if part }} and c.date > d.date
    group by d.project_id, d.grain, d.scope, d.scope_id, {{ ("d." ~ part ~ ",") if part }} d.date, d.deleted_at
  ) following
  group by project_id, grain, scope, scope_id, {{ (part ~ ",") if part }} date
) skipped
  on {{ same_series("skipped", "v") }} {{ ("and skipped." ~ part ~ " = v." ~ part) if part }} and skipped.date = v.date
{%- endmacro %}

{# When a run first asked for each period after it was over, if one had asked while it was running. One row per series of one endpoint and period. #}
{% macro first_whole_days(endpoint) -%}
(
  select project_id, coalesce(grain, 'day') as grain, scope, scope_id, date, whole_at
  from meta.asked_days
  where endpoint = '{{ endpoint }}' and window_kind is null and whole_at is not null
)
{%- endmacro %}

{# `step`: the run that first asked for the period of `v` after it was over; it enters main then, and its changes against other periods appear, also if its figures stay. #}
{% macro join_first_whole(endpoint) -%}
left join {{ first_whole_days(endpoint) }} step
  on {{ same_series("step", "v") }} and step.date = {{ asked_date() }}
{%- endmacro %}

{# `renamed`: prompts whose text, type or monitor changed; their counters change every night. `id` is the prompt of a row of `v`. #}
{% macro join_renamed_prompts(id) -%}
left join (
  select {{ from_key("project_id") }} as project_id, {{ from_key("prompt_id") }} as prompt_id, max(changed_at) as changed_at
  from meta.restatements
  where table_name = 'prompts' and (old like '%"prompt":%' or old like '%"type":%' or old like '%"monitor_id":%')
  group by 1, 2
) renamed
  on renamed.project_id = v.project_id and renamed.prompt_id = {{ id }}
{%- endmacro %}

{# When the names of join_scope_names last changed. #}
{% macro join_name_changes() -%}
{{ join_renamed_prompts("case when v.scope = 'prompt' then v.scope_id end") }}
{%- endmacro %}
{% macro names_changed_at() -%}
p._changed_at, m._changed_at, n._changed_at, renamed.changed_at
{%- endmacro %}

{# When it last changed which brands of a project are its own or ignored, and what its domain is. #}
{% macro brand_roles() -%}
(
  select project_id, max(changed_at) as changed_at
  from (
    select project_id, _changed_at as changed_at from core.brands where relation = 'SELF'
    union all
    select {{ from_key("project_id") }}, changed_at
    from meta.restatements
    where table_name = 'brands' and (old like '%"relation":%' or old like '%"domain":%')
  ) roles
  group by project_id
)
{%- endmacro %}

{# When the rows of each window last changed, withdrawn ones included. #}
{% macro window_changes(table) -%}
(
  select project_id, scope, scope_id, window_kind, window_start, max(changed_at) as changed_at
  from (
    select project_id, scope, scope_id, window_kind, window_start, _changed_at as changed_at from core.{{ table }}
    union all
    select
      {% for column in ["project_id", "scope", "scope_id", "window_kind"] %}
      {{ from_key(column) }},
      {% endfor %}
      {{ try_cast(from_key("window_start"), "date") }},
      changed_at
    from meta.restatements
    where table_name = '{{ table }}' and change = 'deleted'
  ) changes
  group by project_id, scope, scope_id, window_kind, window_start
)
{%- endmacro %}

{# `changes` of the window of `v`, or of another start. #}
{% macro join_window_changes(table, alias="changes", start="v.window_start") -%}
left join {{ window_changes(table) }} {{ alias }}
  on {{ alias }}.project_id = v.project_id and {{ alias }}.scope = v.scope and {{ alias }}.scope_id = v.scope_id
  and {{ alias }}.window_kind = v.window_kind and {{ alias }}.window_start = {{ start }}
{%- endmacro %}

{# Key of a row as JSON; the same text in DuckDB and PostgreSQL. #}
{% macro json_key(columns) -%}
'{' || {% for name, value in columns %}'"{{ name }}":' || cast(to_json({{ value }}) as varchar) || {{ "',' || " if not loop.last }}{% endfor %}'}'
{%- endmacro %}
