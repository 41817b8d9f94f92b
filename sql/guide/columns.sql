-- One row per column for which {{condition}} holds: its type, its comment and what it means.
select
  c.schema_name as "schema", c.table_name as relation, c.column_name as name, c.data_type as type, coalesce(c.comment, '') as comment,
  coalesce(m.meaning, '') as meaning, m.unit, m.adds, m.has_means as averages, m.is_repeated as repeated, m.divides,
  m.weigh_by as weigh, m.instead, m."of", m.source, m.endpoints
from duckdb_columns() c
left join meta.columns m
  on m.schema_name = c.schema_name and m.view_name = c.table_name and m.column_name = c.column_name
where c.schema_name in ('main', 'detail', 'core', 'own', 'meta') and not c.internal and {{condition}}
order by c.column_index;
