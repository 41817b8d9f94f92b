{# Judges visibility, sentiment and share of voice around each of `spans` (project_id, first_date, last_date): windows of 14 days that end where a neighbouring event begins, on the adjusted series. Materialized, or PostgreSQL computes them again for each span. #}
{% macro judge_effects(later=[]) -%}
adjusted as materialized (
  select project_id, measure, date, adjusted_value * weight as numerator, weight, adjusted_value
  from detail.adjusted_days
  where adjusted_value is not null
),
scales as materialized (
  select * from detail.effect_scales
),
windows as materialized (
  select
    b.project_id,
    b.first_date,
    b.last_date,
    greatest(b.first_date - 14, max(e.date) filter (where e.date < b.first_date) + 1) as from_date,
    least(b.last_date + 14, min(e.date) filter (where e.date > b.last_date) - 1) as to_date,
    coalesce(min(e.date) filter (where e.date > b.last_date) - 1, b.last_date + 56) as quiet_until
  from spans b
  left join (select distinct project_id, date from core.events) e
    on e.project_id = b.project_id and e.date between b.first_date - 14 and b.last_date + 56
  group by b.project_id, b.first_date, b.last_date
),
effect_sides as (
  select
    w.project_id,
    w.first_date,
    w.last_date,
    a.measure,
    {% for side, is_inside in [
      ["before", "a.date between w.from_date and w.first_date - 1"],
      ["after", "a.date between w.last_date + 1 and w.to_date"]
    ] %}
    count(*) filter (where {{ is_inside }}) as {{ side }}_days,
    sum(a.numerator) filter (where {{ is_inside }}) / nullif(sum(a.weight) filter (where {{ is_inside }}), 0) as {{ side }}_mean,
    {% endfor %}
    {% for first, last in later %}
    case
      when count(*) filter (where a.date between w.last_date + {{ first }} and least(w.last_date + {{ last }}, w.quiet_until)) >= 4
        then sum(a.numerator) filter (where a.date between w.last_date + {{ first }} and least(w.last_date + {{ last }}, w.quiet_until))
          / nullif(sum(a.weight) filter (where a.date between w.last_date + {{ first }} and least(w.last_date + {{ last }}, w.quiet_until)), 0)
    end as mean_{{ first }}_{{ last }},
    {% endfor %}
    median(a.adjusted_value) filter (where a.date < w.first_date) as level_before
  from windows w
  join adjusted a
    on a.project_id = w.project_id and a.date between w.first_date - 42 and w.last_date + {{ (later | last)[1] if later.length else 14 }}
  group by w.project_id, w.first_date, w.last_date, a.measure
),
-- Days count in full: of a project that is sampled on some weekdays, each stands for its share of the week.
measured as (
  select
    s.*,
    w.from_date,
    w.to_date,
    s.before_days / c.sampled_share as before_span,
    s.after_days / c.sampled_share as after_span,
    s.after_mean - s.before_mean
      - c.drift_per_day * (((w.first_date - w.from_date) + (w.to_date - w.last_date)) / 2.0 + (w.last_date - w.first_date) + 1) as effect,
    s.after_mean - s.level_before
      - c.drift_per_day * (21 + (w.to_date - w.last_date) / 2.0 + (w.last_date - w.first_date) + 1) as lift,
    c.typical_change_7_days as typical,
    c.exponent,
    c.drift_per_day,
    c.last_date as newest_date
  from effect_sides s
  join windows w on w.project_id = s.project_id and w.first_date = s.first_date and w.last_date = s.last_date
  join scales c on c.project_id = s.project_id and c.measure = s.measure
),
judged as (
  select
    *,
    case
      when typical is null then 'young_series'
      when last_date + 14 > newest_date then 'not_over'
      when first_date - from_date < 4 or to_date - last_date < 4 then 'neighbour_too_close'
      when before_span < 3.5 or after_span < 3.5 or effect is null then 'too_few_days'
    end as not_judged,
    typical * power((1 / before_span + 1 / after_span) * 3.5, exponent) as half
  from measured
  where before_span > 0 and after_span > 0
),
effects as (
  select
    project_id,
    first_date,
    last_date,
    {% for measure in ["visibility", "sentiment", "share_of_voice"] %}
    any_value(case when not_judged is null then effect end) filter (where measure = '{{ measure }}') as {{ measure }}_effect,
    any_value(case when not_judged is null then effect - half end) filter (where measure = '{{ measure }}') as {{ measure }}_effect_low,
    any_value(case when not_judged is null then effect + half end) filter (where measure = '{{ measure }}') as {{ measure }}_effect_high,
    -- The level after must also differ from that of the six weeks before: the end of a dip is no success.
    bool_or(case when not_judged is null then abs(effect) > half and lift * sign(effect) > 0.9 * half end)
      filter (where measure = '{{ measure }}') as {{ measure }}_is_clear,
    {% for first, last in later %}
    any_value(case when not_judged is null then mean_{{ first }}_{{ last }} - before_mean - drift_per_day * ((first_date - from_date) / 2.0 + ({{ first }} + {{ last }}) / 2.0 + (last_date - first_date)) end)
      filter (where measure = '{{ measure }}') as {{ measure }}_effect_{{ first }}_{{ last }},
    {% endfor %}
    {% endfor %}
    coalesce(bool_or(not_judged is null), false) as is_judged,
    any_value(not_judged) filter (where measure = 'visibility') as not_judged
  from judged
  group by project_id, first_date, last_date
),
{%- endmacro %}
