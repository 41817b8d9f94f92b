-- What a target remembers of itself: nothing here is in the published file.
create table if not exists meta.target_settings (name text primary key, value text);
create table if not exists meta.target_parts (
  table_name text collate "C" not null,
  part text collate "C",
  digest text not null
);
alter table meta.target_parts replica identity full;
comment on table meta.target_settings is 'What answerlake keeps about this database: that it made it, and which published file it holds. Not in the published file.';
comment on table meta.target_parts is 'Parts (days, windows, runs, projects) of the tables here, each with a digest by the last two characters of project ids: what differs from the published file is written again. Not in the published file.';

-- Where the schema `access` is there, each table shows a reader the rows of its projects and organizations alone; one that has neither is closed,
-- except lists without an owner. Only tables that lack this are changed: each change waits for readers of the table.
create or replace function meta.target_policies() returns void
language plpgsql
as $$
declare
  relation record;
begin
  if to_regnamespace('access') is null then return; end if;
  for relation in
    select *
    from (
      select
        c.oid::regclass as name,
        c.relrowsecurity as is_secured,
        exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'own_organizations') as has_policy,
        case
          when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped)
            then 'organization_id in (select r.organization_id from access.readers r)'
          when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped)
            then 'project_id in (select p.project_id from core.projects p)'
          when c.relname in ('calendar', 'models', 'ai_vendors', 'sync_settings') then 'true'
        end as condition
      from pg_class c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('core', 'own', 'meta', 'detail', 'main')
        and pg_has_role(c.relowner, 'usage')
    ) t
    where not is_secured or has_policy <> (condition is not null)
  loop
    execute format('alter table %s enable row level security', relation.name);
    execute format('drop policy if exists own_organizations on %s', relation.name);
    if relation.condition is not null then
      execute format('create policy own_organizations on %s for select using (%s)', relation.name, relation.condition);
    end if;
  end loop;
end
$$;
