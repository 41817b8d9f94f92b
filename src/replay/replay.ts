import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import { readLimits } from '../load/limits.ts';
import { Loader } from '../load/loader.ts';
import { listArchivedRuns, readAnswers, type ArchivedRun } from '../load/read-archive.ts';
import type { Log } from '../log.ts';
import { publish } from '../publish/publish.ts';
import type { Connection } from '../warehouse/connection.ts';
import { openWorkingFile, workingPath } from '../warehouse/working-file.ts';
import { viewSettings, writeSettings } from '../load/settings.ts';

export interface ReplayContext {
  config: Config;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
  version: string;
}

export interface ReplayReport {
  runs: number;
  answers: number;
  slices_loaded: number;
  slices_failed: number;
  rows_received: number;
  rows_rejected: number;
  duration_ms: number;
  published: string;
  /** Where the previous working file is now; null when there was none. */
  replaced: string | null;
}

/** Answers per transaction. */
const BATCH = 100;

/**
 * Rebuilds the warehouse from the raw archive without any request: next to the old working file, and in its place once it
 * is complete. With `allowLoss` it continues although the archive lacks runs that the warehouse has.
 * @throws AnswerlakeError configuration (no archive, or it would lose runs), locked, storage
 */
export async function replayArchive(context: ReplayContext, allowLoss: boolean): Promise<ReplayReport> {
  const { config, effects, log } = context;
  const startedAt = effects.now();
  const runs = existsSync(config.raw.dir) ? await listArchivedRuns(config.raw.dir) : [];
  if (runs.length === 0) {
    throw new AnswerlakeError(
      `${config.raw.dir}: there is no archived run; replay needs the raw archive (raw.dir)`,
      {
        class: 'configuration',
      },
    );
  }
  const target = workingPath(config.warehouse.path);
  const folder = join(dirname(target), `.replay-${String(process.pid)}`);
  const totals = { answers: 0, slices_loaded: 0, slices_failed: 0, rows_received: 0, rows_rejected: 0 };
  try {
    const rebuilt = await withOldFileHeld({ ...context, runs, allowLoss }, async (old) => {
      mkdirSync(folder, { recursive: true });
      const working = await openWorkingFile({
        publishedPath: join(folder, 'answers.duckdb'),
        now: startedAt,
      });
      await using database = working.database;
      const connection = await database.connect();
      await writeSettings(connection, old.settings);
      await copyRows(connection, 'runs', old.runs);
      await copyRows(connection, 'expected_series', old.expectedSeries);
      for (const run of runs) {
        context.signal.throwIfAborted();
        await replayRun(context, connection, { run, totals });
      }
      return working.path;
    });
    const replaced = setAside(target, startedAt);
    renameSync(rebuilt, target);
    log.info('replay.done', { runs: runs.length, ...totals });
    const working = await openWorkingFile({ publishedPath: config.warehouse.path, now: effects.now() });
    await using database = working.database;
    const { path: targetPath, storageVersion } = config.warehouse;
    const published = await publish({
      connection: await database.connect(),
      targetPath,
      storageVersion,
      now: effects.now(),
    });
    return {
      runs: runs.length,
      ...totals,
      duration_ms: effects.now() - startedAt,
      published: published.path,
      replaced,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Holds the old working file while the new one is built, so that no sync writes rows that would be lost. */
async function withOldFileHeld(
  context: ReplayContext & { runs: readonly ArchivedRun[]; allowLoss: boolean },
  build: (old: OldFile) => Promise<string>,
): Promise<string> {
  const { config, effects, runs, allowLoss } = context;
  const old = await openWorkingFile({ publishedPath: config.warehouse.path, now: effects.now() });
  await using database = old.database;
  const connection = await database.connect();
  if (!allowLoss) await assertNothingLost(connection, runs, config.raw.dir);
  return await build({
    settings: await settingsOf(connection, context, runs),
    runs: await connection.rows('select * from meta.runs'),
    expectedSeries: await connection.rows('select * from meta.expected_series'),
  });
}

/** What the archive does not contain. */
interface OldFile {
  settings: Record<string, string>;
  runs: Record<string, unknown>[];
  /** Without them gaps cannot be found. */
  expectedSeries: Record<string, unknown>[];
}

async function copyRows(
  connection: Connection,
  table: string,
  copied: readonly Record<string, unknown>[],
): Promise<void> {
  const [first] = copied;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const rows = copied.map((row) => columns.map((column) => row[column]));
  await connection.appendRows({ schema: 'meta', table, columns, rows });
}

async function assertNothingLost(
  connection: Connection,
  runs: readonly ArchivedRun[],
  dir: string,
): Promise<void> {
  const [lost] = await connection.rowsAs(
    z.object({ runs: z.number(), first: z.string().nullable() }),
    `select count(distinct run_id) as runs, min(fetched_at) as first from meta.slices
     where status <> 'failed' and run_id not in (select unnest($1::varchar[]))`,
    [runs.map(({ run }) => run.runId)],
  );
  if (lost === undefined || lost.runs === 0) return;
  throw new AnswerlakeError(
    `${dir}: the warehouse has slices of ${String(lost.runs)} runs that the archive lacks (the first from ${String(lost.first)}); ` +
      'replay would lose them. Use --allow-loss to accept that',
    { class: 'configuration' },
  );
}

async function settingsOf(
  connection: Connection,
  { config }: ReplayContext,
  runs: readonly ArchivedRun[],
): Promise<Record<string, string>> {
  const rows = await connection.rowsAs(
    z.object({ name: z.string(), value: z.string().nullable() }),
    "select name, value from meta.settings where not starts_with(name, 'published')",
  );
  return {
    ...viewSettings(config, runs.at(-1)?.run.syncDay ?? ''),
    ...Object.fromEntries(
      rows.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])),
    ),
  };
}

interface Totals {
  answers: number;
  slices_loaded: number;
  slices_failed: number;
  rows_received: number;
  rows_rejected: number;
}

async function replayRun(
  context: ReplayContext,
  connection: Connection,
  { run: { path, run }, totals }: { run: ArchivedRun; totals: Totals },
): Promise<void> {
  const started = new Date(run.startedAt).toISOString();
  await connection.run(
    `insert into meta.runs (run_id, started_at, finished_at, sync_day, status, base_url, error_message, version)
     select $1, cast($2 as timestamp), cast($2 as timestamp), cast($3 as date), 'ok', $4, 'rebuilt from the raw archive', $5
     where not exists (from meta.runs where run_id = $1)`,
    [run.runId, started, run.syncDay, run.baseUrl, context.version],
  );
  const { endInclusive } = await readLimits(connection, run.baseUrl);
  const loader = new Loader({
    connection,
    run,
    archive: null,
    endInclusive,
  });
  let batch: Parameters<Loader['load']>[0][number][] = [];
  const flush = async (): Promise<void> => {
    for (const entry of await loader.load(batch)) {
      totals.answers += 1;
      if (entry.status === 'failed') totals.slices_failed += 1;
      else totals.slices_loaded += 1;
      totals.rows_rejected += entry.rejects.length;
      totals.rows_received += entry.counts.staged + entry.rejects.length;
    }
    batch = [];
  };
  for await (const { answer } of readAnswers(path)) {
    batch.push({ kind: 'answered', answer });
    if (batch.length >= BATCH) await flush();
  }
  await flush();
}

function setAside(path: string, now: number): string | null {
  const moved = `${path}.before-replay-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  if (!existsSync(path)) return null;
  renameSync(path, moved);
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${moved}.wal`);
  return moved;
}
