import { addDays, isDay, periodEnd, type Day, type Grain } from '../day.ts';

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

/** A day is final when it is this many days older than the sync day of its answer: it is not asked again. At least one day, because the sync day is not over; where days are cut in another zone than UTC, neither is the day before. */
export function finalAfterDays(lookbackDays: number, timezone: string | null = 'UTC'): number {
  return Math.max((timezone ?? 'UTC') === 'UTC' ? 1 : 2, lookbackDays);
}

export function isFinal(
  day: Day,
  {
    syncDay,
    lookbackDays,
    timezone = 'UTC',
  }: { syncDay: Day; lookbackDays: number; timezone?: string | null },
): boolean {
  return day <= addDays(syncDay, -finalAfterDays(lookbackDays, timezone));
}
