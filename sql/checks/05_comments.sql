-- One row per table, view or column without a comment.
select schema_name || '.' || table_name as place, 'has no comment' as offender
from duckdb_tables()
where database_name = current_database() and not internal and coalesce(comment, '') = ''
union all
select schema_name || '.' || view_name, 'has no comment'
from duckdb_views()
where database_name = current_database() and not internal and coalesce(comment, '') = ''
union all
select schema_name || '.' || table_name, column_name || ' has no comment'
from duckdb_columns()
where database_name = current_database() and not internal and coalesce(comment, '') = '';
