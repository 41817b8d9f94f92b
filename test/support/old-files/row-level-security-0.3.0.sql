-- Readers of the PostgreSQL target see only the projects of their organizations. Run it as the owner of the schemas, and again
-- after each upgrade of answerlake: a table that an upgrade creates again has no policy and no grant, so readers get nothing from it.
-- Therefore use it without "alter default privileges". The owner, who publishes, sees and writes every row.
--
-- Afterwards give each role its organizations (the ids are in core.projects):
--   create role acme_bi login password '…';
--   grant answerlake_reader to acme_bi;
--   insert into access.readers values ('acme_bi', 'organization-id');
begin;

do $$ begin
  if not exists (select from pg_roles where rolname = 'answerlake_reader') then create role answerlake_reader; end if;
end $$;

create schema if not exists access;
create table if not exists access.readers (role name not null, organization_id text not null, primary key (role, organization_id));
alter table access.readers enable row level security;
drop policy if exists own_rows on access.readers;
create policy own_rows on access.readers for select using (pg_has_role(current_user, role, 'member'));

do $$
declare
  relation record;
begin
  for relation in
    select c.oid::regclass as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped) as has_organization,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped) as has_project
    from pg_class c
    where c.relkind = 'r' and c.relnamespace in ('core'::regnamespace, 'meta'::regnamespace)
  loop
    execute format('alter table %s enable row level security', relation.name);
    execute format('drop policy if exists own_organizations on %s', relation.name);
    if relation.has_organization then
      execute format('create policy own_organizations on %s for select using (organization_id in (select r.organization_id from access.readers r))', relation.name);
    elsif relation.has_project then
      execute format('create policy own_organizations on %s for select using (project_id in (select p.project_id from core.projects p))', relation.name);
    elsif relation.name in ('core.models'::regclass, 'meta.settings'::regclass) then
      -- The list of models and the settings of the views belong to no organization. Other tables without a project stay closed.
      execute format('create policy own_organizations on %s for select using (true)', relation.name);
    end if;
  end loop;
end $$;

grant usage on schema main, detail, core, meta, access to answerlake_reader;
grant select on all tables in schema main, detail, core, meta, access to answerlake_reader;

commit;
