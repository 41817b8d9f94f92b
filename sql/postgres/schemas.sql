-- One row per schema of $1 that exists: whether it holds something, and whether answerlake made the database.
select
  nspname as name,
  exists (select from pg_catalog.pg_class where relnamespace = n.oid) as is_used,
  to_regclass('meta.target_settings') is not null as is_ours
from pg_catalog.pg_namespace n
where nspname = any($1)
