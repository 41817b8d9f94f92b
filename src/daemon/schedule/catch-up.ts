import { countDays, dayOf } from '../../day.ts';
import { previousTicks } from './cron-pattern.ts';
import type { Job } from './job-file.ts';

/** Clocks that are set are no further apart. */
const LARGEST_LEAD_MS = 3_600_000;

/** A run that downtime swallowed. */
export interface MissedRun {
  /** The last tick that was missed, milliseconds since the epoch. */
  tickMs: number;
  /** Days since the last success, to be added to the look-back. */
  gapDays: number;
}

/** Whether a job owes a run: it succeeded before, and a tick has passed since. */
export function missedRun(job: Job, lastSuccessMs: number | null, nowMs: number): MissedRun | null {
  if (!job.catchUp || lastSuccessMs === null) return null;
  const [tickMs] = previousTicks(job, nowMs, 1);
  // A success that lies ahead is one of a clock that was wrong, and tells nothing.
  const isAhead = lastSuccessMs > nowMs + LARGEST_LEAD_MS;
  if (tickMs === undefined || (tickMs <= lastSuccessMs && !isAhead)) return null;
  return { tickMs, gapDays: Math.max(0, countDays(dayOf(lastSuccessMs), dayOf(nowMs)) - 1) };
}
