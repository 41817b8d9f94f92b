import type { ExitCode } from '../../errors.ts';

/** A job as the service watches it. */
export interface WatchedJob {
  name: string;
  schedule: string;
  timezone: string;
  /** The last ticks before an instant, newest first; milliseconds since the epoch. */
  previousTicks(nowMs: number, count: number): number[];
  /** The next tick after an instant; null: none. */
  nextTick(nowMs: number): number | null;
}

export interface JobState {
  lastTickMs: number | null;
  runningSinceMs: number | null;
  /** Newest run that ended, whatever its end; in this process or an earlier one. */
  lastEndMs: number | null;
  lastSuccessMs: number | null;
  lastExitCode: ExitCode | null;
}

/** What the running scheduler is known to do; the one place that the HTTP answers look at. */
export class DaemonState {
  readonly jobs: readonly WatchedJob[];
  /** Milliseconds since the epoch; null before the scheduler waits for its ticks. */
  readyMs: number | null = null;
  isStopping = false;
  /** Lowest hourly quota left, as the newest answers said. */
  quotaRemaining: number | null = null;
  readonly #states = new Map<string, JobState>();

  constructor(jobs: readonly WatchedJob[]) {
    this.jobs = jobs;
  }

  of(job: string): JobState {
    let state = this.#states.get(job);
    if (state === undefined) {
      state = {
        lastTickMs: null,
        runningSinceMs: null,
        lastEndMs: null,
        lastSuccessMs: null,
        lastExitCode: null,
      };
      this.#states.set(job, state);
    }
    return state;
  }

  ended(job: string, end: { exitCode: ExitCode; startedAt: number; finishedAt: number }): void {
    const state = this.of(job);
    state.runningSinceMs = null;
    state.lastEndMs = end.finishedAt;
    state.lastExitCode = end.exitCode;
    if (end.exitCode === 0) state.lastSuccessMs = end.finishedAt;
  }
}
