import type { Connection } from '../../warehouse/connection.ts';
import { NUL, partColumn } from '../../warehouse/parts.ts';
import { quoteIdentifier, quoteLiteral, quoteTable } from '../../warehouse/sql.ts';
import { nameOf, type Column, type TableColumns, type TableName } from '../../warehouse/tables.ts';
import type { TargetChange, TargetRelation } from '../target-rows.ts';
import type { TargetSession } from './session.ts';
import { z } from 'zod';

/** Applies the changes to a table; its old rows are deleted by part and shard, never by row. Returns how many rows were written. */
export async function writeChange(
  session: TargetSession,
  connection: Connection,
  { relation, stale, fresh, digests, freshRows }: TargetChange,
): Promise<number> {
  await deleteRows(session, relation, stale);
  const parts = [...digests.keys()];
  await session.run(
    `delete from meta.target_parts p using unnest($2::text[]) as s(part)
     where p.table_name = $1 and p.part is not distinct from s.part`,
    [nameOf(relation), parts],
  );
  await session.run(
    `insert into meta.target_parts (table_name, part, digest)
     select $1, * from unnest($2::text[], $3::text[]) s(part, digest) where digest is not null`,
    [nameOf(relation), parts, [...digests.values()]],
  );
  const name = quoted(relation);
  let rows = 0;
  if (fresh.length > 0) {
    await requireShortKeys(session, connection, { relation, freshRows });
    const lines = readLines(connection, `select ${lineOf(relation)} as line ${freshRows}`);
    async function* textsOf(): AsyncGenerator<string> {
      for await (const chunk of lines) {
        rows += chunk.length;
        yield `${chunk.join('\n')}\n`;
      }
    }
    const texts = textsOf();
    try {
      await session.copy(name, texts);
    } finally {
      // A copy that is refused does not wait for DuckDB, which crashes when its connection is closed during a statement.
      await texts.return(undefined);
    }
  }
  // Without statistics, the first reader gets a plan for an empty table. After smaller changes, autovacuum makes them.
  const [table] = await session.rows(
    z.object({ rows: z.number() }),
    `select reltuples::float8 as rows from pg_class where oid = ${quoteLiteral(name)}::regclass`,
  );
  if (rows > ANALYZED_SHARE * (table?.rows ?? 0)) await session.run(`analyze ${name}`);
  return rows;
}

/** As `autovacuum_analyze_scale_factor`. */
const ANALYZED_SHARE = 0.1;

/** Deletes the rows of pieces. */
async function deleteRows(
  session: TargetSession,
  relation: TargetRelation,
  stale: TargetChange['stale'],
): Promise<void> {
  const name = quoted(relation);
  const { name: column, type } = partColumn(relation);
  const [cut, cuts] = [quoteIdentifier(column), `text[]::${postgresType(type)}[]`];
  const whole = stale.filter(({ shard }) => shard === null).map(({ part }) => part);
  await session.run(`delete from ${name} where ${cut} = any($1::${cuts})`, [whole]);
  if (whole.includes(null)) await session.run(`delete from ${name} where ${cut} is null`);
  const pieces = stale.filter(({ shard }) => shard !== null);
  if (pieces.length === 0) return;
  // As DuckDB computes it.
  const shard = "coalesce(right(project_id, 2), '')";
  const values = [pieces.map(({ part }) => part), pieces.map((piece) => piece.shard)];
  // The index finds the parts; `is true` has their shards looked up once for each row, and not rows once for each shard.
  await session.run(
    `delete from ${name} where ${cut} = any($1::${cuts}) and ((${cut}, ${shard}) in (select * from unnest($1::${cuts}, $2::text[]))) is true`,
    values,
  );
  if (pieces.some(({ part }) => part === null))
    await session.run(
      `delete from ${name} where ${cut} is null and ${shard} in (select shard from unnest($1::text[], $2::text[]) s(part, shard) where part is null)`,
      values,
    );
}

/** A B-tree refuses keys of more than 2,704 bytes. */
const MAX_KEY_BYTES = 2000;

/** Drops the key index of a table that gets a key that is too long for it, or one that two rows may share because PostgreSQL stores no NUL. */
async function requireShortKeys(
  session: TargetSession,
  connection: Connection,
  { relation, freshRows }: { relation: TargetRelation; freshRows: string },
): Promise<void> {
  const texts = relation.columns.filter(
    ({ name, type }) => type === 'VARCHAR' && relation.key.includes(name),
  );
  if (texts.length === 0) return;
  const key = `concat(${texts.map(({ name }) => `r.${quoteIdentifier(name)}`).join(', ')})`;
  const isLong = `coalesce(bool_or(strlen(${key}) > ${MAX_KEY_BYTES} or contains(${key}, chr(0))), false)`;
  if ((await connection.value(z.boolean(), `select ${isLong} ${freshRows}`)) !== true) return;
  const index = quoted({ schema: relation.schema, name: keyIndex(relation) });
  await session.run(`alter table ${quoted(relation)} replica identity full; drop index if exists ${index}`);
}

/* https://www.postgresql.org/docs/15/sql-copy.html, "Text Format" */
const ESCAPES: readonly (readonly [string, string])[] = [
  NUL,
  ["'\\'", "'\\\\'"],
  ['chr(9)', "'\\t'"],
  ['chr(10)', "'\\n'"],
  ['chr(13)', "'\\r'"],
];

/** SQL: a row `r` as a line of the text format of `copy`. */
export function lineOf({ columns }: Pick<TableColumns, 'columns'>): string {
  return `concat_ws(chr(9), ${columns.map((column) => `coalesce(${cellText(column)}, '\\N')`).join(', ')})`;
}

function cellText({ name, type }: Column): string {
  const value = `r.${quoteIdentifier(name)}`;
  if (type === 'VARCHAR') return escaped(value);
  if (type === 'VARCHAR[]') {
    const quotedItem = `'"' || replace(replace(item, '\\', '\\\\'), '"', '\\"') || '"'`;
    return escaped(
      `case when ${value} is not null then '{' || array_to_string(list_transform(${value}, lambda item: coalesce(${quotedItem}, 'NULL')), ',') || '}' end`,
    );
  }
  const text = `cast(${value} as varchar)`;
  return postgresType(type) === 'text' ? escaped(text) : text;
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
  BIGINT: 'bigint',
  INTEGER: 'integer',
  HUGEINT: 'numeric',
  DOUBLE: 'double precision',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp without time zone',
  'VARCHAR[]': 'text[]',
};

/** The name of a table in a statement. */
export function quoted({ schema, name }: TableName): string {
  return quoteTable({ schema, table: name });
}

/** Types that no view of ours has: decimals stay decimals, all others become text. */
function postgresType(type: string): string {
  return (
    TYPES[type] ?? (type.startsWith('DECIMAL(') ? type.toLowerCase().replace('decimal', 'numeric') : 'text')
  );
}

/** The columns of a table as text. */
export function columnsText({ columns }: TableColumns): string {
  return columns.map(({ name, type }) => `${name} ${postgresType(type)}`).join(', ');
}

/** No table has such a name. */
const keyIndex = ({ name }: TableName): string => `${name} key`;

/**
 * The statements that create a table. Text is compared byte by byte, as in DuckDB, so that both sort alike. There is no primary key: some keys
 * have paths and names of any length, which a B-tree refuses; the checks of the published file prove that keys are unique.
 */
export function createTable(relation: TargetRelation): string {
  const { columns, key } = relation;
  const table = quoted(relation);
  const list = columns.map(({ name, type, isNullable }) => {
    const postgres = postgresType(type);
    const collation = postgres.startsWith('text') ? ' collate "C"' : '';
    return `${quoteIdentifier(name)} ${postgres}${collation}${isNullable ? '' : ' not null'}`;
  });
  const { name, type } = partColumn(relation);
  const cut = quoteIdentifier(name);
  // A hash index accepts text of any length.
  const indexes = postgresType(type) === 'text' ? [`using hash (${cut})`] : [`(${cut})`];
  // The keys of `core` begin with the project.
  const isOfProject = key.length === 0 && columns.some((column) => column.name === 'project_id');
  if (type === 'DATE' && isOfProject) indexes.push(`(project_id, ${cut})`);
  const keyed = `create unique index ${quoteIdentifier(keyIndex(relation))} on ${table} (${key.map(quoteIdentifier).join(', ')});
alter table ${table} replica identity using index ${quoteIdentifier(keyIndex(relation))};`;
  return [
    `create table ${table} (${list.join(', ')});`,
    ...indexes.map((index) => `create index on ${table} ${index};`),
    key.length === 0 ? `alter table ${table} replica identity full;` : keyed,
  ].join('\n');
}
