-- One row per project that runs before this one were asked for.
select e.project_id as id, any_value(p.name) as name, any_value(p.slug) as slug
from meta.expected_series e
left join core.projects p using (project_id)
group by e.project_id
order by 1
