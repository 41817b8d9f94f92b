-- One row per table or view of the catalog $1, tables first: its comment, and its columns in order.
select
  r.schema,
  r.name,
  r.isView,
  r.comment,
  list(
    {'name': c.column_name, 'type': c.data_type, 'isNullable': c.is_nullable, 'comment': c.comment} order by c.column_index
  ) as columns
from (
  select database_name, schema_name as schema, table_name as name, false as isView, comment, internal, temporary from duckdb_tables()
  union all
  select database_name, schema_name, view_name, true, comment, internal, temporary from duckdb_views()
) r
join duckdb_columns() c on (c.database_name, c.schema_name, c.table_name) = (r.database_name, r.schema, r.name)
where r.database_name = $1 and not r.internal and not r.temporary
group by all
order by r.isView, r.schema, r.name
