-- One row per table that this warehouse and `published` both have, with the columns of both: the published file may be older than this program.
select schema_name as schema, table_name as "table", list(column_name order by column_index) as columns
from duckdb_columns() own
where database_name = current_database() and schema_name in ('core', 'own', 'meta')
  and exists (
    from duckdb_columns() c
    where c.database_name = 'published' and c.schema_name = own.schema_name and c.table_name = own.table_name
      and c.column_name = own.column_name
  )
group by all
order by all
