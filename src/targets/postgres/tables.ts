import { AnswerlakeError } from '../../errors.ts';
import { quoteIdentifier } from '../../warehouse/sql.ts';
import { nameOf, type Table, type TableName } from '../../warehouse/tables.ts';
import { CUTS, dayColumn } from '../../publish/compare.ts';

/** The schemas of the published file, and of the target. */
export const SCHEMAS = ['core', 'meta', 'detail', 'main'] as const;

/** The statements that create the schemas. If one exists, the user needs no right to create it. */
export function createSchemas(): string {
  return SCHEMAS.map(
    (schema) =>
      `do $$ begin if to_regnamespace('${schema}') is null then create schema ${schema}; end if; end $$;`,
  ).join('\n');
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
export function quoted({ schema, name }: TableName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** @throws AnswerlakeError (bug) on a type that no table of the warehouse has */
export function postgresType(type: string): string {
  const known = TYPES[type];
  if (known !== undefined) return known;
  throw new AnswerlakeError(`PostgreSQL has no type for ${type} of DuckDB in this table`, { class: 'bug' });
}

/** The column whose values divide a table into parts, each of which is written as a whole. */
export interface PartitionColumn {
  column: string;
  /** Of PostgreSQL. */
  type: string;
}

/** A day if the table has one, else the first column of its key, for example the project. */
export function partitionColumnOf(table: Table): PartitionColumn {
  const [first] = table.columns;
  const column = dayColumn(table) ?? CUTS.get(nameOf(table)) ?? first?.name ?? '';
  return { column, type: postgresType(table.columns.find(({ name }) => name === column)?.type ?? 'VARCHAR') };
}

/** The columns of a table as text. */
export function shapeOf({ columns }: Table): string {
  return columns.map(({ name, type }) => `${name} ${postgresType(type)}`).join(', ');
}

/**
 * The statements that create a table. Text is compared byte by byte, as in DuckDB, so that both sort alike. There is no primary key: keys
 * have paths and names of any length, which a B-tree refuses; the checks of the published file prove that keys are unique.
 */
export function createTable(table: Table): string {
  const columns = table.columns.map(({ name, type }) => {
    const collation = type.startsWith('VARCHAR') ? ' collate "C"' : '';
    return `${quoteIdentifier(name)} ${postgresType(type)}${collation}`;
  });
  const indexes = indexesOf(table).map((index) => `create index on ${quoted(table)} ${index};`);
  return [`create table ${quoted(table)} (${columns.join(', ')});`, ...indexes].join('\n');
}

function indexesOf(table: Table): string[] {
  const cut = quoteIdentifier(partitionColumnOf(table).column);
  // A hash index accepts text of any length.
  if (partitionColumnOf(table).type === 'text') return [`using hash (${cut})`];
  return [`(${cut})`, ...(dayColumn(table) === null ? [] : [`(project_id, ${cut})`])];
}
