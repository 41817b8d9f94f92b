-- One row, its first day, where the period of the day {{end}} also has the day after it.
with days as materialized (
  select cast(value_0 as date) as date, {{period}} as period, {{asked}} as is_asked from {{calendar}}
)
select cast(min(d.date) as varchar) as first
from days d
join days e on e.date = {{end}} and e.is_asked and e.period = d.period
join days n on n.date = e.date + 1 and n.period = e.period
where d.date <= e.date
-- Values that come again, as those of a weekday, are no periods.
having count(*) = {{end}} - min(d.date) + 1
