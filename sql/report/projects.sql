-- One row per project that has days or was asked for: its name and the first and last day of its figures.
with known as (
  select project_id, project_name, date from main.project_days
  union all
  select project_id, project_name, null from main.sync_freshness where project_id is not null
)
select
  project_id,
  max(project_name) as project_name,
  min(date) as first_date,
  max(date) as last_date
from known
group by project_id
order by lower(max(project_name)) nulls last, project_id;
