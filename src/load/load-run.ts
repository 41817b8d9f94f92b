import type { Day } from '../day.ts';
import { randomBytes } from 'node:crypto';

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

const RUN_ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{8}$/;

/** Unique, and sorts by time. */
export function newRunId(startedAt: number): string {
  const stamp = new Date(startedAt).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  return `${stamp}Z-${randomBytes(4).toString('hex')}`;
}

/** When the run began, in milliseconds since the epoch; undefined for a text that `newRunId` did not make. */
export function startOfRun(runId: string): number | undefined {
  const [, year = '', month = '', day = '', hour = '', minute = '', second = ''] = RUN_ID.exec(runId) ?? [];
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}
