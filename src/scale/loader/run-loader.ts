import { existsSync } from 'node:fs';
import pLimit from 'p-limit';
import { z } from 'zod';
import { AnswerlakeError, errorClassOf, exitCodeOf, messageOf, usageError } from '../../errors.ts';
import type { ExitCode } from '../../errors.ts';
import { readWarehouseId, warehouseId } from '../../load/load-run.ts';
import { logNotices, closeFile } from '../../run/run-file.ts';
import type { RunReport } from '../../run/run-to-end.ts';
import { requestSchema, type SyncContext, type SyncRequest } from '../../run/sync-request.ts';
import type { Secret } from '../../secret.ts';
import { publishChanged } from '../../targets/publish-changed.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { readSetting, writeSettings } from '../../warehouse/tables.ts';
import * as warehouse from '../../warehouse/working-file.ts';
import { identifyZone, readZoneId, requireSameZone, waitingZone, type Zone } from '../landing/zone.ts';
import { openJobs, type Jobs, type TakenJob } from '../queue/jobs.ts';
import * as processes from '../queue/processes.ts';
import type { Postgres } from '../queue/postgres.ts';
import { readQueueSetting, ROUND_QUEUE, RUN_QUEUE, writeSetting } from '../queue/schema.ts';
import { openIntake, takenNothing } from './intake.ts';
import { runThroughWorkers, type QueuedRunParts } from './queued-run.ts';

const POLL_MS = 500;

export interface LoaderRequest {
  context: SyncContext;
  url: Secret;
  zone: Zone;
  heartbeat: processes.Heartbeat;
  /** Around each run: notifications. */
  notifying: (request: SyncRequest, run: () => Promise<RunReport>) => Promise<RunReport>;
}

const SUPERVISE_MS = 1_000;

/** Loads and plans until the signal; waits as standby while another loader is at work. @throws AnswerlakeError configuration; storage or locked if it cannot begin */
export async function runLoader(request: LoaderRequest): Promise<ExitCode> {
  return await processes.reconnecting('loader', request, (begun) => loadWhileConnected(request, begun));
}

async function loadWhileConnected(request: LoaderRequest, begun: () => void): Promise<void> {
  const { context, url, zone, heartbeat } = request;
  const { effects, log } = context;
  await using jobs = await openJobs(url);
  const requireOwnZone = async (own: string | null): Promise<void> =>
    requireSameZone(zone, own, await readQueueSetting(jobs.postgres, 'zone'));
  await requireOwnZone(await readZoneId(zone));
  await requireSomeWarehouse(context.config.warehouse.path, jobs.postgres);
  await using presence = await processes.openPresence('standby', request);
  const { lossSignal } = presence;
  lossSignal.addEventListener('abort', () => void jobs.postgres[Symbol.asyncDispose]());
  const signal = AbortSignal.any([context.signal, lossSignal]);
  // Its session holds it until it ends.
  const hasLock = async (): Promise<boolean> =>
    (await processes.tryLock(presence.session, 'loader')) !== null;
  for (let isFirst = true; !(await hasLock()); isFirst = false) {
    begun();
    if (isFirst) log.info('loader.standby', { loader: presence.id });
    // A loader that hangs keeps its lock until its session is ended.
    await processes.removeDead(jobs.postgres, heartbeat.deadMs, log);
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
    if (context.signal.aborted) return;
    lossSignal.throwIfAborted();
  }
  await presence.show({ kind: 'loader' });
  // Only the holder of the lock names the zone: two loaders that start together would give it two ids.
  const own = await identifyZone(zone);
  await requireOwnZone(own);
  await writeSetting(jobs.postgres, 'zone', own);
  log.info('loader.ready', { loader: presence.id, landing: zone.place });
  const over = new AbortController();
  const supervising = supervise(jobs, request, AbortSignal.any([signal, over.signal]));
  const { reportZone: report } = presence;
  const patient = waitingZone(zone, { effects, pauseMs: heartbeat.reconnectMs, signal, report });
  try {
    const own = { ...context, signal, lossSignal };
    await serveRuns({ ...request, zone: patient, context: own, jobs, presence, begun });
  } finally {
    over.abort();
    await supervising;
  }
  lossSignal.throwIfAborted();
}

/** Returns the rounds of processes that have stopped. */
async function supervise(jobs: Jobs, request: LoaderRequest, signal: AbortSignal): Promise<void> {
  const { context, heartbeat } = request;
  const { effects, log } = context;
  while (!signal.aborted) {
    try {
      await processes.removeDead(jobs.postgres, heartbeat.deadMs, log);
      for (const job of await processes.orphanedRounds(jobs.postgres, heartbeat.deadMs)) {
        await jobs.fail(ROUND_QUEUE, job, 'the worker is gone');
        log.warn('round.orphaned', { job });
      }
    } catch (error) {
      log.warn('supervision.failed', { reason: messageOf(error) });
    }
    await effects.sleep(SUPERVISE_MS, signal).catch(() => undefined);
  }
}

export interface ActiveLoader extends LoaderRequest {
  jobs: Jobs;
  presence: processes.Presence;
  /** Called once the working file is open. */
  begun: () => void;
}

/** Serves the runs of the queue until the signal, with the working file open; between two runs the file is compacted if that pays. */
export async function serveRuns(loader: ActiveLoader): Promise<void> {
  const { context } = loader;
  const { config, effects, signal } = context;
  while (!signal.aborted) {
    const working = await warehouse.openWarehouse(config, { now: effects.now() });
    try {
      loader.begun();
      await serveWithFile(loader, working);
    } catch (error) {
      working.database.close();
      throw error;
    }
    await closeFile(working, context);
  }
}

/** Returns after the signal, or when the file has many free blocks. */
async function serveWithFile(
  loader: ActiveLoader,
  { database, notices }: warehouse.WorkingFile,
): Promise<void> {
  const { context, zone, jobs, presence } = loader;
  const { config, effects, log, signal } = context;
  logNotices(notices, log);
  const connection = await database.connect();
  await requireSameWarehouse(connection, jobs.postgres, async () => {
    if (!existsSync(config.warehouse.path)) return;
    // The next run that has something to publish reports the failure.
    await publishChanged(connection, context).catch((error: unknown) =>
      log.warn('loader.not_published', { reason: messageOf(error) }),
    );
  });
  const limitWrites = pLimit(1);
  const intake = openIntake({ ...context, zone, connection, limitWrites });
  const parts = { ...loader, intake, connection, limitWrites };
  await presence.show({ detail: () => intake.counts() });
  await takeOver(parts);
  while (!signal.aborted) {
    const job = await jobs.take(RUN_QUEUE);
    if (job === null) await effects.sleep(POLL_MS, signal).catch(() => undefined);
    else if (await runOne(job, parts).then(() => warehouse.hasManyFreeBlocks(connection))) return;
  }
}

/** A worker lands the answers of a cancelled round within this time: see `SHUTDOWN_MS` of the worker. */
const MAX_HANDOVER_MS = 25_000;

/** Ends the runs and rounds that an earlier loader left, and loads their parts. */
async function takeOver({ context, jobs, intake, connection }: QueuedRunParts): Promise<void> {
  const { effects, log, signal } = context;
  for (const { id, state } of await jobs.open(RUN_QUEUE)) {
    if (state === 'active') await jobs.fail(RUN_QUEUE, id, 'the loader is gone');
  }
  const left = await jobs.open(ROUND_QUEUE);
  for (const { id } of left) await jobs.cancel(ROUND_QUEUE, id);
  const areWorkersBusy = async (): Promise<boolean> => {
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
    const known = await processes.knownProcesses(jobs.postgres);
    return known.some(({ is_alive: isAlive, detail }) => isAlive && detail.round !== undefined);
  };
  const until = effects.now() + MAX_HANDOVER_MS;
  if (left.some(({ state }) => state === 'active'))
    while (!signal.aborted && effects.now() < until && (await areWorkersBusy())) continue;
  const taken = takenNothing();
  await intake.take('', () => taken);
  if (taken.results.length === 0) return;
  log.info('loader.caught_up', { slices: taken.results.length });
  await publishChanged(connection, context);
}

async function runOne(job: TakenJob, parts: QueuedRunParts & LoaderRequest): Promise<void> {
  const { jobs, context, intake, notifying } = parts;
  const { log, signal } = context;
  await jobs.hold(job.id);
  const read = requestSchema.safeParse(job.data);
  const complete = (output: object): Promise<void> => jobs.complete(RUN_QUEUE, job.id, output);
  const unread = 'the request for the run cannot be read';
  if (!read.success) return await complete({ exit_code: 2, class: 'configuration', message: unread });
  if (await completeAgain(job, parts)) return log.info('run.ended_before', { job: job.id });
  const wanted = read.data;
  // The next loader takes the run.
  const handBack = (): Promise<void> =>
    jobs.fail(RUN_QUEUE, job.id, 'the loader was stopped').catch(() => undefined);
  try {
    const report = await notifying(wanted, () => runThroughWorkers(wanted, parts));
    if (report.status === 'stopped') await handBack();
    else await completeRun(job, report, parts);
    await intake.prune();
    log.info('run.ended', { run: report.run_id, exit_code: report.exit_code });
  } catch (error) {
    if (signal.aborted) return await handBack();
    log.error('run.failed', { error });
    const exitCode = exitCodeOf(error);
    const parts = error instanceof AnswerlakeError ? error.parts : undefined;
    await complete({ exit_code: exitCode, class: errorClassOf(error), message: messageOf(error), parts });
    if (exitCode === 1 || exitCode === 7) throw error;
  }
}

/** In `meta.settings` of the working file, until the queue has it too. */
const ENDED_RUN = 'ended_run';
const endedSchema = z.object({ job: z.string(), report: z.custom<RunReport>() });

type EndedParts = Pick<QueuedRunParts, 'connection'> & { jobs: Pick<Jobs, 'complete' | 'find'> };

/** Completes a run in the queue; if the queue misses it, `completeAgain` repeats it. @throws AnswerlakeError (storage) */
export async function completeRun({ id }: TakenJob, report: RunReport, parts: EndedParts): Promise<void> {
  const { connection, jobs } = parts;
  await writeSettings(connection, { [ENDED_RUN]: JSON.stringify({ job: id, report }) });
  await jobs.complete(RUN_QUEUE, id, { report });
  // The queue reports no error if the job is no longer active.
  const [found] = await jobs.find(RUN_QUEUE, [id]);
  if (found?.state === 'completed')
    await connection.run('delete from meta.settings where name = $1', [ENDED_RUN]);
}

/** True if the run of a job had ended and the queue missed it: a second run would cost as much as the first. */
export async function completeAgain(job: TakenJob, parts: EndedParts): Promise<boolean> {
  const value = await readSetting(parts.connection, ENDED_RUN);
  const ended = endedSchema.safeParse(JSON.parse(value ?? 'null'));
  if (!ended.success || ended.data.job !== job.id) return false;
  await completeRun(job, ended.data.report, parts);
  return true;
}

/** Requires the working file that this queue is loaded into; the first one becomes it. Another one would replace what readers and targets have. @throws AnswerlakeError (configuration) */
export async function requireSameWarehouse(
  connection: Connection,
  postgres: Postgres,
  publish: () => Promise<void>,
): Promise<void> {
  const own = await readWarehouseId(connection);
  const queue = await readQueueSetting(postgres, 'warehouse');
  if (queue !== null && queue !== own) throw otherWarehouse(connection.path);
  const id = await warehouseId(connection);
  // A lost working file is made from the published one, which must have the id before the queue requires it.
  if (queue === null) await publish();
  await writeSetting(postgres, 'warehouse', id);
}

/** Requires that some working file exists, before it is opened: a standby must share the disk of the loader. @throws AnswerlakeError (configuration) */
export async function requireSomeWarehouse(publishedPath: string, postgres: Postgres): Promise<void> {
  const path = warehouse.workingPath(publishedPath);
  if (existsSync(path) || existsSync(publishedPath)) return;
  if ((await readQueueSetting(postgres, 'warehouse')) !== null) throw otherWarehouse(path);
}

function otherWarehouse(path: string): AnswerlakeError {
  return usageError([
    `${path} is not the working file that this queue is loaded into: loader and standby must share its disk.`,
    'Mount that disk, or bring the file back; where it is lost for good, run answerlake queue init --new-warehouse, and this one is filled instead.',
  ]);
}
