import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { chosenIds, exceptedEndpoints } from '../config/choice.ts';
import { addDays, dayOf } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { storageError, usageError } from '../errors.ts';
import { type LoadRun, viewSettings } from '../load/load-run.ts';
import { readSettings, writeSettings } from '../warehouse/tables.ts';
import { runOfArchive, isArchivePart } from '../load/raw-archive.ts';
import { inOrder, listArchivedRuns, type ArchivedRun, readAnswers } from '../load/read-archive.ts';
import type { Log } from '../log.ts';
import { publishAnew } from '../targets/publish-changed.ts';
import { expectedOf } from '../plan/owed.ts';
import { readScopeValues, readStoredProjects, writeExpected } from '../run/planning-values.ts';
import { noteFirstAsked } from '../run/first-days.ts';
import { enterKnownRun } from '../run/run-record.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { type Connection, type PlainRow } from '../warehouse/connection.ts';
import { asideName, BEFORE_REPLAY, randomName, removeTemporaries } from '../warehouse/database-files.ts';
import { openWarehouse, workingPath } from '../warehouse/working-file.ts';
import { haveSame } from '../warehouse/sql.ts';
import { archivedEndpoints, type ArchivedEndpoints } from './archived-endpoints.ts';
import { answeredSlices, describeLosses, refuseLosses, type Losses } from './losses.ts';
import { Loader } from '../load/loader.ts';
import { settleLoad } from '../load/settle.ts';
import type { Answered } from '../load/prepare-answer.ts';
import { supersededAnswers } from '../load/ledger.ts';
import { SERIES_COLUMNS } from '../slice.ts';

/** The build file of a replay, next to the working file: with a random name. */
export const FOLDER = '.replay-';

/**
 * Rebuilds the warehouse from the raw archive without any request: next to the old working file, which it replaces once complete.
 * With `allowLoss` it continues even if the archive is damaged or lacks data of the warehouse.
 * @throws AnswerlakeError configuration (no archive and no data), locked, storage (also when something would be lost)
 */
export async function replayArchive(context: SyncContext, allowLoss: boolean) {
  const { config, effects, log } = context;
  const startedAt = effects.now();
  const found = existsSync(config.raw.dir) ? await listArchivedRuns(config.raw.dir) : [];
  const target = workingPath(config.warehouse.path);
  const start = join(dirname(target), FOLDER);
  const folder = `${start}${randomName()}`;
  let runs: ArchivedRun[] = [];
  const totals: Totals = { ...NO_TOTALS };
  const known: Losses = { damages: [], unknownEndpoints: new Map() };
  let losses: string[] = [];
  try {
    const rebuilt = await withOldFileHeld({ ...context, runs: found }, async (old) => {
      const none = [
        `${config.raw.dir}: there is no archived run, so nothing was replaced;`,
        'restore the raw archive, or correct raw.dir',
      ];
      if (found.length === 0) throw old.slices.length > 0 ? storageError(none) : usageError(none);
      runs = ownRuns(found, old, log);
      removeTemporaries(start);
      mkdirSync(folder, { recursive: true });
      const built = { ...config, warehouse: { path: join(folder, 'answers.duckdb') } };
      await using working = await openWarehouse(built, { now: startedAt });
      const connection = await working.database.connect();
      await writeSettings(connection, old.settings);
      for (const table of KEPT_TABLES)
        await connection.appendRows({ schema: 'meta', table, rows: old.tables.get(table) ?? [] });
      const read = new Map<string, number>();
      const endpoints = archivedEndpoints(config, connection, runs);
      for (const run of runs) {
        const answers = await replayRun(context, connection, { run, totals, losses: known, endpoints });
        const id = runOfArchive(run.path);
        read.set(id, (read.get(id) ?? 0) + answers);
      }
      const oldest = addDays(dayOf(effects.now()), -config.raw.keepDays);
      losses = await describeLosses(connection, { old, rawDir: config.raw.dir, read, oldest }, known);
      if (!allowLoss) refuseLosses(losses);
      await recallRefused(connection, old.refused);
      if ((old.tables.get('expected_series') ?? []).length === 0)
        await expectAgain(context, connection, runs);
      return working.path;
    });
    const replaced = setAside(target, startedAt);
    renameSync(rebuilt, target);
    for (const loss of losses) log.warn('replay.lost', { loss });
    log.info('replay.done', { runs: runs.length, ...totals });
    await using working = await openWarehouse(config, { now: effects.now() });
    const made = await publishAnew(await working.database.connect(), context);
    return {
      runs: runs.length,
      ...totals,
      /** Data missing from the archive that `--allow-loss` accepted, a sentence each. */
      losses,
      duration_ms: effects.now() - startedAt,
      published: made.path,
      /** The present path of the former working file; null without one. */
      replaced,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Holds the old working file while the new one is built, so that no sync writes rows that would be lost. */
async function withOldFileHeld(
  context: SyncContext & { runs: readonly ArchivedRun[] },
  build: (old: OldFile) => Promise<string>,
): Promise<string> {
  const { config, effects, runs } = context;
  const settings = viewSettings(config, newestRun(runs));
  await using old = await openWarehouse(config, { now: effects.now() });
  const connection = await old.database.connect();
  const tables = new Map<string, PlainRow[]>();
  for (const table of KEPT_TABLES) tables.set(table, await connection.rows(`select * from meta.${table}`));
  const known = [...(await readSettings(connection))].filter(([name]) => !name.startsWith('published'));
  return await build({
    runs: tables.get('runs') ?? [],
    tables,
    settings: { ...settings, ...Object.fromEntries(known) },
    slices: await answeredSlices(connection),
    refused: await connection.rows("select * from meta.asked_days where reason = 'too_old'"),
  });
}

/** Tables of `meta` that the archive does not contain: runs, the basis of gaps, parts that are not loaded again, and continuing alarms. */
const KEPT_TABLES = [
  'runs',
  'expected_series',
  'parts',
  'quotas',
  'alarms',
  'probes',
  'taught_lengths',
] as const;

/** State outside the archive. */
interface OldFile {
  runs: readonly PlainRow[];
  tables: ReadonlyMap<string, readonly PlainRow[]>;
  settings: Record<string, string>;
  slices: readonly PlainRow[];
  /** Days that the server no longer has. */
  refused: readonly PlainRow[];
}

/**
 * The files of this warehouse, in the order of its runs; if no warehouse is left, the archive identifies it.
 * @throws AnswerlakeError (configuration) when no warehouse is left and the archive has files of several
 */
function ownRuns(found: readonly ArchivedRun[], { settings }: OldFile, log: Log): ArchivedRun[] {
  const ids = new Set(found.flatMap(({ run }) => run?.warehouse ?? []));
  const [first, ...others] = ids;
  const own = settings['warehouse_id'] ?? first;
  if (settings['warehouse_id'] === undefined && others.length > 0)
    throw usageError([
      `The raw archive has runs of ${String(ids.size)} warehouses, and no warehouse file shows which one is this one's;`,
      'give each its own raw.dir',
    ]);
  if (own !== undefined) settings['warehouse_id'] = own;
  const isOwn = ({ run }: ArchivedRun): boolean => run === null || run.warehouse === own;
  for (const { path } of found.filter((run) => !isOwn(run))) log.info('replay.other_warehouse', { path });
  return inOrder(found.filter(isOwn));
}

/** The archive contains no refusals. */
async function recallRefused(connection: Connection, refused: readonly PlainRow[]): Promise<void> {
  await connection.run('create or replace temp table too_old as select * from meta.asked_days limit 0');
  await connection.appendRows({ catalog: 'temp', table: 'too_old', rows: refused });
  await connection.run(
    `insert into meta.asked_days select * from temp.too_old r
     where not exists (from meta.asked_days a where ${haveSame([...SERIES_COLUMNS, 'date'], 'a', 'r')})`,
  );
}

/** Without an old file, the configuration and the known projects determine the expected series. */
async function expectAgain({ config }: SyncContext, connection: Connection, runs: readonly ArchivedRun[]) {
  const run = newestRun(runs);
  if (run === undefined) return;
  const known = await readStoredProjects(connection);
  const projects = config.accounts.flatMap((account) =>
    chosenIds(account, known).map((projectId) => ({
      projectId,
      except: exceptedEndpoints(account.except, known, projectId),
    })),
  );
  const ids = projects.map(({ projectId }) => projectId);
  const valuesOf = await readScopeValues({ connection, config, run }, ids);
  await writeExpected({ connection, config }, ids, expectedOf(config, projects, valuesOf));
}

function newestRun(runs: readonly ArchivedRun[]): LoadRun | undefined {
  return runs.flatMap(({ run }) => run ?? []).at(-1);
}

function setAside(path: string, now: number): string | null {
  if (!existsSync(path)) return null;
  const moved = asideName(path, BEFORE_REPLAY, now);
  renameSync(path, moved);
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${moved}.wal`);
  return moved;
}

/** Answers that are loaded at once. */
const BATCH = 400;

/** Counts of the answers so far. */
export const NO_TOTALS = {
  answers: 0,
  slices_loaded: 0,
  slices_failed: 0,
  rows_received: 0,
  rows_rejected: 0,
};
type Totals = typeof NO_TOTALS;

/** A file of the archive while it is replayed. */
export interface ReplayedRun {
  run: ArchivedRun;
  totals: Totals;
  losses: Losses;
  endpoints: ArchivedEndpoints;
  /** Left out: all endpoints. */
  only?: string;
}

/** Loads the answers of one file as its run did. @returns the number of complete answers that the file had @throws AnswerlakeError (storage) */
export async function replayRun(
  context: { signal: AbortSignal; version: string },
  connection: Connection,
  { run: { path, run }, totals, losses, endpoints, only }: ReplayedRun,
): Promise<number> {
  const answers = readAnswers(path, (damage) => losses.damages.push(damage));
  if (run === null) {
    for await (const _ of answers);
    return 0;
  }
  const { version } = context;
  await enterKnownRun(connection, run, { status: 'ok', version, message: 'rebuilt from the raw archive' });
  // The look-back of the run, from its record if there is one.
  const sql = 'select configured_lookback_days from meta.runs where run_id = $1';
  const lookbackDays = await connection.value(z.number().nullable(), sql, [run.runId]);
  const loadRun = { ...run, lookbackDays: lookbackDays ?? run.lookbackDays };
  const loader = new Loader({ connection, run: loadRun, archive: null });
  let batch: Answered[] = [];
  const flush = async (): Promise<void> => {
    // Parts of a run have no order; the queue's loader skipped those that arrived too late.
    const superseded = isArchivePart(path)
      ? await supersededAnswers(
          connection,
          batch.map(({ answer }) => answer),
          run,
        )
      : new Set();
    const fresh = batch.filter((_, index) => !superseded.has(index));
    for (const entry of await loader.load(fresh)) {
      totals.answers += 1;
      if (entry.status === 'failed') totals.slices_failed += 1;
      else totals.slices_loaded += 1;
      totals.rows_rejected += entry.counts.rejected;
      totals.rows_received += entry.counts.received;
    }
    batch = [];
  };
  let read = run.dropped ?? 0;
  const asked = new Set<Endpoint>();
  for await (const { answer } of answers) {
    const { endpoint: name } = answer.slice;
    if (only !== undefined && name !== only) continue;
    read += 1;
    const endpoint = await endpoints.of(answer);
    if (endpoint === null) {
      losses.unknownEndpoints.set(name, (losses.unknownEndpoints.get(name) ?? 0) + 1);
      continue;
    }
    asked.add(endpoint);
    // An endpoint's definition must not change within a batch.
    if (batch.some((one) => one.endpoint.name === name && one.endpoint !== endpoint)) await flush();
    batch.push({ kind: 'answered', endpoint, answer });
    if (batch.length < BATCH) continue;
    context.signal.throwIfAborted();
    await flush();
  }
  await flush();
  await noteFirstAsked(connection, asked, run.syncDay);
  await settleLoad(connection, loadRun, endpoints.all());
  return read;
}
