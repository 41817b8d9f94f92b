import { z } from 'zod';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openDatabase } from '../../src/warehouse/database.ts';

const tableRow = z.object({ name: z.string() });

/**
 * One line for each table, view and comment of a file, whatever the order of the rows. Two files with the same lines
 * look the same to every reader: the same view of the same tables has the same rows.
 */
export async function contentOf(path: string): Promise<Record<string, string>> {
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  const tables = await connection.rowsAs(
    tableRow,
    `select schema_name || '.' || table_name as name from duckdb_tables()
     where database_name = current_database() and not internal order by name`,
  );
  const content: Record<string, string> = {};
  for (const { name } of tables) content[name] = await digest(connection, name);
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

async function digest(connection: Connection, table: string): Promise<string> {
  return JSON.stringify(
    await connection.rows(`select count(*) as n, cast(sum(hash(t)) as varchar) as digest from ${table} t`),
  );
}
