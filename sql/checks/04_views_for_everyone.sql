-- One row per thing in `main` that many BI tools cannot read: a table, or a column of another type.
select
  'main.' || table_name as place,
  column_name || ' ' || data_type as offender
from duckdb_columns()
where database_name = current_database()
  and schema_name = 'main'
  and not internal
  and data_type not in ('VARCHAR', 'BIGINT', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP')
union all
select 'main.' || table_name, 'is a table'
from duckdb_tables()
where database_name = current_database() and schema_name = 'main' and not internal;
