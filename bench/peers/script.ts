import { readFileSync } from 'node:fs';
import { DuckDBInstance, type DuckDBAppender } from '@duckdb/node-api';
import { Pool } from 'undici';

/**
 * What a good engineer writes in an afternoon: eight requests at a time, JSON flattened into a table for each path, the
 * appender, and a merge by key at the end. No checks, no ledger, no retries, no safe publish: the floor.
 */
type Row = Record<string, string | number | boolean | null>;
type Json = Record<string, unknown>;
const [file = '', database = ''] = process.argv.slice(2);
const { origin, requests } = JSON.parse(readFileSync(file, 'utf8')) as {
  origin: string;
  requests: { path: string; headers: Record<string, string> }[];
};
const tables = JSON.parse(readFileSync('bench/peers/tables.json', 'utf8')) as Record<
  string,
  { table: string; key: string[] }
>;

const gathered = new Map<string, { key: string[]; rows: Row[] }>();
const pool = new Pool(origin, { connections: 8 });
let next = 0;
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (let job = requests[next++]; job !== undefined; job = requests[next++]) {
      const headers = { ...job.headers, 'accept-encoding': 'identity' };
      const { body } = await pool.request({ method: 'GET', path: job.path, headers });
      gather(new URL(job.path, origin), job.headers['x-project-id'] ?? '', await body.json());
    }
  }),
);
await pool.close();

const instance = await DuckDBInstance.create(database);
const connection = await instance.connect();
for (const [table, { key, rows }] of gathered) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const texts = new Set(rows.flatMap((row) => columns.filter((column) => isText(row[column]))));
  const types = columns.map((column) => `"${column}" ${texts.has(column) ? 'varchar' : 'double'}`);
  await connection.run(`create table staged_${table} (row_no integer, ${types.join(', ')})`);
  const appender = await connection.createAppender(`staged_${table}`);
  for (const [index, row] of rows.entries()) {
    appender.appendInteger(index);
    for (const column of columns) append(appender, row[column] ?? null, !texts.has(column));
    appender.endRow();
  }
  appender.closeSync();
  const by = key.filter((column) => columns.includes(column)).map((column) => `"${column}"`);
  await connection.run(
    `create table ${table} as select * exclude (row_no) from staged_${table} qualify row_number() over (partition by ${by.join(', ')} order by row_no desc) = 1`,
  );
  await connection.run(`drop table staged_${table}`);
}
connection.closeSync();
instance.closeSync();

function isText(value: Row[string] | undefined): boolean {
  return value !== null && value !== undefined && typeof value !== 'number';
}

function append(appender: DuckDBAppender, value: Row[string], isNumber: boolean): void {
  if (value === null) appender.appendNull();
  else if (isNumber) appender.appendDouble(Number(value));
  else appender.appendVarchar(String(value));
}

function gather(url: URL, project: string, body: unknown): void {
  const known = tables[url.pathname];
  if (known === undefined) return;
  const { searchParams: query } = url;
  const scope = query.get('model') ?? query.get('models') ?? query.get('llmMonitorId') ?? '';
  const shared = { project, scope, start: query.get('startDate') ?? '' };
  const target = gathered.get(known.table) ?? { key: known.key, rows: [] };
  gathered.set(known.table, target);
  for (const row of flatten(body as Json | Json[])) target.rows.push({ ...shared, ...row });
}

function flatten(body: Json | Json[]): Row[] {
  if (Array.isArray(body)) return body.map(plain);
  if (Array.isArray(body['series'])) {
    const dates = body['dates'] as string[];
    return (body['series'] as { name?: string; domain?: string; data: number[] }[]).flatMap((series) =>
      dates.map((date, index) => ({
        date,
        name: series.name ?? series.domain ?? '',
        value: series.data[index] ?? null,
      })),
    );
  }
  if (Array.isArray(body['competitors'])) {
    const matrix = body['matrix'] as Record<string, Record<string, number>>;
    return (body['competitors'] as { name: string }[]).flatMap(({ name }) =>
      Object.entries(matrix[name] ?? {}).map(([model, visibility]) => ({ name, model, visibility })),
    );
  }
  if (Array.isArray(body['events']))
    return (body['events'] as { date: string; items: Json[] }[]).flatMap(({ date, items }) =>
      items.map((item) => ({ date, id: idOf(item), ...plain(item) })),
    );
  const list = body['timeSeries'] ?? body['prompts'] ?? body['models'];
  return Array.isArray(list) ? (list as Json[]).map(plain) : [plain(body)];
}

function idOf(item: Json): string {
  const { id } = (item['action'] ?? item['monitor'] ?? {}) as { id?: string };
  return id ?? '';
}

function plain(item: Json): Row {
  const row: Row = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      for (const [inner, one] of Object.entries(value)) row[`${name}_${inner}`] = simple(one);
    } else row[name] = simple(value);
  }
  return row;
}

function simple(value: unknown): Row[string] {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return JSON.stringify(value) ?? null;
}
