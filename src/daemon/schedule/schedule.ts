import { Cron } from 'croner';
import { missedRun } from './catch-up.ts';
import { CRON_MODE, previousTicks } from './cron-pattern.ts';
import type { Job } from './job-file.ts';
import { runJob } from './run-job.ts';
import type { JobCall, ScheduleRequest } from './schedule-request.ts';

const LONGEST_GOODBYE_MS = 3500;

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
  const crons = signal.aborted ? [] : jobs.map((job) => openCron(job, { waiting, start, request }));
  for (const [index, job] of jobs.entries()) {
    log.info('schedule.waiting', { job: job.name, next: crons[index]?.nextRun()?.toISOString() ?? null });
  }
  request.onReady?.();
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
