import type { Connection } from '../../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral } from '../../warehouse/sql.ts';
import { inCatalog, nameOf, type Column, type TableColumns, type TableName } from '../../warehouse/tables.ts';
import { DIGESTED, CUTS, dayColumn } from '../../publish/compare.ts';
import type { PublishedSource, TargetReport } from '../target.ts';
import type { TargetSession } from './session.ts';
import { z } from 'zod';
import { bugError } from '../../errors.ts';

export const partitionRow = z.object({
  table_name: z.string(),
  /** The value of the partition column in its rows, as text. */
  part: z.string().nullable(),
  row_count: z.string(),
  /** Equal for equal rows, if the same version of DuckDB made both. */
  digest: z.string(),
});

/** Some rows of a table: those of one day, window, run or project. */
export type Partition = z.output<typeof partitionRow>;

/** PostgreSQL stores no NUL character. */
const NUL = ['chr(0)', 'chr(65533)'] as const;

/** The partition column of row `t` as text. */
function partitionText(table: TableColumns): string {
  return `replace(cast(t.${quoteIdentifier(partitionColumnOf(table).column)} as varchar), ${NUL.join(', ')})`;
}

/** The parts of the published file. */
export async function partitionsOf(
  { connection, catalog }: PublishedSource,
  tables: readonly TableColumns[],
): Promise<Partition[]> {
  const queries = tables.map(
    (table) =>
      `select ${quoteLiteral(nameOf(table))} as table_name, ${partitionText(table)} as part, cast(count(*) as varchar) as row_count,
      cast(bit_xor(hash(${DIGESTED.get(nameOf(table)) ?? 't'})) as varchar) as digest from ${inCatalog(catalog, table)} as t group by part`,
  );
  return await connection.rowsAs(partitionRow, queries.join('\nunion all\n'));
}

/** The changes that make a table equal to that of the file. */
type TableChange = ReturnType<typeof comparePartitions>[number];

/** The tables that differ, with the parts whose rows are deleted (stale) and those whose rows are written (fresh). */
export function comparePartitions(
  tables: readonly TableColumns[],
  own: readonly Partition[],
  held: readonly Partition[],
) {
  const keyOf = ({ table_name: name, part, row_count: count, digest }: Partition): string =>
    JSON.stringify([name, part, count, digest]);
  const ownKeys = new Set(own.map(keyOf));
  const heldKeys = new Set(held.map(keyOf));
  return tables.flatMap((table) => {
    const isOf = (part: Partition): boolean => part.table_name === nameOf(table);
    const stale = held.filter((part) => isOf(part) && !ownKeys.has(keyOf(part)));
    const fresh = own.filter((part) => isOf(part) && !heldKeys.has(keyOf(part)));
    return stale.length + fresh.length === 0 ? [] : [{ table, stale, fresh }];
  });
}

/** Temporary table with the parts of the current table whose rows are read. */
const READ_PARTITIONS = 'target_parts';

export async function writeChanges(
  session: TargetSession,
  source: PublishedSource,
  changes: readonly TableChange[],
): Promise<TargetReport> {
  let [parts, rows] = [0, 0];
  try {
    for (const change of changes) {
      rows += await writeTable(session, source, change);
      parts += new Set([...change.stale, ...change.fresh].map(({ part }) => part)).size;
      // Without statistics, the first reader of a view gets a plan for an empty table.
      await session.run(`analyze ${quoted(change.table)}`);
    }
  } finally {
    await source.connection.run(`drop table if exists temp.${READ_PARTITIONS}`);
  }
  return { parts, rows };
}

/** Applies the changes to a table; its old rows are deleted by part, never by row. Returns how many rows were written. */
async function writeTable(session: TargetSession, source: PublishedSource, change: TableChange) {
  await deleteParts(session, change);
  let rows = 0;
  if (change.fresh.length === 0) return rows;
  const { connection } = source;
  await connection.run(`create or replace temp table ${READ_PARTITIONS} (part varchar)`);
  const read = change.fresh.map(({ part }) => ({ part }));
  await connection.appendRows({ catalog: 'temp', schema: 'main', table: READ_PARTITIONS, rows: read });
  async function* texts(): AsyncGenerator<string> {
    for await (const lines of readLines(connection, copyLines(source, change.table))) {
      rows += lines.length;
      yield `${lines.join('\n')}\n`;
    }
  }
  await session.copy(quoted(change.table), texts());
  await session.run(
    `insert into meta.target_parts (table_name, part, row_count, digest)
     select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[])`,
    (['table_name', 'part', 'row_count', 'digest'] as const).map((name) =>
      change.fresh.map((one) => one[name]),
    ),
  );
  return rows;
}

async function deleteParts(session: TargetSession, { table, stale }: TableChange): Promise<void> {
  if (stale.length === 0) return;
  const { column, type } = partitionColumnOf(table);
  const parts = stale.map(({ part }) => part);
  await session.run(`delete from ${quoted(table)} where "${column}" = any($1::text[]::${type}[])`, [parts]);
  if (parts.includes(null)) await session.run(`delete from ${quoted(table)} where "${column}" is null`);
  await session.run(
    `delete from meta.target_parts p using unnest($2::text[]) as s(part)
     where p.table_name = $1 and p.part is not distinct from s.part`,
    [nameOf(table), parts],
  );
}

/** Reads the rows of `READ_PARTITIONS` as lines of the text format of `copy`. */
export function copyLines({ catalog }: PublishedSource, table: TableColumns): string {
  const cells = table.columns.map((column) => `coalesce(${cellText(column)}, '\\N')`);
  return `select concat_ws(chr(9), ${cells.join(', ')}) as line from ${inCatalog(catalog, table)} as t
    where exists (select 1 from temp.${READ_PARTITIONS} r where r.part is not distinct from ${partitionText(table)})`;
}

/* https://www.postgresql.org/docs/15/sql-copy.html, "Text Format" */
const ESCAPES: readonly (readonly [string, string])[] = [
  NUL,
  ["'\\'", "'\\\\'"],
  ['chr(9)', "'\\t'"],
  ['chr(10)', "'\\n'"],
  ['chr(13)', "'\\r'"],
];

function cellText({ name, type }: Column): string {
  const value = `t.${quoteIdentifier(name)}`;
  if (type === 'VARCHAR') return escaped(value);
  if (type === 'VARCHAR[]') {
    const quotedItem = `'"' || replace(replace(item, '\\', '\\\\'), '"', '\\"') || '"'`;
    return escaped(
      `case when ${value} is not null then '{' || array_to_string(list_transform(${value}, lambda item: coalesce(${quotedItem}, 'NULL')), ',') || '}' end`,
    );
  }
  return `cast(${value} as varchar)`;
}

function escaped(value: string): string {
  return ESCAPES.reduce((text, [from, to]) => `replace(${text}, ${from}, ${to})`, value);
}

/** The texts of a statement that gives one column of lines, a chunk of some thousand lines at a time. */
export async function* readLines(connection: Connection, sql: string): AsyncGenerator<readonly string[]> {
  const result = await connection.raw.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk.getColumnValues(0).map(String);
  }
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
  throw bugError(`PostgreSQL has no type for ${type} of DuckDB in this table`);
}

/** The column whose values divide a table into parts, each of which is written as a whole, and its type in PostgreSQL: a day if the table has one, else the first column of its key, for example the project. */
function partitionColumnOf(table: TableColumns): { column: string; type: string } {
  const [first] = table.columns;
  const column = dayColumn(table) ?? CUTS.get(nameOf(table)) ?? first?.name ?? '';
  return { column, type: postgresType(table.columns.find(({ name }) => name === column)?.type ?? 'VARCHAR') };
}

/** The columns of a table as text. */
export function columnsText({ columns }: TableColumns): string {
  return columns.map(({ name, type }) => `${name} ${postgresType(type)}`).join(', ');
}

/**
 * The statements that create a table. Text is compared byte by byte, as in DuckDB, so that both sort alike. There is no primary key: keys
 * have paths and names of any length, which a B-tree refuses; the checks of the published file prove that keys are unique.
 */
export function createTable(table: TableColumns): string {
  const columns = table.columns.map(({ name, type }) => {
    const collation = type.startsWith('VARCHAR') ? ' collate "C"' : '';
    return `${quoteIdentifier(name)} ${postgresType(type)}${collation}`;
  });
  const { column, type } = partitionColumnOf(table);
  const cut = quoteIdentifier(column);
  // A hash index accepts text of any length.
  const indexes = type === 'text' ? [`using hash (${cut})`] : [`(${cut})`];
  if (type !== 'text' && dayColumn(table) !== null) indexes.push(`(project_id, ${cut})`);
  return [
    `create table ${quoted(table)} (${columns.join(', ')});`,
    ...indexes.map((index) => `create index on ${quoted(table)} ${index};`),
  ].join('\n');
}
