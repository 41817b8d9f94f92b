import type { DaemonState } from './daemon-state.ts';

/** The answer to a probe. */
export interface Health {
  ok: boolean;
  /** What is wrong; empty when nothing is. */
  problems: string[];
}

/** A tick this late was lost, and so were the timers. */
const TICK_TOLERANCE_MS = 90_000;
const START_TOLERANCE_MS = 120_000;

/** Whether the scheduler's clocks still strike. */
export function livenessOf(state: DaemonState, startedMs: number, nowMs: number): Health {
  const { readyMs } = state;
  if (readyMs === null) {
    const isSlow = nowMs - startedMs > START_TOLERANCE_MS;
    return healthOf(isSlow ? ['the scheduler has not started'] : []);
  }
  if (state.isStopping) return healthOf([]);
  return healthOf(
    state.jobs.flatMap((job) => {
      const due = job.previousTicks(nowMs - TICK_TOLERANCE_MS, 1)[0];
      const struck = state.of(job.name).lastTickMs ?? readyMs;
      return due === undefined || due <= struck ? [] : [`job ${job.name} missed its tick`];
    }),
  );
}

export interface ReadinessQuestion {
  state: DaemonState;
  /** Why the published file cannot be read; null when it can. */
  fileProblem: string | null;
  /** What keeps the queue from working; left out where there is none. */
  queueProblems?: readonly string[];
  nowMs: number;
}

/** Whether readers find a published file, and a run that is not older than two ticks of the busiest job. */
export function readinessOf({ state, fileProblem, queueProblems, nowMs }: ReadinessQuestion): Health {
  const problems: string[] = [...(queueProblems ?? [])];
  if (state.readyMs === null || state.isStopping) problems.push('the scheduler is not running');
  if (fileProblem !== null) problems.push(fileProblem);
  const lastEndMs = newestEnd(state, nowMs);
  const oldestMs = Math.max(
    ...state.jobs.map((job) => job.previousTicks(nowMs - TICK_TOLERANCE_MS, 2)[1] ?? 0),
    0,
  );
  if (lastEndMs !== null && lastEndMs < oldestMs) {
    problems.push(`the last run ended ${new Date(lastEndMs).toISOString()}, two ticks ago or more`);
  }
  return healthOf(problems);
}

/** A run at work counts as one that ends now; without any run the start of the scheduler counts. */
function newestEnd(state: DaemonState, nowMs: number): number | null {
  const jobs = state.jobs.map(({ name }) => state.of(name));
  if (jobs.some(({ runningSinceMs }) => runningSinceMs !== null)) return nowMs;
  const ends = jobs.flatMap(({ lastEndMs }) => lastEndMs ?? []);
  return ends.length === 0 ? state.readyMs : Math.max(...ends);
}

function healthOf(problems: string[]): Health {
  return { ok: problems.length === 0, problems };
}
