-- One row per view of `main` and `detail`, table of `core`, and view and table of `own`, with its columns in order; views come first. Tables that a view shares its name with keep their schema in the title.
with relations as (
  select distinct schema_name, table_name
  from duckdb_columns()
  where database_name = current_database() and schema_name in ('main', 'detail', 'core', 'own') and not internal
)
select
  schema_name as schema,
  table_name as name,
  case
    when schema_name = 'main' or not exists (
      from relations r where r.schema_name <> c.schema_name and r.table_name = c.table_name
    ) then table_name
    else schema_name || '.' || table_name
  end as title,
  list({ 'name': column_name, 'type': data_type } order by column_index) as columns
from duckdb_columns() c
where database_name = current_database() and schema_name in ('main', 'detail', 'core', 'own') and not internal
group by all
order by schema_name desc, table_name
