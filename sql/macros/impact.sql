{% from "typical.sql" import typical_steps %}
{# The three measures of the 14 days before and after each of `spans` (project_id, first_date, last_date). Materialized, or PostgreSQL computes them again for each span. #}
{% macro measure_sides() -%}
every_day as materialized (
  select * from detail.measure_days where measure in ('visibility', 'sentiment', 'share_of_voice')
),
{{ typical_steps() }},
means as (
  select
    b.project_id,
    b.first_date,
    b.last_date,
    m.measure,
    {% for side, day in [
      ["before", "m.date < b.first_date"],
      ["after", "m.date > b.last_date"]
    ] %}
    sum(m.numerator) filter (where {{ day }} and m.is_whole_day)
      / nullif(sum(m.denominator) filter (where {{ day }} and m.is_whole_day), 0) as mean_{{ side }},
    count(m.numerator) filter (where {{ day }} and m.is_whole_day) as days_{{ side }},
    {% endfor %}
    bool_and(m.is_final) as is_final
  from spans b
  join newest c on c.project_id = b.project_id
  join every_day m
    on m.project_id = b.project_id and m.date between b.first_date - 14 and least(b.last_date + 14, c.last_date)
  group by b.project_id, b.first_date, b.last_date, m.measure
),
sides as (
  select
    m.project_id,
    m.first_date,
    m.last_date,
    {% for measure in ["visibility", "sentiment", "share_of_voice"] %}
    any_value(m.mean_before) filter (where m.measure = '{{ measure }}') as {{ measure }}_before,
    any_value(m.mean_after) filter (where m.measure = '{{ measure }}') as {{ measure }}_after,
    coalesce(any_value(m.days_before) filter (where m.measure = '{{ measure }}'), 0) as {{ measure }}_days_before,
    coalesce(any_value(m.days_after) filter (where m.measure = '{{ measure }}'), 0) as {{ measure }}_days_after,
    any_value(t.typical_change_14_days) filter (where m.measure = '{{ measure }}') as {{ measure }}_typical,
    {% endfor %}
    bool_and(m.is_final) as is_final
  from means m
  join typical t on t.project_id = m.project_id and t.measure = m.measure
  group by m.project_id, m.first_date, m.last_date
),
{%- endmacro %}
