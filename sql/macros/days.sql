{# What "answered", "covered", "whole" and "final" mean. Every view and check takes the meaning from here. #}

{# Answered: the answer of the slice is stored. #}
{% macro is_answered(status) -%}
  {{ status }} in ({{ answered_statuses | quoted }})
{%- endmacro %}

{# Covered: an answered slice covers the days from window_start up to this one. #}
{% macro covered_end(slice) -%}
  coalesce({{ slice }}.covered_end, {{ slice }}.window_end)
{%- endmacro %}

{# Final: an answer that comes so many days after a day, or later, is the last one to ask for it. Needs sync_settings as `s`. #}
{% macro final_after_days() -%}
  greatest(s.lookback_days, 1)
{%- endmacro %}

{# The same for the answer of a slice: where its days are cut in another zone than UTC, the day before the sync may not be over either. #}
{% macro final_after_days_of(slice) -%}
  greatest(s.lookback_days, case when coalesce({{ slice }}.timezone, 'UTC') = 'UTC' then 1 else 2 end)
{%- endmacro %}

{# Last day of the period of a series `v`. #}
{% macro period_end() -%}
  {{ period_end_of("v.date", "v.grain") }}
{%- endmacro %}

{# First day that was not over when the answered slices `z` asked for it, or that none of them asked for. If all failed, their first day. #}
{% macro first_partial_day() -%}
  coalesce(
    max(least(z.sync_day, {{ covered_end("z") }} + 1)) filter (where {{ is_answered("z.status") }}),
    min(z.window_start)
  )
{%- endmacro %}

{# Whole: the period of `v` that ends on this day was over when it was asked. Needs join_series_state. #}
{% macro is_whole(last_day) -%}
  (coalesce({{ last_day }} < coalesce(x.sync_day, w.sync_day, s.sync_day), true) and not coalesce(early.is_partial, false))
{%- endmacro %}

{# Final: whole, and older than the look-back when it was asked. Needs join_series_state. #}
{% macro is_final(last_day) -%}
  (coalesce(s.sync_day - {{ last_day }} >= {{ final_after_days() }}, false) and early.date is null and {{ is_whole(last_day) }})
{%- endmacro %}

{# Whole for every endpoint in `early`. Needs join_project_state, and as `early` days of open_project_days. #}
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
  and coalesce(v.window_end < coalesce(x.sync_day, w.sync_day, s.sync_day), true)
  and coalesce(v.window_start >= f.first_date, true)
{%- endmacro %}

{% macro join_project_state() -%}
cross join main.sync_settings s
left join detail.project_sync_days w on w.project_id = v.project_id
{%- endmacro %}

{# `x` is the series of `v` in the ledger, `w` its project (for a series that the ledger lacks), `early` the periods that were asked too early. #}
{% macro join_series_state(endpoint) -%}
{{ join_project_state() }}
left join (
  select z.project_id, z.scope, z.scope_id, z.grain, {{ first_partial_day() }} as sync_day
  from meta.slices z
  where z.endpoint = '{{ endpoint }}' and z.window_kind is null
  group by z.project_id, z.scope, z.scope_id, z.grain
) x
  on x.project_id = v.project_id and x.scope = v.scope and x.scope_id = v.scope_id and x.grain = v.grain
left join {{ open_periods("project_id, scope, scope_id, grain", "z.endpoint = '" ~ endpoint ~ "'") }} early
  on early.project_id = v.project_id and early.scope = v.scope and early.scope_id = v.scope_id and early.grain = v.grain
  and early.date = {{ period_end() }}
{%- endmacro %}

{# `x` is the window of `v` in the ledger. If its newest answer failed, the day of the one before is lost: the window counts as partial. #}
{% macro join_window_state(endpoint) -%}
{{ join_project_state() }}
left join (
  select z.project_id, z.scope, z.scope_id, z.window_kind, z.window_start, max(case when {{ is_answered("z.status") }} then z.sync_day else z.window_start end) as sync_day
  from meta.slices z
  where z.endpoint = '{{ endpoint }}' and z.window_kind is not null
  group by z.project_id, z.scope, z.scope_id, z.window_kind, z.window_start
) x
  on x.project_id = v.project_id and x.scope = v.scope and x.scope_id = v.scope_id
  and x.window_kind = v.window_kind and x.window_start = v.window_start
{%- endmacro %}

{% set day_one = "date '0001-01-01'" %}

{#
  Periods for which every answer came too early: before they were over (is_partial), or before they were older than the look-back.
  One row per series (`keys` of the slices `z` that meet `condition`) and last day of the period. A newer answer about other periods makes them neither whole nor final.
  The ledger has a row for each series and night, a million in a year of 80 projects: a number holds the bits of 60 days, and nothing is sorted.
#}
{% macro open_periods(keys, condition) -%}
(
  with asked as (
    select
      z.endpoint,
      z.project_id,
      z.scope,
      z.scope_id,
      coalesce(z.grain, 'day') as grain,
      {{ is_answered("z.status") }} as is_answered,
      z.window_start - {{ day_one }} as first_day,
      case z.grain
        when 'week' then cast(date_trunc('week', {{ covered_end("z") }}) as date) + 6
        when 'month' then cast(date_trunc('month', {{ covered_end("z") }}) + interval '1 month' - interval '1 day' as date)
        else {{ covered_end("z") }}
      end - {{ day_one }} as last_day,
      -- In a zone behind UTC, the day before the sync may still run.
      least(
        z.sync_day - 1 - case when coalesce(z.timezone, 'UTC') = 'UTC' then 0 else s.timezone_lag_days end, {{ covered_end("z") }}
      ) - {{ day_one }} as over_day,
      least(z.sync_day - {{ final_after_days_of("z") }}, {{ covered_end("z") }}) - {{ day_one }} as final_day
    from meta.slices z
    cross join main.sync_settings s
    where z.window_kind is null and z.window_start is not null and {{ condition }}
  ),
  blocks as (
    select
      {{ keys }},
      is_answered,
      first_day,
      last_day,
      over_day,
      final_day,
      unnest(range(first_day - first_day % 60, last_day + 1, 60)) as block
    from asked
  ),
  -- Bits of the days before the first one, and of those up to each end.
  bits as (
    select
      {{ keys }},
      is_answered,
      {% for bits, days in [
        ["before_days", "first_day"],
        ["asked_days", "last_day + 1"],
        ["over_days", "over_day + 1"],
        ["final_days", "final_day + 1"]
      ] %}
      (cast(1 as bigint) << greatest(least({{ days }} - block, 60), 0)) - 1 as {{ bits }},
      {% endfor %}
      block
    from blocks
  ),
  told as (
    select
      {{ keys }},
      block,
      coalesce(bit_or(asked_days & ~before_days) filter (where is_answered), 0) as answered,
      coalesce(bit_or(over_days & ~before_days) filter (where is_answered), 0) as whole,
      coalesce(bit_or(final_days & ~before_days) filter (where is_answered), 0) as settled,
      coalesce(bit_or(asked_days & ~before_days & ~over_days) filter (where not is_answered), 0) as failed_partial,
      coalesce(bit_or(asked_days & ~before_days & ~final_days) filter (where not is_answered), 0) as failed_old
    from bits
    group by {{ keys }}, block
  ),
  early as (
    select
      {{ keys }},
      block,
      answered & ~whole as partial_answered,
      (answered | failed_partial) & ~whole as partial,
      answered & ~settled & old_days as old_answered,
      (answered | failed_old) & ~settled & old_days as old
    from (
      select
        told.*,
        (cast(1 as bigint) << greatest(least(s.sync_day - {{ final_after_days() }} - {{ day_one }} + 1 - block, 60), 0)) - 1 as old_days
      from told
      cross join main.sync_settings s
    ) told
  )
  select
    {{ keys }},
    {{ day_one }} + cast(block + bit as integer) as date,
    (partial >> bit) & 1 = 1 as is_partial,
    ((partial_answered | old_answered) >> bit) & 1 = 1 as is_answered,
    (partial_answered >> bit) & 1 = 1 as is_partial_answer
  from early
  cross join (select unnest(range(0, 60, 1)) as bit) bits
  where ((partial | old) >> bit) & 1 = 1
)
{%- endmacro %}

{#
  The same for the days of whole projects. One row per project, endpoint and day; `is_open` where a figure of the day may still change.
  Days that a configured endpoint fails to answer stay open, unless it was never enabled, refuses the key or is no longer asked.
  Endpoints without a figure in daily_kpis keep no day open.
#}
{% macro open_project_days() -%}
(
  with filling as (
    select distinct project_id, endpoint
    from meta.expected_series
    where scope = 'project' and coalesce(grain, 'day') = 'day'
      and endpoint in ({{ daily_kpi_endpoints | quoted }})
  ),
  told as (
    select o.project_id, o.endpoint, o.told_end, s.sync_day - {{ final_after_days() }} as last_date
    from (
      select
        a.project_id,
        a.endpoint,
        max(least(a.sync_day - {{ final_after_days_of("a") }}, {{ covered_end("a") }}))
          filter (where {{ is_answered("a.status") }}) as told_end
      from meta.slices a
      cross join main.sync_settings s
      where coalesce(a.grain, 'day') = 'day' and a.scope = 'project' and a.window_kind is null
      group by a.project_id, a.endpoint
      having bool_or({{ is_answered("a.status") }} and a.status <> 'not_enabled')
        and {{ max_by("coalesce(a.error_class, '')", "a.fetched_at") }} <> 'auth'
    ) o
    join filling f on f.project_id = o.project_id and f.endpoint = o.endpoint
    cross join main.sync_settings s
  )
  select e.project_id, e.endpoint, e.date, e.is_partial_answer as is_partial, t.endpoint is not null as is_open
  from {{ open_periods("project_id, endpoint", "z.scope = 'project' and coalesce(z.grain, 'day') = 'day'") }} e
  left join told t on t.project_id = e.project_id and t.endpoint = e.endpoint
  where e.is_answered
  union all
  select project_id, endpoint, cast(unnest(generate_series(told_end + 1, last_date, interval '1 day')) as date), false, true
  from told
)
{%- endmacro %}
