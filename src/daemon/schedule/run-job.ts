import { exitCodeOf, type ExitCode } from '../../errors.ts';
import type { Job } from './job-file.ts';
import type { JobCall, ScheduleRequest } from './schedule-request.ts';

const LOCKED: ExitCode = 6;
const LOCKED_PAUSE_MS = 30_000;
const LONGEST_LOCKED_MS = 3_600_000;

/** Does one run of a job; waits for another process that holds the working file. Never throws. */
export async function runJob(job: Job, call: JobCall, request: ScheduleRequest): Promise<void> {
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
