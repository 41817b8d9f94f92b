{# What "answered", "whole" and "final" mean. Every view and check takes the meaning from here. #}

{# Answered: the answer of the slice is stored. #}
{% macro is_answered(status) -%}
  {{ status }} in ({{ answered_statuses | quoted }})
{%- endmacro %}

{# Final: an answer that comes so many days after a day, or later, is the last one to ask for it. Needs sync_settings as `s`. #}
{% macro final_after_days() -%}
  greatest(s.lookback_days, 1)
{%- endmacro %}

{# Last day of the period of a series `v`. #}
{% macro period_end() -%}
  {{ period_end_of("v.date", "v.grain") }}
{%- endmacro %}

{# First day of the period in meta.asked_days: a server's weeks may begin on any weekday, ours on Monday. #}
{% macro asked_date() -%}
  case v.grain when 'week' then cast(date_trunc('week', v.date) as date) else v.date end
{%- endmacro %}

{# An answer covers the day `x`: all of its rows could be read. #}
{% macro is_covered() -%}
  coalesce(x.reason, '') not in ('bad_row', 'incomplete')
{%- endmacro %}

{# Whole: the period of `v` that ends on this day was over when it was asked. Needs join_series_state. #}
{% macro is_whole(last_day) -%}
  (coalesce(x.asked_on > {{ last_day }}, false) and {{ is_covered() }})
{%- endmacro %}

{# Final: older than the look-back when it was asked, and nothing is open. Needs join_series_state. #}
{% macro is_final(last_day) -%}
  coalesce(x.asked_on - {{ last_day }} >= {{ final_after_days() }} and coalesce(x.reason, '') not in ('vanishing', 'bad_row', 'incomplete'), false)
{%- endmacro %}

{# Whole for every endpoint in `early`. Needs as `early` days of open_project_days. #}
{% macro is_whole_on_project_day() -%}
  (coalesce(v.date < coalesce(w.sync_day, s.sync_day), true) and not coalesce(early.is_partial, false))
{%- endmacro %}

{# Final for every endpoint in `early`. Needs the same. #}
{% macro is_final_on_project_day() -%}
  (coalesce(s.sync_day - v.date >= {{ final_after_days() }}, false) and not coalesce(early.is_open, false) and {{ is_whole_on_project_day() }})
{%- endmacro %}

{# Whole: the window `v` was over when it was asked, and does not begin before the first figures `f`. Needs join_window_state. #}
{% macro is_whole_window() -%}
  (v.window_kind <> 'month' or v.window_end = last_day(v.window_start))
  and coalesce(x.asked_on > v.window_end, false) and {{ is_covered() }}
  and coalesce(v.window_start >= f.first_date, true)
{%- endmacro %}

{% macro join_project_state() -%}
cross join main.sync_settings s
left join detail.project_sync_days w on w.project_id = v.project_id
{%- endmacro %}

{# `x` is what was asked about the period of `v`. #}
{% macro join_series_state(endpoint) -%}
{{ join_project_state() }}
left join meta.asked_days x
  on x.endpoint = '{{ endpoint }}' and x.window_kind is null and x.project_id = v.project_id and x.scope = v.scope
  and x.scope_id = v.scope_id and x.grain = v.grain and x.date = {{ asked_date() }}
{%- endmacro %}

{# `x` is what was asked about the window of `v`. #}
{% macro join_window_state(endpoint) -%}
{{ join_project_state() }}
left join meta.asked_days x
  on x.endpoint = '{{ endpoint }}' and x.window_kind = v.window_kind and x.project_id = v.project_id and x.scope = v.scope
  and x.scope_id = v.scope_id and x.date = v.window_start
{%- endmacro %}

{#
  Days of projects whose figures are partial, because they were asked before the day was over, or may still change (is_open). One row per project,
  endpoint and day. An endpoint that never had a row, that the key or the server refuses, or that is no longer asked keeps no day open,
  and neither does one without a figure in daily_kpis.
#}
{% macro open_project_days() -%}
(
  with asked as (
    select endpoint, project_id, date, asked_on, state, reason
    from meta.asked_days
    where scope = 'project' and window_kind is null and coalesce(grain, 'day') = 'day'
  ),
  filling as (
    select e.project_id, e.endpoint
    from meta.expected_series e
    where e.scope = 'project' and coalesce(e.grain, 'day') = 'day' and e.endpoint in ({{ daily_kpi_endpoints | quoted }})
      and exists (select 1 from asked a where a.project_id = e.project_id and a.endpoint = e.endpoint and a.state = 'row')
      and not exists (
        select 1 from meta.alarms m
        where m.endpoint = e.endpoint and m.project_id = e.project_id and m.scope = 'project' and m.reason = 'refused' and m.known_since is not null
      )
      and coalesce((
        select max_by(coalesce(z.error_class, ''), z.fetched_at) from meta.slices z
        where z.endpoint = e.endpoint and z.project_id = e.project_id and z.scope = 'project'
      ), '') <> 'auth'
  ),
  days as (
    select distinct project_id, date from asked
  )
  select
    d.project_id,
    f.endpoint,
    d.date,
    x.date is not null and not {{ is_whole('x.date') }} as is_partial,
    true as is_open
  from days d
  cross join main.sync_settings s
  join filling f on f.project_id = d.project_id
  left join asked x on x.project_id = d.project_id and x.endpoint = f.endpoint and x.date = d.date
  where not coalesce(x.asked_on - x.date >= {{ final_after_days() }} and coalesce(x.reason, '') not in ('vanishing', 'bad_row', 'incomplete'), false)
  union all
  select x.project_id, x.endpoint, x.date, true, false
  from asked x
  where not {{ is_whole('x.date') }} and not exists (select 1 from filling f where f.project_id = x.project_id and f.endpoint = x.endpoint)
)
{%- endmacro %}
