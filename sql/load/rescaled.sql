-- One row per slice and measure of which all changed figures have changed by one factor, the first measure last.
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
factors as (select unnest([10, 100, 1000, 0.1, 0.01, 0.001]) as factor)
select slice_no, measure, factor, count(*) as figures
from rounded, factors
group by all
having count(distinct o) >= {{min_figures}}
  and bool_and(coalesce(abs(n - o * factor) <= coalesce(o_off, 0.5) * factor + coalesce(n_off, 0.5) + 1e-9 * abs(n), false))
order by measure desc
