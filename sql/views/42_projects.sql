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
  p.slug,
  p.organization_id,
  o.name as organization_name,
  c.first_date,
  c.last_date,
  c.last_whole_date
from core.projects p
left join core.organizations o on o.organization_id = p.organization_id
left join covered c on c.project_id = p.project_id;

comment on view main.projects is 'Projects (brand workspaces). One row per project. Source: GET v2 auth/validate.';
{{ comments("projects", "project_id, project_name") }}
comment on column main.projects.slug is 'Short name in addresses. Source: GET v2 auth/validate.';
comment on column main.projects.organization_id is 'Organization it belongs to (core.organizations). Source: GET v2 auth/validate.';
comment on column main.projects.organization_name is 'Name of the organization; NULL when unknown. Source: GET v2 auth/validate.';
comment on column main.projects.first_date is 'First day (UTC) that is covered; NULL when none is.';
comment on column main.projects.last_date is 'Last day (UTC) that is covered, perhaps in part; NULL when none is.';
comment on column main.projects.last_whole_date is 'Last day (UTC) that is covered and was over; NULL when none is.';
