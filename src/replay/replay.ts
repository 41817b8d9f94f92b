import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { chosenIds, exceptedEndpoints } from '../config/choice.ts';
import { addDays, daySchema, dayOf, type Day } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { storageError, usageError } from '../errors.ts';
import { freshAnswers } from '../load/ledger.ts';
import { type LoadRun, viewSettings } from '../load/load-run.ts';
import { Loader } from '../load/loader.ts';
import type { Answered } from '../load/prepare-answer.ts';
import { archivePath, runOfArchive, isArchivePart } from '../load/raw-archive.ts';
import * as archive from '../load/read-archive.ts';
import type { ArchivedRun } from '../load/read-archive.ts';
import { settleLoad } from '../load/settle.ts';
import type { Log } from '../log.ts';
import { expectedOf } from '../plan/owed.ts';
import { counted } from '../quantity.ts';
import { noteFirstAsked } from '../run/taught.ts';
import { readScopeValues, writeExpected } from '../run/planning-values.ts';
import { readStoredProjects } from '../run/stored-projects.ts';
import { enterKnownRun } from '../run/run-record.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { SERIES_COLUMNS, SLICE_COLUMNS } from '../slice.ts';
import { publishAnew } from '../targets/publish-changed.ts';
import type { Connection, PlainRow } from '../warehouse/connection.ts';
import {
  asideName,
  BEFORE_REPLAY,
  randomName,
  removeTemporaries,
  REPLAY_FOLDER,
} from '../warehouse/database-files.ts';
import { haveSame, readSql } from '../warehouse/sql.ts';
import { readSettings, writeSettings } from '../warehouse/tables.ts';
import { openWarehouse, withWarehouse, type WorkingFile, workingPath } from '../warehouse/working-file.ts';
import { archivedEndpoints, type ArchivedEndpoints } from './archived-endpoints.ts';

/**
 * Rebuilds the warehouse from the raw archive without any request: next to the old working file, which it replaces once complete.
 * With `allowLoss` it continues even if the archive is damaged or lacks data of the warehouse.
 * @throws AnswerlakeError configuration (no archive and no data), locked, storage (also when something would be lost)
 */
export async function replayArchive(context: SyncContext, allowLoss: boolean) {
  const { config, effects, log } = context;
  const startedAt = effects.now();
  const target = workingPath(config.warehouse.path);
  const folder = join(dirname(target), `${REPLAY_FOLDER}${randomName()}`);
  try {
    const { path, runs, totals, losses, isPartial } = await withWarehouse(
      config,
      { now: startedAt },
      async (held) => await rebuild(context, { held, folder, allowLoss }),
    );
    const replaced = setAside(target, startedAt);
    renameSync(path, target);
    for (const loss of losses) log.warn('replay.lost', { loss });
    log.info('replay.done', { runs: runs.length, ...totals });
    await using working = await openWarehouse(config, { now: effects.now() });
    const made = await publishAnew(await working.database.connect(), context);
    return {
      /** 3: slices that cannot be read again, where no old ledger has them as failed too. */
      exit_code: isPartial ? (3 as const) : (0 as const),
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

interface Rebuilding {
  /** The old working file: while it is held, no sync writes rows that would be lost. */
  held: WorkingFile;
  folder: string;
  allowLoss: boolean;
}

/** Builds the new file. */
async function rebuild(context: SyncContext, { held, folder, allowLoss }: Rebuilding) {
  const { config, effects, log } = context;
  const { raw } = config;
  const now = effects.now();
  const found = await archive.listArchivedRuns(raw.dir);
  const old = await readOld(await held.database.connect());
  const none = [
    `${raw.dir}: there is no archived run, so nothing was replaced;`,
    'restore the raw archive, or correct raw.dir',
  ];
  if (found.length === 0) throw old.slices.length > 0 ? storageError(none) : usageError(none);
  const settings = { ...viewSettings(config, newestRun(found)), ...Object.fromEntries(old.settings) };
  const runs = ownRuns(found, settings, log);
  removeTemporaries(join(dirname(folder), REPLAY_FOLDER));
  mkdirSync(folder, { recursive: true });
  const built = { ...config, warehouse: { path: join(folder, 'answers.duckdb') } };
  await using working = await openWarehouse(built, { now });
  const connection = await working.database.connect();
  await writeSettings(connection, settings);
  for (const [table, rows] of old.tables) await connection.appendRows({ schema: 'meta', table, rows });
  const totals: Totals = { ...NO_TOTALS };
  const known: Losses = { damages: [], unknownEndpoints: new Map() };
  /** Number of complete answers in the files of each run. */
  const read = new Map<string, number>();
  const endpoints = archivedEndpoints(config, connection, runs);
  for (const run of runs) {
    const answers = await replayRun(context, connection, { run, totals, losses: known, endpoints });
    const id = runOfArchive(run.path);
    read.set(id, (read.get(id) ?? 0) + answers);
  }
  // Files of earlier runs were removed because of their age.
  const oldest = addDays(dayOf(effects.now()), -raw.keepDays);
  const losses = await describeLosses(connection, { old, rawDir: raw.dir, read, oldest }, known);
  if (losses.length > 0 && !allowLoss)
    throw storageError([
      `The raw archive is incomplete, so nothing was replaced:\n  ${losses.join('\n  ')}\n`,
      'Restore these files from a backup, or use --allow-loss to continue without the missing data.',
    ]);
  await recallRefused(connection, old.refused);
  if ((old.tables.get('expected_series') ?? []).length === 0) await expectAgain(context, connection, runs);
  const failed = await connection.rows("select 1 from meta.slices where status = 'failed' limit 1");
  // Closing ignores a checkpoint that fails (a full disk), and the rows would stay behind in the log.
  await connection.run('checkpoint');
  return { path: working.path, runs, totals, losses, isPartial: !old.hasLedger && failed.length > 0 };
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

const KEPT = [...SLICE_COLUMNS, 'sync_day', 'run_id', 'fetched_at'] as const;

type Old = Awaited<ReturnType<typeof readOld>>;

/** The state outside the archive. */
async function readOld(connection: Connection) {
  const tables = new Map<(typeof KEPT_TABLES)[number], PlainRow[]>();
  for (const table of KEPT_TABLES) tables.set(table, await connection.rows(`select * from meta.${table}`));
  return {
    tables,
    settings: [...(await readSettings(connection))].filter(([name]) => !name.startsWith('published')),
    hasLedger: (await connection.rows('select 1 from meta.slices limit 1')).length > 0,
    /** The ledger's slices that have an answer. */
    slices: await connection.rows(`select ${KEPT.join(', ')} from meta.slices where status <> 'failed'`),
    /** Days that the server no longer has. */
    refused: await connection.rows("select * from meta.asked_days where reason = 'too_old'"),
  };
}

/**
 * The files of this warehouse, in the order of its runs; if no warehouse is left, the archive identifies it.
 * @throws AnswerlakeError (configuration) when no warehouse is left and the archive has files of several
 */
function ownRuns(found: readonly ArchivedRun[], settings: Record<string, string>, log: Log): ArchivedRun[] {
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
  return archive.inOrder(found.filter(isOwn));
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
  // A project that several accounts choose is expected once: nothing says here whose key reaches it.
  const chosen = new Set(config.accounts.flatMap((account) => chosenIds(account, known)));
  const projects = [...chosen].map((projectId) => ({
    projectId,
    except: config.accounts.flatMap(({ except }) => exceptedEndpoints(except, known, projectId)),
  }));
  const ids = [...chosen];
  const valuesOf = await readScopeValues({ connection, config, run }, ids);
  await writeExpected(connection, ids, expectedOf(config, projects, valuesOf));
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
  const answers = archive.readAnswers(path, (damage) => losses.damages.push(damage));
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
    const arrived = batch.map(({ answer }) => answer);
    const fresh = new Set(isArchivePart(path) ? await freshAnswers(connection, arrived, run) : arrived);
    for (const entry of await loader.load(batch.filter(({ answer }) => fresh.has(answer)))) {
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
    if (endpoint === 'other') {
      totals.answers += 1;
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

/** The findings while the archive is read. */
interface Losses {
  damages: archive.ArchiveDamage[];
  /** Answers of endpoints that the catalogue no longer has. */
  unknownEndpoints: Map<string, number>;
}

/** Slices of one run, by the day of its file. */
const runSlices = z.object({ run_id: z.string(), day: daySchema, slices: z.number() });

/** One sentence per loss of the rebuilt warehouse. A torn end is no loss if the ledger proves that nothing after it was loaded. */
async function describeLosses(
  connection: Connection,
  { old, rawDir, read, oldest }: { old: Old; rawDir: string; read: ReadonlyMap<string, number>; oldest: Day },
  { damages, unknownEndpoints }: Losses,
): Promise<string[]> {
  // Slices that the old ledger has and the rebuilt one lacks, by the file that should contain them.
  await connection.run(
    `create or replace temp table old_slices as select ${KEPT.join(', ')} from meta.slices limit 0`,
  );
  await connection.appendRows({ catalog: 'temp', table: 'old_slices', rows: old.slices });
  const same = haveSame([...SERIES_COLUMNS, 'window_start'], 'n', 'o');
  const lost = readSql('replay/missing-slices', { same });
  const ofLedger = await connection.rowsAs(runSlices, lost, [[...unknownEndpoints.keys()]]);
  await connection.run('drop table old_slices');
  // What each run loaded in addition to the answers of its files: later answers replaced it in the ledger, but not in the tables that keep each day.
  const loaded = await connection.rowsAs(runSlices, readSql('replay/loaded-runs'), [oldest]);
  const named = new Set(ofLedger.map(({ run_id: id }) => id));
  const ofRuns = loaded
    .map((run) => ({ ...run, slices: run.slices - (read.get(run.run_id) ?? 0) }))
    .filter(({ slices, run_id: id }) => slices > 0 && !named.has(id));
  const known = new Set(old.tables.get('runs')?.map((row) => row['run_id']));
  const torn = damages.filter(({ path, isTail }) => !isTail || !known.has(runOfArchive(path)));
  return [
    ...torn.map(({ path, line, what }) => `${path}:${String(line)}: ${what}`),
    ...[...ofLedger, ...ofRuns].map(
      ({ day, run_id: id, slices }) =>
        `${archivePath(rawDir, day, id)}: lacks ${counted(slices, 'slice')} of the warehouse`,
    ),
    ...[...unknownEndpoints].map(
      ([endpoint, answers]) =>
        `${counted(answers, 'answer')} of ${endpoint}, an endpoint that no longer exists`,
    ),
  ];
}
