import { z } from 'zod';
import type { Connection } from '../../warehouse/connection.ts';
import { nameRow } from '../../warehouse/name-row.ts';
import { quoteIdentifier, quoteLiteral } from '../../warehouse/quote.ts';
import { readViews } from '../../publish/views.ts';
import { LAKE } from './with-lake.ts';

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
