-- One row per period that the days from {{start}} to {{end}} cut, and per period that begins in them again under the same name;
-- and one where what comes again each week or month, such as a weekday, has more days than another.
with days as materialized (
  select cast(value_0 as date) as date, {{period}} as period, {{asked}} as is_asked from {{calendar}}
),
begun as (
  select *, period is distinct from lag(period) over (order by date) as begins from days
),
numbered as (
  select *, sum(case when begins then 1 else 0 end) over (order by date) as run from begun
),
parts as (
  select count_if(is_asked and date between {{start}} and {{end}}) as days, count(distinct run) as runs, count(*) as all_days
  from numbered
  group by period
),
-- Weekdays and single days, which recur, are not periods; nor is a group that never ends.
runs as (
  select any_value(period) as period, min(date) as first, max(date) as last, count(*) as days
  from (select *, count(*) over (partition by period) as all_days from numbered)
  group by run
  having (count(*) between 6 and 366 or (count(*) > 1 and count(*) = min(all_days))) and count(*) <= 366 and count_if(is_asked and date between {{start}} and {{end}}) > 0
)
select cast(first as varchar) as first, cast(last as varchar) as last, cast(null as varchar) as again, cast(null as integer) as least, cast(null as integer) as most
from runs
where (first < {{start}} and last >= {{start}}) or (first <= {{end}} and last > {{end}})
union all
select cast(min(first) as varchar), cast(min(last) as varchar), cast(max(first) as varchar), null, null
from runs
where days >= 7
group by period
having count(*) > 1
union all
select {{start}}, {{end}}, null, min(days), max(days)
from parts
where days > 0
-- One day in 20 is what two whole years differ by at most.
having count(*) > 1 and bool_and(runs > 1 and all_days < 6 * runs) and max(days) > 1.05 * min(days)
order by first
