import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { usageError } from '../errors.ts';
import { inOrder, listArchivedRuns } from '../load/read-archive.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { publishAnew } from '../targets/publish-changed.ts';
import { type Connection, transaction } from '../warehouse/connection.ts';
import { randomName } from '../warehouse/database-files.ts';
import { quoteIdentifier as q, quoteLiteral } from '../warehouse/sql.ts';
import { readSetting } from '../warehouse/tables.ts';
import { openWarehouse, workingPath } from '../warehouse/working-file.ts';
import { ArchivedEndpoints } from './archived-endpoints.ts';
import { FOLDER, NO_TOTALS, replayRun } from './replay.ts';

/** Tables of `meta` with rows of an endpoint, and those with rows of its tables. */
const OF_ENDPOINT = ['asked_days', 'slices', 'rejects', 'drift'];
const OF_TABLES = ['vanishing', 'restatements'];
const REPLAYED = 'replayed';

interface Wanted {
  name: string;
  /** Makes its tables again, with another key or other types. */
  isRecreated: boolean;
}

/**
 * Fills new columns and lists of an endpoint of one's own from the raw archive, without a request and without restatements.
 * @throws AnswerlakeError configuration, locked, storage
 */
export async function replayEndpoint(context: SyncContext, { name, isRecreated }: Wanted) {
  const { config, effects } = context;
  const { catalogue, own, warehouse } = config;
  const startedAt = effects.now();
  if (!own.declarations.some((one) => one.name === name))
    throw usageError([
      `--endpoint ${name}: no file in ${config.endpointsDir} declares it.`,
      'Choose one that answerlake endpoints lists',
    ]);
  const folder = join(dirname(workingPath(warehouse.path)), `${FOLDER}${randomName()}`);
  mkdirSync(folder, { recursive: true });
  try {
    const options = { now: startedAt, recreated: isRecreated ? [name] : [] };
    await using working = await openWarehouse(config, options);
    const connection = await working.database.connect();
    const id = await readSetting(connection, 'warehouse_id');
    const apart = { ...config, warehouse: { path: join(folder, 'answers.duckdb') } };
    const rebuilt = await openWarehouse(apart, options);
    const totals = { ...NO_TOTALS };
    {
      await using copy = rebuilt;
      const target = await copy.database.connect();
      const losses = { damages: [], unknownEndpoints: new Map() };
      const endpoints = new ArchivedEndpoints(config, target, []);
      for (const run of inOrder(await listArchivedRuns(config.raw.dir)))
        if (run.run?.warehouse === id)
          await replayRun(context, target, { run, totals, losses, endpoints, only: name });
    }
    if (totals.answers === 0)
      throw usageError([`The raw archive has no answer of ${name};`, 'run answerlake sync']);
    await connection.run(`attach ${quoteLiteral(rebuilt.path)} as ${REPLAYED} (read_only)`);
    const tables = catalogue.named(name).outputs.map(({ table, key }) => ({ table, key }));
    await transaction(connection, async () => {
      if (isRecreated) await replaceRows(connection, name, tables);
      else for (const one of tables) await fillColumns(connection, one);
    });
    await connection.run(`detach ${REPLAYED}`);
    const made = await publishAnew(connection, context);
    return {
      endpoint: name,
      answers: totals.answers,
      duration_ms: effects.now() - startedAt,
      published: made.path,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A table of the endpoint by the name that `meta` has. */
interface OwnTable {
  table: string;
  key: readonly string[];
}

async function replaceRows(connection: Connection, name: string, tables: readonly OwnTable[]): Promise<void> {
  const names = tables.map(({ table }) => quoteLiteral(table)).join(', ');
  const replaced = [
    ...tables.map(({ table }) => [table, 'true'] as const),
    ...OF_ENDPOINT.map((table) => [`meta.${table}`, `endpoint = ${quoteLiteral(name)}`] as const),
    ...OF_TABLES.map((table) => [`meta.${table}`, `table_name in (${names})`] as const),
  ];
  for (const [table, where] of replaced) {
    await connection.run(`delete from ${table} where ${where}`);
    await connection.run(`insert into ${table} by name select * from ${REPLAYED}.${table} where ${where}`);
  }
}

/** Gives rows the values of columns in which none has one, and a list that no row has its entries. */
async function fillColumns(connection: Connection, { table, key }: OwnTable): Promise<void> {
  const named = z.object({ column_name: z.string() });
  const columns = (await connection.rowsAs(named, `describe ${table}`)).map((row) => row.column_name);
  const others = columns.filter(
    (column) => !key.includes(column) && !column.startsWith('_') && column !== 'removed_at',
  );
  const counts = ['count(*) as rows', ...others.map((column) => `count(${q(column)}) as ${q(column)}`)];
  const [counted = {}] = await connection.rows(`select ${counts.join(', ')} from ${table}`);
  if (Number(counted['rows']) === 0) {
    await connection.run(`insert into ${table} by name select * from ${REPLAYED}.${table}`);
    return;
  }
  const empty = others.filter((column) => Number(counted[column]) === 0);
  if (empty.length === 0) return;
  // What became a column is no longer part of the rest.
  const filled = others.includes('rest') && !empty.includes('rest') ? [...empty, 'rest'] : empty;
  const set = filled.map((column) => `${q(column)} = r.${q(column)}`).join(', ');
  const same = key.map((column) => `t.${q(column)} = r.${q(column)}`).join(' and ');
  await connection.run(`update ${table} t set ${set} from ${REPLAYED}.${table} r where ${same}`);
}
