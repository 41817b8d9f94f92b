import type { ExitCode } from '../../errors.ts';
import type { Job } from '../schedule/jobs.ts';

/** A job with what the scheduler did with it, in this process or an earlier one. Milliseconds since the epoch. */
export interface WatchedJob extends Job {
  lastTickMs: number | null;
  runningSinceMs: number | null;
  /** Newest run that ended, whatever its end. */
  lastEndMs: number | null;
  lastSuccessMs: number | null;
  lastExitCode: ExitCode | null;
  /** How long after its tick the newest run began. */
  lastLatenessMs: number | null;
}

/** What the running scheduler does; the one place that the HTTP answers look at. */
export interface DaemonState {
  readonly jobs: readonly WatchedJob[];
  /** Milliseconds since the epoch; null before the scheduler waits for its ticks. */
  readyMs: number | null;
  isStopping: boolean;
}

export function openState(jobs: readonly Job[]): DaemonState {
  const unknown = {
    lastTickMs: null,
    runningSinceMs: null,
    lastEndMs: null,
    lastSuccessMs: null,
    lastExitCode: null,
    lastLatenessMs: null,
  };
  const watched = jobs.map((job) => ({ ...job, ...unknown }));
  return { jobs: watched, readyMs: null, isStopping: false };
}
