import type { Effects } from '../../effects.ts';
import type { ExitCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Job } from './job-file.ts';

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
export interface JobEnd {
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
  /** All jobs wait for their ticks from now on. */
  onReady?: () => void;
  /** The clock of a job struck, whether it could start or not. */
  onTick?: (job: Job, tickMs: number) => void;
  onStart?: (job: Job, call: JobCall) => void;
  onOverrun?: (job: Job) => void;
  onEnd?: (end: JobEnd) => void;
}
