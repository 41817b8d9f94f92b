-- One row per project.
select project_id, coalesce(slug, project_id) as slug, coalesce(project_name, project_id) as project_name, last_whole_date
from main.projects
where last_whole_date is not null
order by project_name
