import type { Day } from '../day.ts';

/** The run that rows and ledger entries are written for. */
export interface LoadRun {
  runId: string;
  /** Milliseconds since the epoch; the `_changed_at` of every row the run changes, so that a replay writes the same. */
  startedAt: number;
  syncDay: Day;
  baseUrl: string;
  acceptShrink: boolean;
}
