-- One row per commented column of a view in the catalog $1.
select v.schema_name as schema, v.view_name as view, c.column_name as column, c.comment
from duckdb_views() v
join duckdb_columns() c
  on (c.database_name, c.schema_name, c.table_name) = (v.database_name, v.schema_name, v.view_name)
where v.database_name = $1 and v.schema_name in ('main', 'detail') and not v.internal and c.comment is not null
order by v.schema_name, v.view_name, c.column_index
