-- One row per slice in which all known closed figures of a measure have changed by one factor; of several measures, the first by name.
with
changed as ({{changed}}),
-- Half of the last decimal in the answer's figures; of a whole number, half of one.
rounded as (
  select
    *,
    if(is_rounded, 0.5 * pow(10, -max(length(split_part(cast(nullif(o, round(o)) as varchar), '.', 2))) over answer), 0) as o_off,
    0.5 * pow(10, -max(length(split_part(cast(nullif(n, round(n)) as varchar), '.', 2))) over answer) as n_off
  from changed
  window answer as (partition by slice_no, measure)
),
factors as (select unnest([10, 100, 1000, 0.1, 0.01, 0.001]) as factor),
fitting as (
  select slice_no, measure, factor, count(*) as figures
  from rounded, factors
  group by all
  having count(distinct o) >= {{min_figures}}
    and bool_and(coalesce(abs(n - o * factor) <= coalesce(o_off, 0.5) * factor + coalesce(n_off, 0.5) + 1e-9 * abs(n), false))
),
known as (select slice_no, measure, count(*) as figures from ({{known}}) group by all)
select
  slice_no, any_value(measure order by measure) as measure, any_value(factor order by measure) as factor,
  any_value(figures order by measure) as figures
from fitting
join known using (slice_no, measure, figures)
group by 1
