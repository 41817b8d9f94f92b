-- One row per table in the schemas $1: its columns with their types, as text.
select
  n.nspname || '.' || c.relname as name,
  string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) as shape
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where n.nspname = any($1) and c.relkind = 'r'
group by n.nspname, c.relname
