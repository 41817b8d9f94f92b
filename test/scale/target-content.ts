import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { secretOf } from '../../src/secret.ts';
import { postgresTarget } from '../../src/targets/postgres/target.ts';
import type { PublishTarget, TargetReport } from '../../src/targets/target.ts';
import { inspectPublished, PUBLISHED } from '../../src/warehouse/published.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import type { Connection } from '../../src/warehouse/connection.ts';

/** What a publish does to a target. */
export async function bringTo(
  target: PublishTarget,
  connection: Connection,
  published: string,
): Promise<TargetReport | null> {
  const report = await inspectPublished(connection, published, (found) =>
    target.bringUpToDate({ connection, catalog: PUBLISHED, ...found }),
  );
  return report ?? null;
}

/** PostgreSQL as a target, by its address. */
export const targetAt = (url: string): PublishTarget => postgresTarget(secretOf('env:WAREHOUSE_URL', url));

/** A session that is gone after the test. */
export async function connect(url: string, user?: string): Promise<Client> {
  const address = new URL(url);
  if (user !== undefined) address.username = user;
  const client = new Client({ connectionString: address.href });
  await client.connect();
  client.on('error', () => undefined);
  onTestFinished(() => client.end());
  return client;
}

/** For `JSON.stringify`: sums of doubles depend on the order of the rows. */
export const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(9)) : value;

const columnRow = z.object({
  schema: z.string(),
  relation: z.string(),
  name: z.string(),
  type: z.string(),
  comment: z.string().nullable(),
});
type Column = z.output<typeof columnRow>;

/**
 * What of the tables, views, rows and comments of a published file is otherwise in the target, a line each. With `parallel`, several processes
 * read each table, as they do where it has many rows; to start them takes a hundred times as long as to read a few rows.
 */
export async function differences(
  publishedPath: string,
  url: string,
  { parallel = false }: { parallel?: boolean } = {},
): Promise<string[]> {
  await using database = await openDatabase({ path: publishedPath, readOnly: true });
  const file = await database.connect();
  const target = new Client({ connectionString: url });
  await target.connect();
  try {
    await target.query("set timezone = 'Pacific/Kiritimati'; set search_path = main");
    if (parallel) {
      await target.query(
        'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0',
      );
    }
    const columns = await columnsOfFile(file);
    const found = [
      ...(await commentDifferences(file, target, columns)),
      ...(await textDifferences(file, target)),
    ];
    for (const relation of new Set(columns.map(nameOf))) {
      // An age is told by the clock of the reader.
      const own = columns.filter((column) => nameOf(column) === relation && column.name !== 'age_hours');
      found.push(...(await rowDifferences({ file, target }, relation, own)));
    }
    return found;
  } finally {
    await target.end();
  }
}

const nameOf = ({ schema, relation }: Column): string => `"${schema}"."${relation}"`;

/** SQL: whether a target holds a relation. Views of `detail` that `main` has not are helpers. */
export const isHeld = (name: string, catalog = 'current_database()'): string =>
  `(schema_name <> 'detail' or ${name} in (select m.view_name from duckdb_views() m where m.database_name = ${catalog} and m.schema_name = 'main'))`;

async function columnsOfFile(file: Connection): Promise<Column[]> {
  return await file.rowsAs(
    columnRow,
    `select schema_name as schema, table_name as relation, column_name as name, data_type as type, comment
     from duckdb_columns() where database_name = current_database() and not internal and ${isHeld('table_name')}
     order by 1, 2, column_index`,
  );
}

const TYPES: Record<string, string> = {
  VARCHAR: 'text',
  DOUBLE: 'double precision',
  TIMESTAMP: 'timestamp without time zone',
  'VARCHAR[]': 'text[]',
};

async function commentDifferences(file: Connection, target: Client, columns: Column[]): Promise<string[]> {
  const { rows } = await target.query<Column>(
    `select n.nspname as schema, c.relname as relation, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       col_description(c.oid, a.attnum) as comment
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname in ('core', 'own', 'meta', 'main', 'detail') and c.relkind in ('r', 'v') and c.relname not like 'target\\_%'
     order by n.nspname collate "C", c.relname collate "C", a.attnum`,
  );
  const own = columns.map(({ type, ...rest }) => ({ ...rest, type: TYPES[type] ?? type.toLowerCase() }));
  const relations = await target.query<{ name: string; comment: string | null }>(
    `select n.nspname || '.' || c.relname as name, obj_description(c.oid, 'pg_class') as comment
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('core', 'own', 'meta', 'main', 'detail') and c.relkind in ('r', 'v') and c.relname not like 'target\\_%'`,
  );
  const ownRelations = await file.rows(
    `select schema_name || '.' || table_name as name, comment from duckdb_tables() where not internal
     union all select schema_name || '.' || view_name, comment from duckdb_views() where not internal and ${isHeld('view_name')}`,
  );
  return [...compareSets(own, rows), ...compareSets(ownRelations, relations.rows)];
}

function compareSets(own: readonly object[], other: readonly object[]): string[] {
  const texts = (rows: readonly object[]): Set<string> =>
    new Set(rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())));
  const [ours, theirs] = [texts(own), texts(other)];
  return [
    ...[...ours].filter((text) => !theirs.has(text)).map((text) => `only in the file: ${text}`),
    ...[...theirs].filter((text) => !ours.has(text)).map((text) => `only in the target: ${text}`),
  ];
}

const TEXTS = ['https://WWW.Example.com:443/A/?b#c', 'chatgpt.com', '/x/', '', ' Perplexity.AI '];

/** Whether the functions for texts give the same in both. */
async function textDifferences(file: Connection, target: Client): Promise<string[]> {
  const sql = TEXTS.map(
    (text) =>
      `select concat_ws('|', main.host_of('${text}'), main.canonical_path('${text}'), main.source_of('${text}')) as text`,
  ).join(' union all ');
  const own = (await file.rowsAs(z.object({ text: z.string() }), sql)).map(({ text }) => text).toSorted();
  const theirs = (await target.query<{ text: string }>(sql)).rows.map(({ text }) => text).toSorted();
  return own.join('\n') === theirs.join('\n')
    ? []
    : [`functions: ${own.join(', ')} in the file, ${theirs.join(', ')} in the target`];
}

async function rowDifferences(
  { file, target }: { file: Connection; target: Client },
  relation: string,
  columns: readonly Column[],
): Promise<string[]> {
  const list = (nul: boolean): string => columns.map((column) => valueOf(column, nul)).join(', ');
  const own = (await file.raw.runAndReadAll(`select ${list(true)} from ${relation}`)).getRows();
  const { rows } = await target
    .query<unknown[]>({ text: `select ${list(false)} from ${relation}`, rowMode: 'array' })
    .catch((error: unknown) => {
      throw new Error(`cannot read ${relation} in the target`, { cause: error });
    });
  const [ours, theirs] = [own, rows].map((all) => all.map((row) => JSON.stringify(row, rounded)).toSorted());
  const count = Math.max(own.length, rows.length);
  for (let place = 0; place < count; place += 1) {
    const [one, other] = [ours?.[place], theirs?.[place]];
    if (one !== other) return [`${relation}: ${String(one)} in the file, ${String(other)} in the target`];
  }
  return [];
}

function valueOf({ name, type }: Column, nul: boolean): string {
  if (type === 'DOUBLE') return `"${name}"`;
  if (type === 'VARCHAR[]') return `array_to_string("${name}", '|')`;
  const text = `cast("${name}" as varchar)`;
  return nul ? `replace(${text}, chr(0), chr(65533))` : text;
}
