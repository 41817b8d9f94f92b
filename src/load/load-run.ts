import type { Day } from '../day.ts';

/** What an archive of an older program does not say. */
export const DEFAULT_LOOKBACK_DAYS = 7;

/** The run that rows and ledger entries are written for. */
export interface LoadRun {
  runId: string;
  /** Number of the run in its warehouse; null in an archive of an older program. */
  sequence: number | null;
  /** Id of the warehouse; null in an archive of an older program. */
  warehouse: string | null;
  /** Milliseconds since the epoch; the `_changed_at` of every row the run changes, so that a replay writes the same. */
  startedAt: number;
  syncDay: Day;
  baseUrl: string;
  acceptShrink: boolean;
  /** `lookback_days` of the configuration. */
  lookbackDays: number;
}
