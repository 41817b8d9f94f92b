import { existsSync } from 'node:fs';
import pLimit from 'p-limit';
import { errorClassOf, exitCodeOf, messageOf } from '../../errors.ts';
import { publishChanged } from '../../targets/publish-changed.ts';
import { failAbandonedRuns, type Jobs, type TakenJob } from '../queue/jobs.ts';
import { areWorkersBusy, HEARTBEAT, type Presence, type Heartbeat } from '../queue/processes.ts';
import { requestSchema } from '../queue/run-request.ts';
import { ROUND_QUEUE, RUN_QUEUE } from '../queue/schema.ts';
import { tellNotices, closeFile, memoryLimit, threadCount } from '../../run/run-file.ts';
import { syncRequest, type RunReport, type SyncContext, type SyncRequest } from '../../run/sync-request.ts';
import { hasManyFreeBlocks, openWorkingFile, type WorkingFile } from '../../warehouse/working-file.ts';
import { Intake, takenNothing } from './intake.ts';
import { runThroughWorkers, type QueuedRunParts } from './queued-run.ts';
import { requireSameWarehouse } from './warehouse-identity.ts';
import { z } from 'zod';
import { writeSettings } from '../../warehouse/tables.ts';
import type { Connection } from '../../warehouse/connection.ts';
import type { Zone } from '../landing/zone.ts';
import type { Secret } from '../../secret.ts';

const POLL_MS = 500;

export interface ServeParts {
  jobs: Jobs;
  presence: Presence;
  /** Called once the working file is open. */
  begun: () => void;
}

/** Serves the runs of the queue until the signal, with the working file open; between two runs the file is compacted if that pays. */
export async function serveRuns(request: LoaderRequest, serving: ServeParts): Promise<void> {
  const { context } = request;
  const { config, effects, signal } = context;
  while (!signal.aborted) {
    const working = await openWorkingFile({
      publishedPath: config.warehouse.path,
      now: effects.now(),
      memoryLimit: memoryLimit(),
      threads: threadCount(),
    });
    try {
      serving.begun();
      await serveWithFile(request, { ...serving, working });
    } catch (error) {
      working.database.close();
      throw error;
    }
    await closeFile(working, context);
  }
}

/** Returns after the signal, or when the file has many free blocks. */
async function serveWithFile(
  request: LoaderRequest,
  { jobs, presence, working }: ServeParts & { working: WorkingFile },
): Promise<void> {
  const { context, zone } = request;
  const { config, effects, log, signal } = context;
  tellNotices(working.notices, log);
  const connection = await working.database.connect();
  await requireSameWarehouse(connection, jobs.postgres, async () => {
    if (!existsSync(config.warehouse.path)) return;
    // The next run that has something to publish reports the failure.
    await publishChanged(connection, context).catch((error: unknown) => {
      log.warn('loader.not_published', { reason: messageOf(error) });
    });
  });
  const limitWrites = pLimit(1);
  const intake = new Intake({ config, effects, log, zone, connection, limitWrites, signal });
  const parts: QueuedRunParts = { context, jobs, presence, zone, intake, connection, limitWrites };
  presence.show(() => intake.counts());
  await takeOver(parts);
  while (!signal.aborted) {
    const job = await jobs.take(RUN_QUEUE);
    if (job === null) {
      await effects.sleep(POLL_MS, signal).catch(() => undefined);
      continue;
    }
    await jobs.hold(job.id);
    await runOne(job, parts, request.telling);
    if (await hasManyFreeBlocks(connection)) return;
  }
}

/** A worker lands the answers of a cancelled round within this time: see `SHUTDOWN_MS` of the worker. */
const MAX_HANDOVER_MS = 25_000;

/** Ends the rounds that an earlier loader left, and loads their parts. */
async function takeOver({ context, jobs, intake, connection }: QueuedRunParts): Promise<void> {
  const { log } = context;
  await failAbandonedRuns(jobs);
  const left = await jobs.open(ROUND_QUEUE);
  for (const { id } of left) await jobs.cancel(ROUND_QUEUE, id);
  if (left.some(({ state }) => state === 'active')) await untilWorkersStop(context, jobs);
  const taken = takenNothing();
  await intake.take('', () => taken);
  if (taken.results.length === 0) return;
  log.info('loader.caught_up', { slices: taken.results.length });
  await publishChanged(connection, context);
}

async function untilWorkersStop({ effects, signal }: SyncContext, { postgres }: Jobs): Promise<void> {
  const until = effects.now() + MAX_HANDOVER_MS;
  // The heartbeat of a worker shows a new round late.
  await effects.sleep(HEARTBEAT.intervalMs, signal).catch(() => undefined);
  while (!signal.aborted && effects.now() < until && (await areWorkersBusy(postgres))) {
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
  }
}

async function runOne(
  job: TakenJob,
  parts: QueuedRunParts,
  telling: LoaderRequest['telling'],
): Promise<void> {
  const { jobs, context, intake, connection } = parts;
  const { log, signal } = context;
  const read = requestSchema.safeParse(job.data);
  if (!read.success) {
    const message = 'the request for the run cannot be read';
    return await jobs.complete(RUN_QUEUE, job.id, { exit_code: 2, class: 'configuration', message });
  }
  if (await completeAgain(job, { connection, jobs })) return log.info('run.ended_before', { job: job.id });
  const wanted = syncRequest(read.data);
  const run = (): Promise<RunReport> => runThroughWorkers(wanted, parts);
  try {
    const report = await telling(wanted, run);
    if (report.status === 'stopped') await handBack(jobs, job);
    else await completeRun(job, report, { connection, jobs });
    await intake.prune();
    log.info('run.ended', { run: report.run_id, exit_code: report.exit_code });
  } catch (error) {
    if (signal.aborted) return await handBack(jobs, job);
    log.error('run.failed', { error });
    const [exitCode, errorClass] = [exitCodeOf(error), errorClassOf(error)];
    const message = messageOf(error);
    await jobs.complete(RUN_QUEUE, job.id, { exit_code: exitCode, class: errorClass, message });
    if (exitCode === 1 || exitCode === 7) throw error;
  }
}

/** The next loader takes the run. */
async function handBack(jobs: Jobs, job: TakenJob): Promise<void> {
  await jobs.fail(RUN_QUEUE, job.id, 'the loader was stopped').catch(() => undefined);
}

/** In `meta.settings` of the working file, until the queue has it too. */
const NAME = 'ended_run';
const endedSchema = z.object({ job: z.string(), report: z.custom<RunReport>() });

/** Completes a run in the queue; if the queue misses it, `completeAgain` repeats it. @throws AnswerlakeError (storage) */
export async function completeRun(
  { id }: TakenJob,
  report: RunReport,
  { connection, jobs }: { connection: Connection; jobs: Jobs },
): Promise<void> {
  await writeSettings(connection, { [NAME]: JSON.stringify({ job: id, report }) });
  await jobs.complete(RUN_QUEUE, id, { report });
  // The queue reports no error if the job is no longer active.
  if ((await jobs.find(RUN_QUEUE, id))?.state !== 'completed') return;
  await connection.run('delete from meta.settings where name = $1', [NAME]);
}

/** True if the run of a job had ended and the queue missed it: a second run would cost as much as the first. */
export async function completeAgain(
  job: TakenJob,
  parts: { connection: Connection; jobs: Jobs },
): Promise<boolean> {
  const sql = 'select value from meta.settings where name = $1';
  const value = await parts.connection.value(z.string().nullable(), sql, [NAME]);
  const ended = endedSchema.safeParse(JSON.parse(value ?? 'null'));
  if (!ended.success || ended.data.job !== job.id) return false;
  await completeRun(job, ended.data.report, parts);
  return true;
}

export interface LoaderRequest {
  context: SyncContext;
  url: Secret;
  zone: Zone;
  heartbeat?: Heartbeat | undefined;
  /** Around each run: notifications. */
  telling: (request: SyncRequest, run: () => Promise<RunReport>) => Promise<RunReport>;
}
