import { Cron } from 'croner';
import { countDays, dayOf } from '../../day.ts';
import { exitCodeOf, type ExitCode } from '../../errors.ts';
import { CRON_MODE, previousTicks, type Job } from './jobs.ts';
import type { Effects } from '../../effects.ts';
import type { Log } from '../../log.ts';

/** Why a job runs. */
export interface JobCall {
  reason: 'schedule' | 'catch_up';
  /** Days of downtime to be added to the job's look-back. */
  gapDays: number;
  /** When it was due, milliseconds since the epoch. */
  tickMs: number;
  signal: AbortSignal;
}

/** How one run of a job ended. */
interface JobEnd {
  job: string;
  reason: JobCall['reason'];
  exitCode: ExitCode;
  /** Milliseconds since the epoch. */
  startedAt: number;
  finishedAt: number;
  /** How long after its tick it began. */
  latenessMs: number;
}

export interface ScheduleRequest {
  jobs: readonly Job[];
  /** Does one run; a rejection is logged and counted, never fatal. */
  run: (job: Job, call: JobCall) => Promise<ExitCode>;
  /** What earlier runs left behind, of this process and of others. */
  state: {
    /** Start of the last successful run of a job, milliseconds since the epoch; null before the first. */
    lastSuccess(job: string): Promise<number | null>;
  };
  effects: Effects;
  log: Log;
  /** Ends the schedule. */
  signal: AbortSignal;
  /** Ends it once no job runs any more. */
  reload?: AbortSignal;
  /** All jobs wait for their ticks from now on. */
  onReady?: () => void;
  /** The clock of a job struck, whether it could start or not. */
  onTick?: (job: Job, tickMs: number) => void;
  onStart?: (job: Job, call: JobCall) => void;
  onOverrun?: (job: Job) => void;
  onEnd?: (end: JobEnd) => void;
}

const LONGEST_GOODBYE_MS = 3500;

/** Runs jobs by cron, one at a time, until a signal; ends within 4 s of `signal`. */
export async function runSchedule(request: ScheduleRequest): Promise<void> {
  const { jobs, effects, log, signal, reload } = request;
  const queue = createRunQueue();
  const waiting = new Set<string>();
  const start: StartJob = (job, call) => {
    waiting.add(job.name);
    const turn = queue.add(async () => {
      try {
        if (!signal.aborted) await runJob(job, { ...call, signal }, request);
      } finally {
        waiting.delete(job.name);
      }
    });
    turn.catch((error: unknown) => log.error('job.crashed', { job: job.name, error }));
  };

  await startMissedRuns(request, start);
  const crons = signal.aborted ? [] : jobs.map((job) => openCron(job, { waiting, start, request }));
  for (const [index, job] of jobs.entries()) {
    log.info('schedule.waiting', { job: job.name, next: crons[index]?.nextRun()?.toISOString() ?? null });
  }
  request.onReady?.();
  await Promise.race([aborted(signal), ...(reload === undefined ? [] : [aborted(reload)])]);
  for (const cron of crons) cron.stop();
  if (!signal.aborted) {
    log.info('schedule.reloading', { running: [...waiting] });
    await Promise.race([queue.idle(), aborted(signal)]);
    if (!signal.aborted) return;
  }
  log.info('schedule.stopping', { running: [...waiting] });
  const goodbye = new AbortController();
  const overdue = effects.sleep(LONGEST_GOODBYE_MS, goodbye.signal).catch(() => undefined);
  await Promise.race([queue.idle(), overdue]);
  goodbye.abort();
  log.info('schedule.stopped', { unfinished: [...waiting] });
}

type StartJob = (job: Job, call: Omit<JobCall, 'signal'>) => void;

interface CronParts {
  waiting: ReadonlySet<string>;
  start: StartJob;
  request: ScheduleRequest;
}

function openCron(job: Job, { waiting, start, request }: CronParts): Cron {
  const { log, effects } = request;
  const options = {
    mode: CRON_MODE,
    timezone: job.timezone,
    catch: (error: unknown) => log.error('job.crashed', { job: job.name, error }),
    protect: () => log.warn('job.overrun', { job: job.name }),
  } as const;
  return new Cron(job.schedule, options, () => {
    const nowMs = effects.now();
    // The tick itself lies just before: one millisecond later it is the previous one for certain.
    const tickMs = previousTicks(job, nowMs + 1, 1)[0] ?? nowMs;
    request.onTick?.(job, tickMs);
    // Not awaited: croner 11 calls `protect` every 30 s while a function runs, and runs a blocked tick late.
    if (!waiting.has(job.name)) {
      start(job, { reason: 'schedule', gapDays: 0, tickMs });
      return;
    }
    log.warn('job.overrun', { job: job.name });
    request.onOverrun?.(job);
  });
}

async function startMissedRuns(request: ScheduleRequest, start: StartJob): Promise<void> {
  const { jobs, state, effects, log } = request;
  for (const job of jobs) {
    try {
      const missed = missedRun(job, await state.lastSuccess(job.name), effects.now());
      if (missed === null) continue;
      const { tickMs, gapDays } = missed;
      log.info('job.catch_up', {
        job: job.name,
        missed: new Date(tickMs).toISOString(),
        gap_days: gapDays,
      });
      start(job, { reason: 'catch_up', gapDays, tickMs });
    } catch (error) {
      log.error('job.state_unreadable', { job: job.name, error });
    }
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Runs tasks one after the other: one process may hold the working file. */
interface RunQueue {
  /** Resolves when the task has ended; rejects with what it threw. */
  add(task: () => Promise<void>): Promise<void>;
  /** Resolves when everything that was added has ended. */
  idle(): Promise<void>;
}

function createRunQueue(): RunQueue {
  let tail: Promise<void> = Promise.resolve();
  return {
    add: (task) => {
      const turn = tail.then(task);
      tail = turn.catch(() => undefined);
      return turn;
    },
    idle: () => tail,
  };
}

/** Clocks that are set are no further apart. */
const LARGEST_LEAD_MS = 3_600_000;

/** A run that downtime swallowed. */
interface MissedRun {
  /** The last tick that was missed, milliseconds since the epoch. */
  tickMs: number;
  /** Days since the last success, to be added to the look-back. */
  gapDays: number;
}

/** Whether a job owes a run: it succeeded before, and a tick has passed since. */
function missedRun(job: Job, lastSuccessMs: number | null, nowMs: number): MissedRun | null {
  if (!job.catchUp || lastSuccessMs === null) return null;
  const [tickMs] = previousTicks(job, nowMs, 1);
  // A success in the future was recorded by a wrong clock; ignore it.
  const isAhead = lastSuccessMs > nowMs + LARGEST_LEAD_MS;
  if (tickMs === undefined || (tickMs <= lastSuccessMs && !isAhead)) return null;
  return { tickMs, gapDays: Math.max(0, countDays(dayOf(lastSuccessMs), dayOf(nowMs)) - 1) };
}

const LOCKED: ExitCode = 6;
const LOCKED_PAUSE_MS = 30_000;
const LONGEST_LOCKED_MS = 3_600_000;

/** Does one run of a job; waits for another process that holds the working file. Never throws. */
async function runJob(job: Job, call: JobCall, request: ScheduleRequest): Promise<void> {
  const { effects, log, signal } = request;
  const startedAt = effects.now();
  const latenessMs = Math.max(0, startedAt - call.tickMs);
  log.info('job.started', { job: job.name, reason: call.reason, lateness_ms: latenessMs });
  request.onStart?.(job, call);
  let exitCode = await tryRun(job, call, request);
  while (exitCode === LOCKED && !signal.aborted && effects.now() - startedAt < LONGEST_LOCKED_MS) {
    log.warn('job.locked', { job: job.name, again_in_ms: LOCKED_PAUSE_MS });
    await effects.sleep(LOCKED_PAUSE_MS, signal).catch(() => undefined);
    if (signal.aborted) break;
    if (await isDoneElsewhere(job, call, request)) {
      log.info('job.done_elsewhere', { job: job.name });
      exitCode = 0;
      break;
    }
    exitCode = await tryRun(job, call, request);
  }
  const finishedAt = effects.now();
  const fields = { job: job.name, exit_code: exitCode, duration_ms: finishedAt - startedAt };
  if (exitCode === 0) log.info('job.finished', fields);
  else log.warn('job.finished', fields);
  request.onEnd?.({ job: job.name, reason: call.reason, exitCode, startedAt, finishedAt, latenessMs });
}

async function tryRun(job: Job, call: JobCall, { run, log }: ScheduleRequest): Promise<ExitCode> {
  try {
    return await run(job, call);
  } catch (error) {
    const exitCode = exitCodeOf(error);
    if (exitCode !== LOCKED) log.error('job.failed', { job: job.name, exit_code: exitCode, error });
    return exitCode;
  }
}

/** Two schedules on one file: what the other one did after this tick need not be done again. */
async function isDoneElsewhere(job: Job, call: JobCall, { state, log }: ScheduleRequest): Promise<boolean> {
  try {
    const lastMs = await state.lastSuccess(job.name);
    return lastMs !== null && lastMs >= call.tickMs;
  } catch (error) {
    log.warn('job.state_unreadable', { job: job.name, error });
    return false;
  }
}
