-- One row per project: what it is called beside others of its name.
create view detail.project_labels as
select
  p.project_id,
  case
    when coalesce(p.name, '') = '' then p.project_id
    when count(*) over (partition by lower(p.name)) = 1 then p.name
    when coalesce(p.slug, '') = '' or count(*) over (partition by lower(p.name), lower(p.slug)) > 1 then p.name || ' (' || p.project_id || ')'
    else p.name || ' (' || p.slug || ')'
  end as project_label,
  not exists (select 1 from meta.settings s where s.name like 'listed:%')
    or exists (select 1 from meta.settings s where s.name = 'listed:' || p.project_id) as is_listed
from core.projects p;

comment on view detail.project_labels is 'What people call a project, and whether it is still there. One row per project. Source: GET v2 auth/validate.';

-- One row per project.
create view main.projects as
with covered as (
  select
    project_id,
    min(date) as first_date,
    max(date) as last_date,
    max(date) filter (where is_whole_day) as last_whole_date
  from detail.project_days
  group by project_id
)
select
  p.project_id,
  p.name as project_name,
  l.project_label,
  l.is_listed,
  p.slug,
  p.organization_id,
  o.name as organization_name,
  c.first_date,
  c.last_date,
  c.last_whole_date
from core.projects p
join detail.project_labels l on l.project_id = p.project_id
left join core.organizations o on o.organization_id = p.organization_id
left join covered c on c.project_id = p.project_id;

comment on view main.projects is 'Projects (brand workspaces). One row per project. Source: GET v2 auth/validate.';
