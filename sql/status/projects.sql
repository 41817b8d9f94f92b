-- One row per project that the file knows, also of those that no list has any more.
select k.project_id, any_value(k.project_name) as project_name, any_value(k.slug) as slug, coalesce(any_value(l.is_listed), false) as is_listed
from (
  select project_id, name as project_name, slug from core.projects
  union all
  select project_id, project_name, null from main.sync_freshness where project_id is not null
) k
left join detail.project_labels l using (project_id)
group by k.project_id
order by 2, 1
