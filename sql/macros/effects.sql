{# The effects of one kind of span side by side: `effects`, one row per project and first day. #}
{% macro pivot_effects(span, later=[]) -%}
effects as materialized (
  select
    project_id,
    first_date,
    last_date,
    overlap_group_id,
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
    any_value(setup_change_titles) as setup_change_titles,
    coalesce(bool_or(not_judged is null) filter (where days = '1_14'), false) as is_judged,
    any_value(not_judged) filter (where measure = 'visibility' and days = '1_14') as visibility_not_judged,
    min(not_judged) filter (where days = '1_14') as other_not_judged
  from detail.action_effects
  where span = '{{ span }}'
  group by project_id, first_date, last_date, overlap_group_id
),
{%- endmacro %}

{# Why nothing was judged; NULL where a measure was. #}
{% macro not_judged() -%}
case when not coalesce(f.is_judged, false) then coalesce(f.visibility_not_judged, f.other_not_judged, 'too_few_days') end
{%- endmacro %}

{# How far differences of means of the adjusted series stray, from `every_day` (detail.adjusted_days) and `moving` (project_id, date of setup changes that move figures). `scale_rows()` selects from these steps. Each reads the one before it once, and few have windows: DuckDB before 1.4 computes each use of a CTE of a stored view again, and plans for twice as long with each level of windows. #}
{% macro scale_steps() -%}
event_days as (
  select distinct project_id, date from core.events where type = 'action'
  union
  select project_id, date from moving
),
newest as (
  select project_id, max(date) as last_date from detail.project_days where is_whole_day group by project_id
),
days as (
  select
    d.project_id,
    d.project_name,
    d.measure,
    d.date,
    d.adjusted_value * d.weight as numerator,
    case when d.adjusted_value is not null then d.weight end as denominator,
    e.date as event_date,
    n.last_date
  from every_day d
  join newest n on n.project_id = d.project_id and d.date between n.last_date - 436 and n.last_date
  left join event_days e on e.project_id = d.project_id and e.date = d.date
),
{% set share = "greatest(count(denominator) filter (where date > last_date - 56) over series / 56.0, 1.0 / 7)" %}
means as (
  select
    project_id,
    project_name,
    measure,
    date,
    last_date,
    {{ share }} as share,
    coalesce(date > max(event_date) over (in_order rows between unbounded preceding and current row) + 14, true)
      and coalesce(date < min(event_date) over (in_order rows between current row and unbounded following) - 7, true) as is_quiet,
    {% for days, least in [["7", "5"], ["14", "10"], ["28", "20"]] %}
    case
      when count(denominator) over after_{{ days }} >= {{ least }} * {{ share }} - 0.5
        then sum(numerator) over after_{{ days }} / nullif(sum(denominator) over after_{{ days }}, 0)
    end as after_{{ days }},
    {% endfor %}
    {% for days, least in [["7", "5"], ["14", "10"]] %}
    case
      when count(denominator) over before_{{ days }} >= {{ least }} * {{ share }} - 0.5
        then sum(numerator) over before_{{ days }} / nullif(sum(denominator) over before_{{ days }}, 0)
    end as before_{{ days }},
    {% endfor %}
    denominator
  from days
  window
    {% for days in ["7", "14", "28"] %}
    after_{{ days }} as (partition by project_id, measure order by date asc rows between 1 following and {{ days }} following),
    {% endfor %}
    {% for days in ["7", "14"] %}
    before_{{ days }} as (partition by project_id, measure order by date asc rows between {{ days }} preceding and 1 preceding),
    {% endfor %}
    in_order as (partition by project_id, measure order by date asc),
    series as (partition by project_id, measure)
),
shifts as (
  select
    *,
    after_7 - before_7 as change_7,
    after_14 - before_14 as change_14,
    lead(after_14, 14) over series - before_14 as change_15_28,
    lead(after_28, 28) over series - before_14 as change_29_56
  from means
  window series as (partition by project_id, measure order by date asc)
),
limits as (
  select *, 1.96 * 1.4826 * mad(change_7) over series as typical_7
  from shifts
  where date >= last_date - 364
  window series as (partition by project_id, measure)
),
spread as (
  select
    project_id,
    project_name,
    measure,
    last_date,
    any_value(share) as sampled_share,
    any_value(typical_7) as typical_7,
    {% for change in ["14", "15_28", "29_56"] %}
    1.96 * 1.4826 * mad(change_{{ change }}) as typical_{{ change }},
    {% endfor %}
    count(change_7) as days_count,
    count(change_7) filter (where is_quiet) as quiet_days,
    -- The mean of changes, cut where they are no drift: over a stretch of quiet days it is little more than its end less its beginning.
    -- least and greatest skip NULL: without the filter, a day without a change would count as the largest fall.
    avg(least(greatest(change_7, -typical_7), typical_7)) filter (where is_quiet and change_7 is not null) as quiet_change,
    avg(least(greatest(change_7, -typical_7), typical_7)) filter (where change_7 is not null) as any_change
  from limits
  group by project_id, project_name, measure, last_date
),
-- Lasting lifts move the mean of all days, lifts that fade that of the quiet ones: a trend moves both.
trends as (
  select
    *,
    case
      when quiet_days >= 60 and quiet_change * any_change > 0 then sign(quiet_change) * least(abs(quiet_change), abs(any_change))
      else 0
    end as trend,
    -- The natural variation of that mean, for stretches of about 20 days.
    8 * typical_7 / 1.96 / sqrt(20.0 * nullif(quiet_days, 0)) as quiet_error
  from spread
)
{%- endmacro %}
{% macro scale_rows() -%}
select
  project_id,
  project_name,
  measure,
  last_date,
  days_count,
  sampled_share,
  -- 0 where over half of the changes are equal: their variation is unknown.
  {% for change, name in [["7", "7_days"], ["15_28", "15_28"], ["29_56", "29_56"]] %}
  case when days_count >= 60 and typical_7 > 1e-9 then typical_{{ change }} end as typical_change_{{ name }},
  {% endfor %}
  -- A series that wanders or follows a season strays no less with longer means.
  case
    when days_count >= 60 and typical_7 > 1e-9
      then -ln(least(greatest(0.8, typical_14 / typical_7 - 0.15), 2)) / ln(2)
  end as exponent,
  -- The middles of the two weeks lie 8 days apart. What may be chance is taken off.
  coalesce(trend / (1 + power(quiet_error / nullif(trend, 0), 2)) / 8, 0) as drift_per_day
from trends
{%- endmacro %}

{# Every step of the judgment of `spans` (project_id, first_date, last_date) in each of `periods` after them: `judged_<spans>`. Reads `neighbours`, `adjusted` and `scales`. #}
{% macro judge_steps(spans, periods) -%}
{% set sums = [["mean", "value"], ["weekday", "weekday_effect"], ["rivals", "rivals_value"], ["adjusted", "adjusted_value"]] %}
bounded_{{ spans }} as materialized (
  select
    b.project_id,
    b.first_date,
    b.last_date,
    max(n.date) filter (where not n.is_setup and n.date < b.first_date) as previous_date,
    greatest(b.first_date - 14, max(n.date) filter (where n.date < b.first_date) + 1) as before_from,
    min(n.date) filter (where n.date > b.last_date) as next_date,
    coalesce(bool_or(n.is_setup and n.date between b.first_date - 3 and b.last_date + 3), false) as is_setup_changed
  from {{ spans }} b
  left join neighbours n on n.project_id = b.project_id and n.date between b.first_date - 14 and b.last_date + 56
  group by b.project_id, b.first_date, b.last_date
),
-- Each period after it, and each measure.
windows_of_{{ spans }} as (
  select
    w.*,
    m.measure,
    p.days,
    w.last_date + p.first_day as after_from,
    w.last_date + p.last_day as after_end,
    least(w.last_date + p.last_day, coalesce(w.next_date - 1, w.last_date + p.last_day)) as after_to
  from bounded_{{ spans }} w
  cross join (values {{ periods }}) p (days, first_day, last_day)
  cross join (values ('visibility'), ('sentiment'), ('share_of_voice')) m (measure)
),
-- Means of the days before, of those after, of the second half of these, and the level of the six weeks before.
sides_of_{{ spans }} as (
  select
    w.project_id,
    w.first_date,
    w.measure,
    w.days,
    {% for column in ["last_date", "previous_date", "before_from", "is_setup_changed", "after_from", "after_end", "after_to"] %}
    any_value(w.{{ column }}) as {{ column }},
    {% endfor %}
    {% for side, is_inside in [["before", "a.date between w.before_from and w.first_date - 1"], ["after", "a.date >= w.after_from"]] %}
    count(*) filter (where {{ is_inside }}) as {{ side }}_days,
    {% for name, column in sums %}
    sum(a.{{ column }} * a.weight) filter (where {{ is_inside }}) / nullif(sum(a.weight) filter (where {{ is_inside }}), 0) as {{ side }}_{{ name }},
    {% endfor %}
    {% endfor %}
    {% set is_late = "a.date >= w.after_from and a.date - w.after_from >= w.after_to - a.date" %}
    sum(a.adjusted_value * a.weight) filter (where {{ is_late }}) / nullif(sum(a.weight) filter (where {{ is_late }}), 0) as late_adjusted,
    median(a.adjusted_value) filter (where a.date < w.first_date) as level_before
  from windows_of_{{ spans }} w
  left join adjusted a on a.project_id = w.project_id and a.measure = w.measure and a.date between w.first_date - 42 and w.after_to
  group by w.project_id, w.first_date, w.measure, w.days
),
-- Days count in full: of a project that is sampled on some weekdays, each has its share of the week.
placed_{{ spans }} as (
  select
    w.*,
    c.last_date as newest_date,
    c.typical_change_7_days as typical_change,
    case w.days when '1_14' then c.typical_change_7_days when '15_28' then c.typical_change_15_28 else c.typical_change_29_56 end as typical,
    -- What 1/n + 1/n of the two means is whose difference that is.
    case w.days when '1_14' then 2 / 7.0 when '15_28' then 1 / 7.0 else 1 / 14.0 + 1 / 28.0 end as typical_precision,
    c.exponent,
    w.after_adjusted - w.before_adjusted as adjusted_change,
    c.drift_per_day * ((w.after_to - w.first_date + 1 + (w.after_from - w.before_from)) / 2.0) as drift,
    c.drift_per_day * ((w.after_to - w.first_date + (w.after_from - w.first_date)) / 2.0 + 21.5) as level_drift,
    w.before_days / c.sampled_share as before_span,
    w.after_days / c.sampled_share as after_span
  from sides_of_{{ spans }} w
  left join scales c on c.project_id = w.project_id and c.measure = w.measure
),
measured_{{ spans }} as (
  select
    *,
    adjusted_change - drift as effect,
    after_adjusted - level_before - level_drift as lift,
    late_adjusted - level_before - level_drift as late_lift,
    case
      when typical_change is null then 'young_series'
      when is_setup_changed then 'setup_changed'
      when newest_date < after_end then 'not_over'
      when first_date - before_from < 4 or after_to - after_from < 3 then 'neighbour_too_close'
      when before_span < 3.5 or after_span < 3.5 or adjusted_change is null then 'too_few_days'
    end as reason,
    greatest(
      typical * power((1 / nullif(before_span, 0) + 1 / nullif(after_span, 0)) / typical_precision, exponent),
      typical_change * power((1 / nullif(before_span, 0) + 1 / nullif(after_span, 0)) * 3.5, exponent)
    ) as half
  from placed_{{ spans }}
),
-- What moves within 10 days of an action before it may be the change of either: no verdict. What stays as it was is told.
moved_{{ spans }} as (
  select
    *,
    first_date - previous_date <= 10
      and bool_or(reason is null and abs(effect) > half) over (partition by project_id, first_date, days) as is_moved
  from measured_{{ spans }}
),
judged_{{ spans }} as materialized (
  select *, coalesce(reason, case when is_moved then 'in_the_wake' end) as not_judged
  from moved_{{ spans }}
)
{%- endmacro %}
