-- One row per project that the file knows, also of those that no list has any more.
select project_id, any_value(project_name) as project_name, any_value(slug) as slug
from (
  select project_id, name as project_name, slug from core.projects
  union all
  select project_id, project_name, null from main.sync_freshness where project_id is not null
)
group by project_id
order by 2, 1
