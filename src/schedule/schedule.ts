import { Cron } from 'croner';
import type { Effects } from '../effects.ts';
import { exitCodeOf, type ExitCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { missedRun } from './catch-up.ts';
import { CRON_MODE } from './cron-pattern.ts';
import type { Job } from './job-file.ts';
import { createRunQueue } from './run-queue.ts';

/** Why a job runs. */
export interface JobCall {
  reason: 'schedule' | 'catch_up';
  /** Days of downtime to be added to the job's look-back. */
  gapDays: number;
  signal: AbortSignal;
}

/** How one run of a job ended. */
export interface JobEnd {
  job: string;
  reason: JobCall['reason'];
  exitCode: ExitCode;
  /** Milliseconds since the epoch. */
  startedAt: number;
  finishedAt: number;
}

export interface ScheduleRequest {
  jobs: readonly Job[];
  /** Does one run; a rejection is logged and counted, never fatal. */
  run: (job: Job, call: JobCall) => Promise<ExitCode>;
  /** What earlier runs left behind. */
  state: {
    /** Start of the last successful run of a job, milliseconds since the epoch; null when there was none. */
    lastSuccess(job: string): Promise<number | null>;
  };
  effects: Effects;
  log: Log;
  /** Ends the schedule. */
  signal: AbortSignal;
  onEnd?: (end: JobEnd) => void;
}

const LONGEST_GOODBYE_MS = 3500;
const LOCKED: ExitCode = 6;

/** Runs jobs by cron, one at a time, until the signal; ends within 4 s of it. */
export async function runSchedule(request: ScheduleRequest): Promise<void> {
  const { jobs, effects, log, signal } = request;
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
  const crons = signal.aborted ? [] : jobs.map((job) => openCron(job, { waiting, start, log }));
  for (const [index, job] of jobs.entries()) {
    log.info('schedule.waiting', { job: job.name, next: crons[index]?.nextRun()?.toISOString() ?? null });
  }
  await aborted(signal);
  for (const cron of crons) cron.stop();
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
  log: Log;
}

function openCron(job: Job, { waiting, start, log }: CronParts): Cron {
  const options = {
    mode: CRON_MODE,
    timezone: job.timezone,
    catch: (error: unknown) => log.error('job.crashed', { job: job.name, error }),
    protect: () => log.warn('job.overrun', { job: job.name }),
  } as const;
  return new Cron(job.schedule, options, () => {
    // Not awaited: croner 11 calls `protect` every 30 s while a function runs, and runs a blocked tick late.
    if (waiting.has(job.name)) log.warn('job.overrun', { job: job.name });
    else start(job, { reason: 'schedule', gapDays: 0 });
  });
}

async function startMissedRuns(request: ScheduleRequest, start: StartJob): Promise<void> {
  const { jobs, state, effects, log } = request;
  for (const job of jobs) {
    try {
      const missed = missedRun(job, await state.lastSuccess(job.name), effects.now());
      if (missed === null) continue;
      const tick = new Date(missed.tickMs).toISOString();
      log.info('job.catch_up', { job: job.name, missed: tick, gap_days: missed.gapDays });
      start(job, { reason: 'catch_up', gapDays: missed.gapDays });
    } catch (error) {
      log.error('job.state_unreadable', { job: job.name, error });
    }
  }
}

async function runJob(job: Job, call: JobCall, request: ScheduleRequest): Promise<void> {
  const { effects, log } = request;
  const startedAt = effects.now();
  log.info('job.started', { job: job.name, reason: call.reason });
  let exitCode: ExitCode;
  try {
    exitCode = await request.run(job, call);
  } catch (error) {
    exitCode = exitCodeOf(error);
    log.error('job.failed', { job: job.name, exit_code: exitCode, error });
  }
  const finishedAt = effects.now();
  const fields = { job: job.name, exit_code: exitCode, duration_ms: finishedAt - startedAt };
  if (exitCode === LOCKED) log.warn('job.locked', fields);
  else if (exitCode === 0) log.info('job.finished', fields);
  else log.warn('job.finished', fields);
  request.onEnd?.({ job: job.name, reason: call.reason, exitCode, startedAt, finishedAt });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
