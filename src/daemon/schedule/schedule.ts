import { Cron } from 'croner';
import pLimit from 'p-limit';
import { countDays, dayOf } from '../../day.ts';
import { exitCodeOf, type ExitCode } from '../../errors.ts';
import { CRON_MODE, previousTicks, type Job, type DaemonState, type WatchedJob } from './jobs.ts';
import { untilAborted } from '../../effects.ts';
import type { Surroundings } from '../../run/sync-request.ts';
import type { Metrics } from '../serve/metrics.ts';

/** Why a job runs. */
export interface JobCall {
  reason: 'schedule' | 'catch_up';
  /** Days of downtime to be added to the job's look-back. */
  gapDays: number;
  /** When it was due, milliseconds since the epoch. */
  tickMs: number;
  signal: AbortSignal;
}

/** Its signal ends the schedule. */
export interface ScheduleRequest extends Surroundings {
  state: DaemonState;
  metrics: Pick<Metrics, 'overrun' | 'ended'>;
  /** Called when a job has ended. */
  remember: () => void;
  /** Does one run, or leaves it to others (null); a rejection is logged and counted, never fatal. */
  run: (job: Job, call: JobCall) => Promise<ExitCode | null>;
  /** Ends the schedule once no job is running. */
  reload?: AbortSignal | undefined;
}

const MAX_STOP_MS = 3500;

/** Runs jobs by cron, one at a time, until a signal; ends within 4 s of `signal`. */
export async function runSchedule(request: ScheduleRequest): Promise<void> {
  const { state, effects, log, signal, reload } = request;
  const { jobs } = state;
  const waiting = new Set<string>();
  // Only one process may hold the working file.
  const limit = pLimit(1);
  let lastRun: Promise<void> = Promise.resolve();
  const start: StartJob = (job, call) => {
    waiting.add(job.name);
    lastRun = limit(async () => {
      if (!signal.aborted) await runJob(job, { ...call, signal }, request);
      waiting.delete(job.name);
    });
  };

  startMissedRuns(request, start);
  const crons = jobs.map((job) => openCron(job, request, { waiting, start }));
  for (const [index, job] of jobs.entries())
    log.info('schedule.waiting', { job: job.name, next: crons[index]?.nextRun()?.toISOString() ?? null });
  state.readyMs = effects.now();
  await untilAborted(reload === undefined ? signal : AbortSignal.any([signal, reload]));
  if (!signal.aborted) {
    log.info('schedule.reloading', { running: [...waiting] });
    await Promise.race([lastRun, untilAborted(signal)]);
  }
  for (const cron of crons) cron.stop();
  if (!signal.aborted) return;
  state.isStopping = true;
  log.info('schedule.stopping', { running: [...waiting] });
  const stopped = new AbortController();
  const overdue = effects.sleep(MAX_STOP_MS, stopped.signal).catch(() => undefined);
  await Promise.race([lastRun, overdue]);
  stopped.abort();
  log.info('schedule.stopped', { unfinished: [...waiting] });
}

type StartJob = (job: WatchedJob, call: Omit<JobCall, 'signal'>) => void;

function openCron(
  job: WatchedJob,
  { log, effects, metrics, reload }: ScheduleRequest,
  { waiting, start }: { waiting: ReadonlySet<string>; start: StartJob },
): Cron {
  const options = {
    mode: CRON_MODE,
    timezone: job.timezone,
    catch: (error: unknown) => log.error('job.crashed', { job: job.name, error }),
    protect: () => log.warn('job.overrun', { job: job.name }),
  } as const;
  return new Cron(job.schedule, options, () => {
    const nowMs = effects.now();
    // The tick itself is just before: one millisecond later it is certainly the previous one.
    const tickMs = previousTicks(job, nowMs + 1, 1)[0] ?? nowMs;
    job.lastTickMs = tickMs;
    // The catch-up after the reload makes up for this tick; without it, the liveness probe would fail.
    if (reload?.aborted === true) return;
    // Not awaited: croner 11 calls `protect` every 30 s while a function runs, and runs a blocked tick late.
    if (!waiting.has(job.name)) return start(job, { reason: 'schedule', gapDays: 0, tickMs });
    log.warn('job.overrun', { job: job.name });
    metrics.overrun(job.name);
  });
}

function startMissedRuns({ state, effects, log }: ScheduleRequest, start: StartJob): void {
  for (const job of state.jobs) {
    const missed = missedRun(job, effects.now());
    if (missed === null) continue;
    const tick = new Date(missed.tickMs).toISOString();
    log.info('job.catch_up', { job: job.name, missed: tick, gap_days: missed.gapDays });
    start(job, { reason: 'catch_up', ...missed });
  }
}

/** Synchronised clocks differ by less. */
const LARGEST_LEAD_MS = 3_600_000;

/** The run that a job owes: it has succeeded before, and a tick has passed since. */
function missedRun(job: WatchedJob, nowMs: number) {
  const { catchUp, lastLoadMs } = job;
  if (!catchUp || lastLoadMs === null) return null;
  const [tickMs] = previousTicks(job, nowMs, 1);
  // A success in the future was recorded by a wrong clock; ignore it.
  const isAhead = lastLoadMs > nowMs + LARGEST_LEAD_MS;
  if (tickMs === undefined || (tickMs <= lastLoadMs && !isAhead)) return null;
  return { tickMs, gapDays: Math.max(0, countDays(dayOf(lastLoadMs), dayOf(nowMs)) - 1) };
}

const LOCKED: ExitCode = 6;
const LOCKED_PAUSE_MS = 30_000;
const LONGEST_LOCKED_MS = 3_600_000;

/** Performs one run of a job; waits for another process that holds the working file. Never throws. */
async function runJob(job: WatchedJob, call: JobCall, request: ScheduleRequest): Promise<void> {
  const { effects, log, metrics, signal } = request;
  const startedAt = effects.now();
  const latenessMs = Math.max(0, startedAt - call.tickMs);
  job.runningSinceMs = startedAt;
  log.info('job.started', { job: job.name, reason: call.reason, lateness_ms: latenessMs });
  let exitCode: ExitCode | null;
  for (;;) {
    exitCode = await tryRun(job, call, request);
    if (exitCode !== LOCKED || signal.aborted || effects.now() - startedAt >= LONGEST_LOCKED_MS) break;
    log.warn('job.locked', { job: job.name, again_in_ms: LOCKED_PAUSE_MS });
    await effects.sleep(LOCKED_PAUSE_MS, signal).catch(() => undefined);
    if (signal.aborted) break;
  }
  Object.assign(job, { runningSinceMs: null, lastLatenessMs: latenessMs });
  // How a queued run ends is in the journal.
  if (exitCode === null) return request.remember();
  const finishedAt = effects.now();
  const durationMs = finishedAt - startedAt;
  Object.assign(job, { lastEndMs: finishedAt, lastExitCode: exitCode });
  if (exitCode === 0) job.lastSuccessMs = finishedAt;
  metrics.ended(job.name, exitCode, durationMs);
  request.remember();
  const fields = { job: job.name, exit_code: exitCode, duration_ms: durationMs };
  if (exitCode === 0) log.info('job.finished', fields);
  else log.warn('job.finished', fields);
}

async function tryRun(job: Job, call: JobCall, { run, log }: ScheduleRequest): Promise<ExitCode | null> {
  try {
    return await run(job, call);
  } catch (error) {
    const exitCode = exitCodeOf(error);
    if (exitCode !== LOCKED) log.error('job.failed', { job: job.name, exit_code: exitCode, error });
    return exitCode;
  }
}
