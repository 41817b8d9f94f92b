-- One row: whether each day or period is a text of its own whose letters do not sort as time does.
with days as (
  select value_1 as text, lag(value_1) over (order by value_0) as before from {{calendar}}
)
select
  any_value(typeof(text)) = 'VARCHAR' and count_if(text < before) > 0
    and count(distinct text) = count_if(text is distinct from before) as is_wrong
from days
