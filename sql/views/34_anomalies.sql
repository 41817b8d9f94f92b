-- One row per project, measure and whole day that is far from what its weekday was.
{% from "typical.sql" import typical_steps %}
{% from "shifts.sql" import shift_steps %}
create view main.anomalies as
with every_day as materialized (
  select * from detail.measure_days
),
{{ typical_steps() }},
{{ shift_steps() }},
-- Shifts of the level are taken off: a day after one is judged against the new level.
levelled as (
  select
    d.project_id,
    d.project_name,
    d.measure,
    d.date,
    d.value,
    d.is_final,
    coalesce(sum(s.change) over (partition by d.project_id, d.measure order by d.date asc rows unbounded preceding), 0) as level
  from every_day d
  left join points s on s.project_id = d.project_id and s.measure = d.measure and s.date = d.date
  where d.is_whole_day
),
expected as (
  select
    project_id,
    project_name,
    measure,
    date,
    value,
    is_final,
    level + median(value - level) over same_weekday as expected_value,
    count(value) over same_weekday as weeks
  from levelled
  window same_weekday as (
    partition by project_id, measure, isodow(date) order by date - date '2000-01-01' asc range between 56 preceding and 7 preceding
  )
),
distances as (
  select
    *,
    1.4826 * median(abs(case when weeks >= 4 then value - expected_value end)) over days_before as robust_deviation,
    count(case when weeks >= 4 then value end) over days_before as days
  from expected
  window days_before as (
    partition by project_id, measure order by date - date '2000-01-01' asc range between 56 preceding and 1 preceding
  )
)
select
  project_id,
  project_name,
  measure,
  date,
  value,
  expected_value,
  (value - expected_value) / nullif(robust_deviation, 0) as deviations,
  is_final
from distances
where weeks >= 6 and days >= 28 and round(abs(value - expected_value), 9) > 3.5 * robust_deviation and robust_deviation > 1e-9;

comment on view main.anomalies is 'Days on which a figure was far from the median of the same weekday in the 8 weeks before: more than 3.5 robust standard deviations; after a shift of the level (main.turning_points) against the new level. One row per project, measure and whole day. A day to look at, not an error. Source: the project series.';
