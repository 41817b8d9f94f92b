import { z } from 'zod';
import type { Connection } from './connection.ts';
import { quoteLiteral, quoteTable, readSql } from './sql.ts';

/** A column with its DuckDB type. */
const columnSchema = z.object({
  name: z.string(),
  type: z.string(),
  isNullable: z.boolean(),
  comment: z.string().nullable(),
});
export type Column = z.output<typeof columnSchema>;

export interface TableName {
  schema: string;
  name: string;
}

/** The schemas of the published file. */
export const SCHEMAS = ['core', 'own', 'meta', 'detail', 'main'] as const;

/** A table or view of a file. */
const relationSchema = z.object({
  schema: z.string(),
  name: z.string(),
  isView: z.boolean(),
  comment: z.string().nullable(),
  columns: z.array(columnSchema),
});
export type Relation = z.output<typeof relationSchema>;
export type TableColumns = Omit<Relation, 'isView'>;

/** A table in a statement: `"published"."core"."visibility"`. */
export const inCatalog = (catalog: string, { schema, name }: TableName): string =>
  quoteTable({ catalog, schema, table: name });

/** For example `core.visibility`. */
export const nameOf = ({ schema, name }: TableName): string => `${schema}.${name}`;

/** The tables and views of an attached catalog, tables first, with their columns in order. */
export async function readRelations(connection: Connection, catalog: string): Promise<Relation[]> {
  return await connection.rowsAs(relationSchema, readSql('warehouse/relations'), [catalog]);
}

/** Whether two files have the same tables, columns, types and comments. */
export async function haveSameTables(connection: Connection, one: string, other: string): Promise<boolean> {
  const columns = (catalog: string): string =>
    `select schema_name, table_name, t.comment as about, column_index, column_name, data_type, is_nullable, c.comment
     from duckdb_tables() t join duckdb_columns() c using (database_name, schema_name, table_name)
     where database_name = ${quoteLiteral(catalog)} and not t.internal and not t.temporary`;
  return await areSame(connection, columns(one), columns(other));
}

/** Whether two queries, whose rows are all different, have the same rows. */
export async function areSame(connection: Connection, one: string, other: string): Promise<boolean> {
  const sql = `select *, count(*) from (${one} union all ${other}) group by all having count(*) <> 2 limit 1`;
  return (await connection.rows(sql)).length === 0;
}

const nameRow = z.object({ schema: z.string(), name: z.string() });

/** The names of the tables of an attached catalog: their columns take ten times as long. */
export async function readTableNames(connection: Connection, catalog: string): Promise<TableName[]> {
  const sql = `select schema_name as schema, table_name as name from duckdb_tables()
     where database_name = $1 and not internal and not temporary order by all`;
  return await connection.rowsAs(nameRow, sql, [catalog]);
}

const countRow = z.object({ name: z.string(), found: z.number() });

/** Rows by table, for example `core.visibility`. */
export async function countRows(connection: Connection, catalog: string): Promise<Record<string, number>> {
  const counts = (await readTableNames(connection, catalog)).map(
    (table) =>
      `select ${quoteLiteral(nameOf(table))} as name, count(*) as found from ${inCatalog(catalog, table)}`,
  );
  const rows = await connection.rowsAs(countRow, counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, found }) => [name, found]));
}

/** A value of `meta.settings`; null when it is not set. */
export async function readSetting(connection: Connection, name: string): Promise<string | null> {
  const sql = 'select value from meta.settings where name = $1';
  return (await connection.value(z.string().nullable(), sql, [name])) ?? null;
}

/** All settings with a value. */
export async function readSettings(
  connection: Connection,
  table = 'meta.settings',
): Promise<Map<string, string>> {
  const row = z.object({ name: z.string(), value: z.string() });
  const rows = await connection.rowsAs(row, `select name, value from ${table} where value is not null`);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Stores facts of the configuration and the server for views and later runs, by name; removes other names that begin with one of `instead`. */
export async function writeSettings(
  connection: Connection,
  settings: Readonly<Record<string, string>>,
  { table = 'meta.settings', instead = [] }: { table?: string; instead?: readonly string[] } = {},
): Promise<void> {
  const forget = instead.map(
    (prefix) => `when not matched by source and starts_with(s.name, ${quoteLiteral(prefix)}) then delete`,
  );
  await connection.run(
    `merge into ${table} s using (select unnest($1::varchar[]) as name, unnest($2::varchar[]) as value) n on s.name = n.name
     when matched and s.value is distinct from n.value then update set value = n.value
     when not matched then insert (name, value) values (n.name, n.value) ${forget.join(' ')}`,
    [Object.keys(settings), Object.values(settings)],
  );
}
