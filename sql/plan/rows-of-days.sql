-- One row per series of a table: the rows of its closed days of four weeks, in order from `start`, and those to expect of any other day.
with stored as (
  select project_id, scope, scope_id, date, count(*) as rows from {{table}} where date > {{today}} - 28 group by all
),
days as (
  -- Yesterday was last requested while it was running.
  select project_id, scope, scope_id, cast(unnest(generate_series(min(date), {{today}} - 2, interval '1 day')) as date) as date
  from stored group by project_id, scope, scope_id
),
counted as (
  select project_id, scope, scope_id, date, coalesce(rows, 0) as rows from days left join stored using (project_id, scope, scope_id, date)
)
select
  project_id as "projectId", scope, scope_id as "scopeId", min(date) as start, list(rows order by date) as rows,
  -- The newest day may be the first of many like it.
  greatest(avg(rows), max_by(rows, date)) as usual
from counted group by project_id, scope, scope_id
