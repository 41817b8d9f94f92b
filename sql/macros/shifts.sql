{# Days on which the level of a measure shifted: `points`, from `every_day` (rows of detail.measure_days) and `typical`. #}
{% macro shift_steps() -%}
covered as (
  select project_id, min(date) as first_date, max(date) filter (where is_whole_day) as last_date
  from every_day
  group by project_id
),
-- A day that is not whole keeps its place: windows of rows stay windows of days.
whole as (
  select
    project_id,
    project_name,
    measure,
    date,
    case when is_whole_day then numerator end as numerator,
    case when is_whole_day then denominator end as denominator,
    is_whole_day
  from every_day
),
level_means as (
  select
    project_id,
    project_name,
    measure,
    {% for window in ["before_14", "from_14"] %}
    case
      when count(numerator) over {{ window }} >= 10
        then sum(numerator) over {{ window }} / nullif(sum(denominator) over {{ window }}, 0)
    end as mean_{{ window }},
    {% endfor %}
    date,
    is_whole_day
  from whole
  window
    before_14 as (partition by project_id, measure order by date asc rows between 14 preceding and 1 preceding),
    from_14 as (partition by project_id, measure order by date asc rows between current row and 13 following)
),
level_changes as (
  select
    m.project_id,
    m.project_name,
    m.measure,
    m.date,
    m.mean_before_14 as value_before,
    m.mean_from_14 as value_after,
    m.mean_from_14 - m.mean_before_14 as change,
    round(abs(m.mean_from_14 - m.mean_before_14 - t.drift_from_14_days), 9) as distance,
    t.typical_change_14_days as typical_change,
    t.drift_from_14_days as drift
  from level_means m
  join covered c on c.project_id = m.project_id and m.date between c.first_date + 14 and c.last_date - 14
  join typical t on t.project_id = m.project_id and t.measure = m.measure
  where m.is_whole_day
),
-- What is higher than a day that is far enough is far enough itself: only such days are compared.
ranked as (
  select
    *,
    max(distance) over around as highest,
    max(distance) over earlier as highest_earlier
  from level_changes
  where distance > 1.35 * typical_change
  window
    around as (
      partition by project_id, measure order by date - date '2000-01-01' asc range between 14 preceding and 14 following
    ),
    earlier as (
      partition by project_id, measure order by date - date '2000-01-01' asc range between 14 preceding and 1 preceding
    )
),
points as (
  select *
  from ranked
  where distance = highest and coalesce(highest_earlier < distance, true)
)
{%- endmacro %}
