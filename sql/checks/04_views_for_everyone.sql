-- One row per thing in `main` or `detail` that many BI tools cannot read: a table, or a column of another type.
select
  schema_name || '.' || table_name as place,
  column_name || ' ' || data_type as offender
from duckdb_columns()
where database_name = current_database()
  and schema_name in ('main', 'detail')
  and not internal
  and data_type not in ('VARCHAR', 'BIGINT', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP')
union all
select schema_name || '.' || table_name, 'is a table'
from duckdb_tables()
where database_name = current_database() and schema_name in ('main', 'detail') and not internal;
