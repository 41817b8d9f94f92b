import { z } from 'zod';
import { readViews } from '../../publish/views.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral } from '../../warehouse/sql.ts';
import { inCatalog, readTables, type TableName } from '../../warehouse/tables.ts';
import { commentOn } from '../target.ts';
import { LAKE } from './with-lake.ts';

/** Replaces the tables of the lake by those of another catalog, empty, with their comments. */
export async function createTables(connection: Connection, catalog: string): Promise<void> {
  await dropViews(connection);
  for (const table of await readTables(connection, LAKE)) await connection.run(`drop table ${inLake(table)}`);
  const tables = await readTables(connection, catalog);
  for (const schema of new Set(tables.map((table) => table.schema))) {
    await connection.run(`create schema if not exists ${LAKE}.${quoteIdentifier(schema)}`);
  }
  for (const table of tables) {
    const columns = table.columns.map(
      ({ name, type, isNullable }) => `${quoteIdentifier(name)} ${type}${isNullable ? '' : ' not null'}`,
    );
    await connection.run(`create table ${inLake(table)} (${columns.join(', ')})`);
    await connection.run(commentOn(table, inLake(table)));
  }
}

const inLake = (table: TableName): string => inCatalog(LAKE, table);

const COLUMN_COMMENT = /^comment on column [\w."]+ is\s+'(?:[^']|'')*';$/gm;
const commentRow = z.object({
  schema: z.string(),
  view: z.string(),
  column: z.string(),
  comment: z.string(),
});

/** Creates every view of `sql/views`, with comments; the comments on their columns are read from another catalog. */
export async function createViews(connection: Connection, catalog: string): Promise<void> {
  const home = await connection.currentDatabase();
  await dropViews(connection);
  await connection.run(`use ${LAKE}`);
  for (const { sql } of readViews('duckdb')) await connection.run(sql.replaceAll(COLUMN_COMMENT, ''));
  await connection.run(`use ${quoteIdentifier(home)}`);
  await createColumnComments(connection, catalog);
}

/** DuckLake stores no comments on columns of views, so they become a view. */
async function createColumnComments(connection: Connection, catalog: string): Promise<void> {
  const comments = await connection.rowsAs(
    commentRow,
    `select v.schema_name as schema, v.view_name as view, c.column_name as column, c.comment from duckdb_views() v
     join duckdb_columns() c on (c.database_name, c.schema_name, c.table_name) = (v.database_name, v.schema_name, v.view_name)
     where v.database_name = $1 and v.schema_name in ('main', 'detail') and not v.internal and c.comment is not null
     order by v.schema_name, v.view_name, c.column_index`,
    [catalog],
  );
  const rows = comments.map(
    ({ schema, view, column, comment }) =>
      `(${[schema, view, column, comment].map(quoteLiteral).join(', ')})`,
  );
  await connection.run(
    `create view ${LAKE}.meta.view_columns as select schema_name, view_name, column_name, comment from (values ${rows.join(', ')}) c(schema_name, view_name, column_name, comment);
     comment on view ${LAKE}.meta.view_columns is 'What the columns of the views mean: a lake keeps no comments on them. One row per view and column.'`,
  );
}

async function dropViews(connection: Connection): Promise<void> {
  const views = await connection.rowsAs(
    z.object({ schema: z.string(), name: z.string() }),
    `select schema_name as schema, view_name as name from duckdb_views() where database_name = $1 and not internal`,
    [LAKE],
  );
  for (const view of views) await connection.run(`drop view ${inLake(view)}`);
}
