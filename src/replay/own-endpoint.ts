import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { storageError, toRun, usageError } from '../errors.ts';
import { replaceFile } from '../files.ts';
import { archiveFiles, headerSchema, lineSchema } from '../load/raw-archive.ts';
import { type ArchiveDamage, archiveTexts, inOrder, listArchivedRuns } from '../load/read-archive.ts';
import { counted } from '../quantity.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { withMoreMemory } from '../warehouse/memory.ts';
import { publishAnew } from '../targets/publish-changed.ts';
import { type Connection, transaction } from '../warehouse/connection.ts';
import { randomName, REPLAY_FOLDER } from '../warehouse/database-files.ts';
import { haveSame, quoteIdentifier as q, quoteLiteral } from '../warehouse/sql.ts';
import { readSetting } from '../warehouse/tables.ts';
import { openWarehouse, withWarehouse, type WorkingFile, workingPath } from '../warehouse/working-file.ts';
import { archivedEndpoints } from './archived-endpoints.ts';
import { NO_TOTALS, replayRun } from './replay.ts';

/** Tables of `meta` with rows from an endpoint's answers, and those with other facts about it. */
const OF_ANSWERS = ['asked_days', 'slices', 'rejects', 'drift'];
const OF_ENDPOINT = ['alarms', 'expected_series', 'probes', 'taught_lengths', 'tables'];
/** Tables of `meta` with rows of its tables. */
const OF_TABLES = ['vanishing', 'restatements'];
const REPLAYED = 'replayed';

interface Wanted {
  name: string;
  /** Recreates its tables, with a new key or new types. */
  isRecreated: boolean;
}

/**
 * Fills new columns and lists of an own endpoint from the raw archive, without a request and without restatements.
 * @throws AnswerlakeError configuration, locked, storage
 */
export async function replayEndpoint(context: SyncContext, { name, isRecreated }: Wanted) {
  const { config, effects } = context;
  const now = effects.now();
  if (!config.own.declarations.some((one) => one.name === name))
    throw usageError([
      `--endpoint ${name}: no file in ${config.endpointsDir} declares it.`,
      'Choose one that answerlake endpoints lists',
    ]);
  const options = { now, recreated: isRecreated ? [name] : [] };
  return await withWarehouse(
    config,
    options,
    async (working) => await refill(context, { working, name, options }),
  );
}

interface Refilling {
  working: WorkingFile;
  name: string;
  options: { now: number; recreated: string[] };
}

async function refill(context: SyncContext, { working, name, options }: Refilling) {
  const { config, effects } = context;
  const { catalogue, warehouse } = config;
  const folder = join(dirname(workingPath(warehouse.path)), `${REPLAY_FOLDER}${randomName()}`);
  try {
    const connection = await working.database.connect();
    const id = await readSetting(connection, 'warehouse_id');
    const apart = { ...config, warehouse: { path: join(folder, 'answers.duckdb') } };
    const rebuilt = await openWarehouse(apart, options);
    const totals = { ...NO_TOTALS };
    {
      await using copy = rebuilt;
      const target = await copy.database.connect();
      const losses = { damages: [], unknownEndpoints: new Map() };
      const endpoints = archivedEndpoints(config, target, []);
      for (const run of inOrder(await listArchivedRuns(config.raw.dir)))
        if (run.run?.warehouse === id)
          await replayRun(context, target, { run, totals, losses, endpoints, only: name });
    }
    if (totals.answers === 0)
      throw usageError([`The raw archive has no answer of ${name};`, toRun`run ${'answerlake sync'}`]);
    await connection.run(`attach ${quoteLiteral(rebuilt.path)} as ${REPLAYED} (read_only)`);
    const { outputs } = catalogue.named(name);
    const tables = outputs.map(({ table, key }) => ({ table, key }));
    const fill = async (): Promise<void> => {
      if (options.recreated.includes(name)) await replaceRows(connection, name, tables);
      else for (const one of tables) await fillColumns(connection, one, outputs[0]);
    };
    await withMoreMemory(connection, () => transaction(connection, fill));
    await connection.run(`detach ${REPLAYED}`);
    const made = await publishAnew(connection, context);
    return {
      endpoint: name,
      answers: totals.answers,
      duration_ms: effects.now() - options.now,
      published: made.path,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A table of the endpoint by its name in `meta`. */
interface OwnTable {
  table: string;
  key: readonly string[];
}

async function replaceRows(connection: Connection, name: string, tables: readonly OwnTable[]): Promise<void> {
  const names = tables.map(({ table }) => quoteLiteral(table)).join(', ');
  const replaced = [
    ...tables.map(({ table }) => [table, 'true'] as const),
    ...OF_ANSWERS.map((table) => [`meta.${table}`, `endpoint = ${quoteLiteral(name)}`] as const),
    ...OF_TABLES.map((table) => [`meta.${table}`, `table_name in (${names})`] as const),
  ];
  for (const [table, where] of replaced) {
    await connection.run(`delete from ${table} where ${where}`);
    await connection.run(`insert into ${table} by name select * from ${REPLAYED}.${table} where ${where}`);
  }
}

/** Fills columns where they have no value, and lists of rows without one. @param main the table of the rows */
async function fillColumns(
  connection: Connection,
  { table, key }: OwnTable,
  { table: main, key: ofRow }: OwnTable,
): Promise<void> {
  const read = `${REPLAYED}.${table}`;
  const shared = `select column_name from (describe ${table}) semi join (describe ${read}) using (column_name)`;
  const columns = await connection.values(z.string(), shared);
  // Entries of a list for rows that have none of it; rows of the endpoint only where its table is empty.
  const isMissing =
    table === main
      ? `not exists (from ${table})`
      : `exists (from ${main} m where ${haveSame(ofRow, 'm', 'r')}) and not exists (from ${table} t where ${haveSame(ofRow, 't', 'r')})`;
  await connection.run(`insert into ${table} by name select * from ${read} r where ${isMissing}`);
  const others = columns.filter(
    (column) => !key.includes(column) && !column.startsWith('_') && !['rest', 'removed_at'].includes(column),
  );
  if (others.length === 0) return;
  const isNew = others.map((column) => `t.${q(column)} is null and r.${q(column)} is not null`).join(' or ');
  const filled = others.map((column) => `${q(column)} = coalesce(t.${q(column)}, r.${q(column)})`);
  // Fields that became columns leave the rest.
  const set = [...filled, ...(columns.includes('rest') ? ['rest = r.rest'] : [])].join(', ');
  await connection.run(
    `update ${table} t set ${set} from ${read} r where ${haveSame(key, 't', 'r')} and (${isNew})`,
  );
}

export interface Drop {
  name: string;
  /** Also removes its lines of the raw archive. */
  fromArchive: boolean;
  /** A person has confirmed the amount. */
  isAgreed: boolean;
}

/**
 * Removes the tables of an own endpoint without a file, and its rows in `meta`.
 * @throws AnswerlakeError configuration (its file exists; nothing is stored; not confirmed, with the amount), locked, storage
 */
export async function dropEndpoint(context: SyncContext, drop: Drop) {
  const { config, effects } = context;
  const { name } = drop;
  if (config.catalogue.has(name))
    throw usageError([
      `endpoints drop ${name}: it is declared, so the next sync would recreate it.`,
      'Remove its file first',
    ]);
  return await withWarehouse(
    config,
    { now: effects.now() },
    async ({ database }) => await dropTables(await database.connect(), context, drop),
  );
}

async function dropTables(
  connection: Connection,
  context: SyncContext,
  { name, fromArchive, isAgreed }: Drop,
) {
  const { config } = context;
  const sql = "select table_name from meta.tables where schema_name = 'own' and endpoint = $1 order by 1";
  const tables = await connection.values(z.string(), sql, [name]);
  const rows: Record<string, number> = {};
  for (const table of tables)
    rows[`own.${table}`] = (await connection.value(z.number(), `select count(*) from own.${q(table)}`)) ?? 0;
  const lines = fromArchive ? await linesOf(config.raw.dir, name, false) : 0;
  if (tables.length === 0 && lines === 0) throw usageError(`endpoints drop ${name}: it has no stored data`);
  const what = [
    ...Object.entries(rows).map(([table, count]) => `${table} (${counted(count, 'row')})`),
    ...(fromArchive ? [`${counted(lines, 'line')} of the raw archive`] : []),
  ].join(', ');
  if (!isAgreed)
    throw usageError([`endpoints drop ${name} removes ${what}; nothing was removed.`, 'Add --yes to do it']);
  const names = tables.map((table) => quoteLiteral(`own.${table}`)).join(', ');
  await transaction(connection, async () => {
    for (const table of tables) await connection.run(`drop table own.${q(table)}`);
    for (const table of [...OF_ANSWERS, ...OF_ENDPOINT])
      await connection.run(`delete from meta.${table} where endpoint = $1`, [name]);
    if (names !== '')
      for (const table of OF_TABLES)
        await connection.run(`delete from meta.${table} where table_name in (${names})`);
    await connection.run('delete from meta.settings where name = $1', [`first_asked ${name}`]);
  });
  if (fromArchive) await linesOf(config.raw.dir, name, true);
  const made = await publishAnew(connection, context);
  return { endpoint: name, tables: rows, archive_lines: lines, published: made.path, removed: what };
}

/** Counts the lines of an endpoint in the raw archive, and removes them. @throws AnswerlakeError (storage) for a file that is damaged before its end, which may have more */
async function linesOf(dir: string, name: string, isRemoved: boolean): Promise<number> {
  if (!existsSync(dir)) return 0;
  let found = 0;
  for (const { path } of await archiveFiles(dir)) {
    const kept: string[] = [];
    const pages: number[] = [];
    for await (const line of archiveTexts(path, refuseDamage)) {
      const page = pageOf(line, name);
      if (page === null) kept.push(line);
      else pages.push(page);
    }
    found += pages.length;
    const [first, ...lines] = kept;
    if (!isRemoved || pages.length === 0 || first === undefined) continue;
    const header = headerSchema.parse(JSON.parse(first));
    // Each answer has one first page.
    const dropped = (header.dropped ?? 0) + pages.filter((page) => page === 1).length;
    const left = [JSON.stringify({ ...header, dropped }), ...lines].map((line) => `${line}\n`);
    replaceFile(path, gzipSync(left.join('')), 0o600);
  }
  return found;
}

/** What a kill cut off was never loaded. */
function refuseDamage({ path, line, what, isTail }: ArchiveDamage): void {
  if (isTail) return;
  const todo = 'restore the file from a backup, or move it away';
  throw storageError([`${path}:${String(line)}: ${what}, so nothing was removed;`, todo]);
}

const ofEndpoint = lineSchema.pick({ endpoint: true, page: true });

/** The page that a line holds of an answer of the endpoint; null for any other line. */
function pageOf(line: string, name: string): number | null {
  if (!line.includes(JSON.stringify(name))) return null;
  const read = ofEndpoint.safeParse(JSON.parse(line));
  return read.success && read.data.endpoint === name ? read.data.page : null;
}
