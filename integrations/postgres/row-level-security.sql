-- Readers of the PostgreSQL target see only the projects of their organizations. Run it once as the owner of the schemas, after a publish: each
-- later publish gives new tables their policy before they have rows. A table that has neither project nor organization is closed to readers.
-- The owner, who publishes, sees and writes every row.
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

select meta.target_policies();

grant usage on schema main, detail, own, core, meta, access to answerlake_reader;
grant select on all tables in schema main, detail, own, core, meta, access to answerlake_reader;
alter default privileges in schema main, detail, own, core, meta grant select on tables to answerlake_reader;

commit;
