import { addDays, isDay, periodEnd, type Grain } from '../day.ts';

/** Statuses of a slice whose answer is stored and counts. The views read theirs from a macro of the same name. */
export const ANSWERED_STATUSES = ['loaded', 'empty', 'not_enabled', 'truncated'] as const;

/** What the ledger says about a slice. `suspicious`: it lacks more than half of the known rows; `refused`: too old for the server. */
export const SLICE_STATUSES = [...ANSWERED_STATUSES, 'suspicious', 'refused', 'failed'] as const;
export type SliceStatus = (typeof SLICE_STATUSES)[number];

export function isAnswered(status: SliceStatus): boolean {
  return (ANSWERED_STATUSES as readonly SliceStatus[]).includes(status);
}

/** The answered statuses as an SQL list. */
export const ANSWERED_LIST = ANSWERED_STATUSES.map((status) => `'${status}'`).join(', ');

/** Last day of the period that a row of a series is dated with; a server's weeks may begin on any weekday. */
export function lastOf(date: string, grain: Grain): string {
  if (grain === 'day' || !isDay(date)) return date;
  return grain === 'week' ? addDays(date, 6) : periodEnd(date, grain);
}
