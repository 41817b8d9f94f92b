import { z } from 'zod';
import type { Connection } from '../../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral, quoteTable } from '../../warehouse/quote.ts';
import { dropViews } from './lake-views.ts';
import { LAKE } from './with-lake.ts';

const columnRow = z.object({
  schema: z.string(),
  table: z.string(),
  table_comment: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  is_nullable: z.boolean(),
  comment: z.string().nullable(),
});
type Column = z.output<typeof columnRow>;

/** Makes every table of another catalog anew, empty, with its comments; what was there before is dropped. */
export async function createTables(connection: Connection, catalog: string): Promise<void> {
  await dropViews(connection);
  for (const table of byTable(await columnsOf(connection, LAKE)).keys()) {
    await connection.run(`drop table ${LAKE}.${table}`);
  }
  const columns = await columnsOf(connection, catalog);
  for (const schema of new Set(columns.map((column) => column.schema))) {
    await connection.run(`create schema if not exists ${LAKE}.${quoteIdentifier(schema)}`);
  }
  const tables = byTable(columns);
  for (const [table, columns] of tables) await createTable(connection, `${LAKE}.${table}`, columns);
}

async function createTable(connection: Connection, table: string, columns: readonly Column[]): Promise<void> {
  const definitions = columns.map(
    ({ name, type, is_nullable: isNullable }) =>
      `${quoteIdentifier(name)} ${type}${isNullable ? '' : ' not null'}`,
  );
  const about = columns[0]?.table_comment ?? null;
  const comments = columns.flatMap(({ name, comment }) =>
    comment === null
      ? []
      : [`comment on column ${table}.${quoteIdentifier(name)} is ${quoteLiteral(comment)}`],
  );
  await connection.run(
    [
      `create table ${table} (${definitions.join(', ')})`,
      ...(about === null ? [] : [`comment on table ${table} is ${quoteLiteral(about)}`]),
      ...comments,
    ].join(';\n'),
  );
}

function byTable(columns: readonly Column[]): Map<string, Column[]> {
  const tables = new Map<string, Column[]>();
  for (const column of columns) {
    const name = quoteTable({ schema: column.schema, table: column.table });
    tables.set(name, [...(tables.get(name) ?? []), column]);
  }
  return tables;
}

/** The columns of all tables, in order. */
async function columnsOf(connection: Connection, catalog: string): Promise<Column[]> {
  return await connection.rowsAs(
    columnRow,
    `select t.schema_name as schema, t.table_name as table, t.comment as table_comment, c.column_name as name,
       c.data_type as type, c.is_nullable, c.comment
     from duckdb_tables() t join duckdb_columns() c using (database_name, schema_name, table_name)
     where t.database_name = $1 and not t.internal and not t.temporary
     order by t.schema_name, t.table_name, c.column_index`,
    [catalog],
  );
}
