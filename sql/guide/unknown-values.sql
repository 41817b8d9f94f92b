-- One row: of some values, those that a column never has, and the first ones that it has.
with known as materialized (
  select distinct cast({{column}} as varchar) as value
  from {{view}}
  where {{column}} is not null
)
select
  coalesce((select list(w.value) from (select unnest([{{values}}]) as value) w where not exists (select 1 from known k where k.value {{compared}} w.value)), []) as unknown,
  coalesce((select list(k.value order by k.value) from (from known order by value limit {{most}}) k), []) as known
