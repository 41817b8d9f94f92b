import { z } from 'zod';
import { AnswerlakeError } from '../../errors.ts';
import { quoteIdentifier, quoteLiteral } from '../../warehouse/quote.ts';
import { CUTS, dayColumn, nameOf, type Table } from '../../publish/partitions.ts';
import type { PublishedSource } from '../target.ts';

/** A column of the published file, with its type in DuckDB. */
export interface Column {
  name: string;
  type: string;
  comment: string | null;
}

/** A table of the published file. */
export interface PublishedTable {
  schema: string;
  name: string;
  comment: string | null;
  columns: readonly Column[];
}

const columnRow = z.object({
  schema: z.string(),
  table: z.string(),
  table_comment: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  comment: z.string().nullable(),
});

/** The tables of the published file, from its own catalog. */
export async function readTables({ connection, catalog }: PublishedSource): Promise<PublishedTable[]> {
  const rows = await connection.rowsAs(
    columnRow,
    `select c.schema_name as schema, c.table_name as "table", t.comment as table_comment,
       c.column_name as name, c.data_type as type, c.comment
     from duckdb_tables() t
     join duckdb_columns() c using (database_name, schema_name, table_name)
     where database_name = ${quoteLiteral(catalog)} and not t.internal
     order by schema_name, table_name, column_index`,
  );
  const found = new Map<string, PublishedTable & { columns: Column[] }>();
  for (const { schema, table, table_comment: about, name, type, comment } of rows) {
    const key = nameOf({ schema, name: table });
    const known = found.get(key) ?? { schema, name: table, comment: about, columns: [] };
    known.columns.push({ name, type, comment });
    found.set(key, known);
  }
  return [...found.values()];
}

const TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'text',
  BIGINT: 'bigint',
  INTEGER: 'integer',
  DOUBLE: 'double precision',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp without time zone',
  'VARCHAR[]': 'text[]',
};

/** The name of a table in a statement. */
export function quoted({ schema, name }: Table): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** @throws AnswerlakeError (bug) on a type that no table of the warehouse has */
export function postgresType(type: string): string {
  const known = TYPES[type];
  if (known !== undefined) return known;
  throw new AnswerlakeError(`PostgreSQL has no type for ${type} of DuckDB in this table`, { class: 'bug' });
}

/** The column that cuts a table into parts, each of which is written as a whole. */
export interface Cut {
  column: string;
  /** Of PostgreSQL. */
  type: string;
}

/** A day where the table has one; else what comes first in its key, for example the project. */
export function cutOf(table: PublishedTable): Cut {
  const [first] = table.columns;
  const column = dayColumn(table) ?? CUTS.get(nameOf(table)) ?? first?.name ?? '';
  return { column, type: postgresType(table.columns.find(({ name }) => name === column)?.type ?? 'VARCHAR') };
}

/** What a table is, as text: two tables with the same one hold the same columns. */
export function shapeOf({ columns }: PublishedTable): string {
  return columns.map(({ name, type }) => `${name} ${postgresType(type)}`).join(', ');
}

/**
 * The statements that create a table. Text is compared byte by byte, as in DuckDB, so that both sort and pick alike. No primary key: keys
 * hold paths and names of any length, which a B-tree refuses; that they are unique is proven before the file is published.
 */
export function createTable(table: PublishedTable): string {
  const columns = table.columns.map(({ name, type }) => {
    const collation = type.startsWith('VARCHAR') ? ' collate "C"' : '';
    return `${quoteIdentifier(name)} ${postgresType(type)}${collation}`;
  });
  const indexes = indexesOf(table).map((index) => `create index on ${quoted(table)} ${index};`);
  return [`create table ${quoted(table)} (${columns.join(', ')});`, ...indexes].join('\n');
}

function indexesOf(table: PublishedTable): string[] {
  const cut = quoteIdentifier(cutOf(table).column);
  // A hash takes text of any length.
  if (cutOf(table).type === 'text') return [`using hash (${cut})`];
  const hasProjects = table.columns.some(({ name }) => name === 'project_id');
  return [`(${cut})`, ...(dayColumn(table) !== null && hasProjects ? [`(project_id, ${cut})`] : [])];
}

/** The comments of a table and of its columns. */
export function commentOn(table: PublishedTable): string {
  const text = (comment: string | null): string => (comment === null ? 'null' : quoteLiteral(comment));
  return [
    `comment on table ${quoted(table)} is ${text(table.comment)};`,
    ...table.columns.map(
      ({ name, comment }) =>
        `comment on column ${quoted(table)}.${quoteIdentifier(name)} is ${text(comment)};`,
    ),
  ].join('\n');
}
