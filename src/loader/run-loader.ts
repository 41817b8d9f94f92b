import { AnswerlakeError, exitCodeOf, messageOf, type ExitCode } from '../errors.ts';
import { identifyZone, readZoneId, requireSameZone } from '../landing/zone-identity.ts';
import type { Zone } from '../landing/zone.ts';
import { publishChanged } from '../publish/publish-changed.ts';
import { failLeftRuns, failOrphans, openJobs, type Jobs, type TakenJob } from '../queue/jobs.ts';
import type { Heartbeat } from '../queue/heartbeat.ts';
import { buryDead, knownProcesses, openPresence, tryLock, type Presence } from '../queue/processes.ts';
import { requestSchema } from '../queue/request.ts';
import { readSetting, ROUNDS, RUNS, writeSetting } from '../queue/schema.ts';
import { memoryLimit, threadCount } from '../run/memory.ts';
import { syncRequest, type RunReport, type SyncContext, type SyncRequest } from '../run/sync-request.ts';
import type { Secret } from '../secret.ts';
import { stopCode } from '../signals.ts';
import { openWorkingFile } from '../warehouse/working-file.ts';
import { Intake } from './intake.ts';
import { runThroughWorkers, type QueuedRunParts } from './queued-run.ts';
import { Turn } from './turn.ts';

const POLL_MS = 500;
const SUPERVISE_MS = 1_000;
/** Before it looks for PostgreSQL again. */
const AWAY_MS = 5_000;

export interface LoaderRequest {
  context: SyncContext;
  url: Secret;
  zone: Zone;
  heartbeat?: Heartbeat | undefined;
  /** Around each run: notifications. */
  telling?: (request: SyncRequest, run: () => Promise<RunReport>) => Promise<RunReport>;
}

/**
 * Loads and plans until the signal; waits as standby while another loader does.
 * @throws AnswerlakeError configuration; storage, locked where it cannot begin
 */
export async function runLoader(request: LoaderRequest): Promise<ExitCode> {
  const { effects, log, signal } = request.context;
  let hasBegun = false;
  while (!signal.aborted) {
    try {
      await loadWhileConnected(request, () => {
        hasBegun = true;
      });
    } catch (error) {
      if (signal.aborted) break;
      const isPassing =
        error instanceof AnswerlakeError && (error.class === 'storage' || error.class === 'locked');
      if (!hasBegun || !isPassing) throw error;
      log.warn('loader.disconnected', { reason: messageOf(error), again_in_ms: AWAY_MS });
      await effects.sleep(AWAY_MS, signal).catch(() => undefined);
    }
  }
  return stopCode(signal);
}

async function loadWhileConnected(request: LoaderRequest, begun: () => void): Promise<void> {
  const { context, url, zone, heartbeat } = request;
  const { effects, log, version } = context;
  await using jobs = await openJobs(url);
  const known = await readSetting(jobs.postgres, 'zone');
  if (known !== null) requireSameZone(zone, { own: await readZoneId(zone), queue: known });
  await using presence = await openPresence({ url, kind: 'standby', version, effects, heartbeat });
  presence.lost.addEventListener('abort', () => jobs.postgres.abandon());
  const signal = AbortSignal.any([context.signal, presence.lost]);
  const isHeld = async (): Promise<boolean> => await tryLock(presence.session, 'loader');
  for (let isFirst = true; !(await isHeld()); isFirst = false) {
    begun();
    if (isFirst) log.info('loader.standby', { loader: presence.id });
    // A loader that has gone silent still has its lock until its session is ended.
    await bury(jobs, request);
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
    if (context.signal.aborted) return;
    presence.lost.throwIfAborted();
  }
  presence.show(() => ({}), 'loader');
  // Only whoever holds the lock names the zone: two that start together would give it two names.
  const own = await identifyZone(zone);
  requireSameZone(zone, { own, queue: await readSetting(jobs.postgres, 'zone') });
  await writeSetting(jobs.postgres, 'zone', own);
  log.info('loader.ready', { loader: presence.id, landing: zone.place });
  const over = new AbortController();
  const supervising = supervise(jobs, { request, signal: AbortSignal.any([signal, over.signal]) });
  try {
    const own = { ...context, signal, lost: presence.lost };
    await loadAsTheOne({ ...request, context: own }, { jobs, presence, begun });
  } finally {
    over.abort();
    await supervising;
  }
  presence.lost.throwIfAborted();
}

/** Whoever is gone gives its rounds back. */
async function supervise(
  jobs: Jobs,
  { request, signal }: { request: LoaderRequest; signal: AbortSignal },
): Promise<void> {
  const { effects, log } = request.context;
  while (!signal.aborted) {
    try {
      await bury(jobs, request);
      const alive = (await knownProcesses(jobs.postgres, request.heartbeat)).map(({ process_id: id }) => id);
      const failed = await failOrphans(jobs, new Set(alive));
      if (failed > 0) log.warn('rounds.orphaned', { rounds: failed });
    } catch (error) {
      log.warn('supervision.failed', { reason: messageOf(error) });
    }
    await effects.sleep(SUPERVISE_MS, signal).catch(() => undefined);
  }
}

async function bury({ postgres }: Jobs, { context: { log }, heartbeat }: LoaderRequest): Promise<void> {
  for (const id of await buryDead(postgres, heartbeat)) log.warn('process.dead', { process: id });
}

interface HeldParts {
  jobs: Jobs;
  presence: Presence;
  begun: () => void;
}

async function loadAsTheOne(request: LoaderRequest, { jobs, presence, begun }: HeldParts): Promise<void> {
  const { context, zone } = request;
  const { config, effects, log, signal } = context;
  const working = await openWorkingFile({
    publishedPath: config.warehouse.path,
    now: effects.now(),
    memoryLimit: memoryLimit(),
    threads: threadCount(),
  });
  await using database = working.database;
  begun();
  for (const notice of working.notices) log.info(`working_file.${notice.event}`, { message: notice.message });
  const connection = await database.connect();
  const turn = new Turn();
  const intake = await Intake.open({ config, effects, log, zone, connection, turn, signal });
  const parts: QueuedRunParts = { context, jobs, zone, intake, connection, workingFile: working.path, turn };
  await takeOver(parts);
  while (!signal.aborted) {
    const isPaused = (await readSetting(jobs.postgres, 'paused')) === 'true';
    const job = isPaused ? null : await jobs.take(RUNS);
    if (job === null) {
      await effects.sleep(POLL_MS, signal).catch(() => undefined);
      continue;
    }
    presence.show(() => ({ job: job.id, parts_waiting: intake.waiting }));
    await runOne(job, { request, parts });
    presence.show(() => ({ parts_waiting: intake.waiting }));
  }
}

/** What an earlier loader left: its rounds come to their end, and what they landed is loaded. */
async function takeOver({ context, jobs, intake, connection }: QueuedRunParts): Promise<void> {
  const { effects, log, signal } = context;
  await failLeftRuns(jobs);
  for (;;) {
    const open = await jobs.open(ROUNDS);
    for (const { id, state } of open) if (state !== 'active') await jobs.cancel(ROUNDS, id);
    if (open.every(({ state }) => state !== 'active') || signal.aborted) break;
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
  }
  const taken = await intake.take('', null);
  if (taken.results.length === 0) return;
  log.info('loader.caught_up', { slices: taken.results.length });
  await publishChanged(connection, context);
}

async function runOne(
  job: TakenJob,
  { request, parts }: { request: LoaderRequest; parts: QueuedRunParts },
): Promise<void> {
  const { jobs, context, intake } = parts;
  const { log, signal } = context;
  const read = requestSchema.safeParse(job.data);
  if (!read.success) {
    await jobs.complete(RUNS, job.id, { exit_code: 2, message: 'the run that was asked for cannot be read' });
    return;
  }
  const wanted = syncRequest(read.data);
  const run = (): Promise<RunReport> => runThroughWorkers(wanted, parts);
  try {
    const report = await (request.telling === undefined ? run() : request.telling(wanted, run));
    if (signal.aborted) await giveBack(jobs, job);
    else await jobs.complete(RUNS, job.id, { report });
    await intake.prune();
    log.info('run.ended', { run: report.run_id, exit_code: report.exit_code });
  } catch (error) {
    if (signal.aborted) {
      await giveBack(jobs, job);
      return;
    }
    log.error('run.failed', { error });
    await jobs.complete(RUNS, job.id, { exit_code: exitCodeOf(error), message: messageOf(error) });
    if (exitCodeOf(error) === 1 || exitCodeOf(error) === 7) throw error;
  }
}

/** The next loader goes on with it. */
async function giveBack(jobs: Jobs, job: TakenJob): Promise<void> {
  await jobs.fail(RUNS, job.id, 'the loader was stopped').catch(() => undefined);
}
