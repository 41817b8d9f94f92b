import type { ErrorClass, ExitCode } from '../../errors.ts';
import type { RunStatus } from '../../run/sync-request.ts';

/** What a message says of a run; a run's own report has all of it. */
export interface FinishedRun {
  /** Null when the run failed before it was recorded. */
  run_id: string | null;
  /** Null for a run by hand. */
  job: string | null;
  status: RunStatus;
  exit_code: ExitCode;
  /** ISO instants. */
  started_at: string;
  finished_at: string;
  requests: number;
  slices_loaded: number;
  slices_failed: number;
  failures: readonly {
    project: string | null;
    endpoint: string | null;
    class: ErrorClass;
    message: string;
  }[];
}

/** A run that threw instead of reporting. */
export function brokenRun(parts: {
  job: string | null;
  startedAt: number;
  finishedAt: number;
  exitCode: ExitCode;
  errorClass: ErrorClass;
  message: string;
}): FinishedRun {
  return {
    run_id: null,
    job: parts.job,
    status: parts.errorClass === 'stopped' ? 'stopped' : 'failed',
    exit_code: parts.exitCode,
    started_at: new Date(parts.startedAt).toISOString(),
    finished_at: new Date(parts.finishedAt).toISOString(),
    requests: 0,
    slices_loaded: 0,
    slices_failed: 0,
    failures: [{ project: null, endpoint: null, class: parts.errorClass, message: parts.message }],
  };
}
