import { z } from 'zod';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openDatabase } from '../../src/warehouse/database.ts';

const relationRow = z.object({ name: z.string(), is_view: z.boolean(), columns: z.array(z.string()) });

/** Sums of numbers with a fraction depend on the order of the rows in their last digits. */
const DIGITS = 9;

/**
 * One line for each table, view and comment of a file, whatever the order of the rows. Two files with the same lines
 * look the same to every reader.
 */
export async function contentOf(path: string): Promise<Record<string, string>> {
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  const relations = await connection.rowsAs(
    relationRow,
    `select c.schema_name || '.' || c.table_name as name, v.view_name is not null as is_view,
       list(if(c.data_type = 'DOUBLE', 'round(' || c.column_name || ', ${DIGITS})', '"' || c.column_name || '"') order by c.column_index) as columns
     from duckdb_columns() c left join duckdb_views() v
       on v.database_name = c.database_name and v.schema_name = c.schema_name and v.view_name = c.table_name
     where c.database_name = current_database() and not c.internal group by all order by name`,
  );
  const content: Record<string, string> = {};
  for (const relation of relations) content[relation.name] = await digest(connection, relation);
  content['names and comments'] = JSON.stringify(
    await connection.rows(
      `select schema_name, table_name, column_name, column_index, data_type, is_nullable, comment
       from duckdb_columns() where database_name = current_database() and not internal order by all`,
    ),
  );
  content['views'] = JSON.stringify(
    await connection.rows(
      `select view_name, comment, sql from duckdb_views() where database_name = current_database() and not internal order by all`,
    ),
  );
  content['tables'] = JSON.stringify(
    await connection.rows(
      `select schema_name, table_name, comment, sql from duckdb_tables() where database_name = current_database() and not internal order by all`,
    ),
  );
  return content;
}

async function digest(
  connection: Connection,
  { name, is_view: isView, columns }: z.output<typeof relationRow>,
): Promise<string> {
  const row = isView ? `row(${columns.join(', ')})` : 't';
  return JSON.stringify(
    await connection.rows(
      `select count(*) as n, cast(sum(hash(${row})) as varchar) as digest from ${name} t`,
    ),
  );
}
