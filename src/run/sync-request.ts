import type { Config } from '../config/config.ts';
import type { Day } from '../day.ts';
import type { Effects } from '../effects.ts';
import type { ErrorClass, ErrorScope, ExitCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { RunSelection } from '../plan/selection.ts';
import type { SyncProgress } from './progress.ts';

/** What one run is asked to do. */
export interface SyncRequest extends RunSelection {
  job: string | null;
  /** Null means all that the configuration names. */
  projects: readonly string[] | null;
  maxWaitMs: number;
  acceptShrink: boolean;
  /** All of the raw archive that is older than `raw.keep_days` may go, however much it is. */
  pruneAll: boolean;
  /** Rejects and drift count as not done. */
  strict: boolean;
  /** False for a run whose rows the next one publishes. */
  publishes: boolean;
}

export const DEFAULT_MAX_WAIT_MS = 7_200_000;

/** A run of everything that is enabled and owed, except as `asked` says. */
export function syncRequest(asked: Partial<SyncRequest>): SyncRequest {
  return {
    job: null,
    projects: null,
    endpoints: null,
    from: null,
    to: null,
    full: false,
    today: null,
    maxWaitMs: DEFAULT_MAX_WAIT_MS,
    acceptShrink: false,
    pruneAll: false,
    strict: false,
    publishes: true,
    lookbackDays: null,
    ...asked,
  };
}

/** What lasting work is done with. */
export interface Surroundings {
  effects: Effects;
  log: Log;
  signal: AbortSignal;
}

export interface SyncContext extends Surroundings {
  config: Config;
  /** Aborted when another process may have taken over: nothing is published any more. */
  lossSignal?: AbortSignal | undefined;
  version: string;
  /** From which age on answers are stale, in hours, by endpoint, and by endpoint and project. */
  maxAges?: (() => ReadonlyMap<string, number>) | undefined;
  onProgress?: ((progress: SyncProgress) => void) | undefined;
}

export const RUN_STATUSES = ['ok', 'partial', 'failed', 'parked', 'stopped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface RunFailure {
  scope: ErrorScope;
  account: string | null;
  project: string | null;
  /** Null when unknown. */
  project_name: string | null;
  endpoint: string | null;
  class: ErrorClass;
  message: string;
}

export const NO_TOTALS = {
  rows_received: 0,
  rows_inserted: 0,
  rows_updated: 0,
  rows_deleted: 0,
  rows_unchanged: 0,
  rows_rejected: 0,
  rows_deduplicated: 0,
  slices_loaded: 0,
  slices_failed: 0,
};
export type RunTotals = typeof NO_TOTALS;

/** What a run did; the same words as `meta.runs`. */
export interface RunReport extends RunTotals {
  run_id: string;
  job: string | null;
  status: RunStatus;
  exit_code: ExitCode;
  started_at: string;
  finished_at: string;
  duration_ms: number;
  sync_day: Day;
  requests: number;
  retries: number;
  projects: number;
  /** Alarms that are known from this sync day on: they no longer end a run with 3. */
  newly_known: number;
  /** Path of the published file when this run published it. */
  published: string | null;
  working_file: string;
  raw_archive: string | null;
  /** Rows of each core table; empty when nothing was published. */
  tables: Record<string, number>;
  failures: RunFailure[];
  warnings: string[];
}
