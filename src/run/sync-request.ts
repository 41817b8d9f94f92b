import type { Config } from '../config/config.ts';
import { z } from 'zod';
import type { Effects } from '../effects.ts';
import type { ErrorClass, ErrorScope } from '../errors.ts';
import type { Log } from '../log.ts';
import { selectionSchema } from '../plan/selection.ts';
import type { SyncProgress } from './progress.ts';

/** The parameters of one run, also as JSON in the queue; by default, a run of all that is enabled and owed. */
export const requestSchema = selectionSchema.extend({
  job: z.string().nullable().default(null),
  /** Null: all configured ones. */
  projects: z.array(z.string()).readonly().nullable().default(null),
  maxWaitMs: z.number().default(7_200_000),
  acceptShrink: z.boolean().default(false),
  /** Removes all of the raw archive that is older than `raw.keep_days`, however much that is. */
  pruneAll: z.boolean().default(false),
  /** Treats rejects and drift as incomplete. */
  strict: z.boolean().default(false),
  /** False for a run whose rows the next run publishes. */
  publishes: z.boolean().default(true),
});
export type SyncRequest = z.output<typeof requestSchema>;

/** A run of all that is enabled and owed, except for `asked`. */
export function syncRequest(asked: z.input<typeof requestSchema>): SyncRequest {
  return requestSchema.parse(asked);
}

/** The resources of lasting work. */
export interface Surroundings {
  effects: Effects;
  log: Log;
  signal: AbortSignal;
}

export interface SyncContext extends Surroundings {
  config: Config;
  /** Aborted when another process may have taken over: nothing may be published after that. */
  lossSignal?: AbortSignal | undefined;
  version: string;
  /** Age from which answers are stale, in hours, by endpoint, and by endpoint and project. */
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
