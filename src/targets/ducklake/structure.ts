import { z } from 'zod';
import { readViews } from '../../publish/views.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { nameRow } from '../../warehouse/name-row.ts';
import { quoteIdentifier, quoteLiteral, quoteTable } from '../../warehouse/quote.ts';
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

/** Creates every table of another catalog, empty, with its comments, and drops the tables that the lake had. */
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

const COLUMN_COMMENT = /^comment on column [\w."]+ is\s+'(?:[^']|'')*';$/gm;
const commentRow = z.object({ view: z.string(), column: z.string(), comment: z.string() });

/** Creates every view of `sql/views`, with comments; the comments on their columns are those of another catalog. */
export async function createViews(connection: Connection, catalog: string): Promise<void> {
  const [current] = await connection.rowsAs(nameRow, 'select current_database() as name');
  await dropViews(connection);
  await connection.run(`use ${LAKE}`);
  for (const { sql } of readViews('duckdb')) await connection.run(sql.replaceAll(COLUMN_COMMENT, ''));
  await connection.run(`use ${quoteIdentifier(current?.name ?? '')}`);
  await createColumnComments(connection, catalog);
}

/** DuckLake keeps comments on tables, their columns and views, but none on columns of views: they become a view. */
async function createColumnComments(connection: Connection, catalog: string): Promise<void> {
  const comments = await connection.rowsAs(
    commentRow,
    `select v.view_name as view, c.column_name as column, c.comment from duckdb_views() v
     join duckdb_columns() c on (c.database_name, c.schema_name, c.table_name) = (v.database_name, v.schema_name, v.view_name)
     where v.database_name = $1 and v.schema_name = 'main' and not v.internal and c.comment is not null
     order by v.view_name, c.column_index`,
    [catalog],
  );
  const rows = comments.map(
    ({ view, column, comment }) => `(${[view, column, comment].map(quoteLiteral).join(', ')})`,
  );
  await connection.run(
    `create view ${LAKE}.meta.view_columns as select view_name, column_name, comment from (values ${rows.join(', ')}) c(view_name, column_name, comment);
     comment on view ${LAKE}.meta.view_columns is 'What the columns of the views mean: a lake keeps no comments on them. One row per view and column.'`,
  );
}

export async function dropViews(connection: Connection): Promise<void> {
  const views = await connection.rowsAs(
    z.object({ schema: z.string(), name: z.string() }),
    `select schema_name as schema, view_name as name from duckdb_views() where database_name = $1 and not internal`,
    [LAKE],
  );
  for (const { schema, name } of views) {
    await connection.run(`drop view ${LAKE}.${quoteIdentifier(schema)}.${quoteIdentifier(name)}`);
  }
}
