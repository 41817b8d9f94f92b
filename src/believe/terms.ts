import { addDays, isDay, periodEnd, type Day, type Grain } from '../day.ts';
import { sliceWindow, type Slice } from '../slice.ts';

/** Statuses of a slice whose answer is stored and counts. The views read theirs from a macro of the same name. */
export const ANSWERED_STATUSES = ['loaded', 'empty', 'not_enabled', 'truncated'] as const;

/** What the ledger says about a slice. `suspicious`: it lacks more than half of the known rows; `refused`: too old for the server. */
export const SLICE_STATUSES = [...ANSWERED_STATUSES, 'suspicious', 'refused', 'failed'] as const;
export type SliceStatus = (typeof SLICE_STATUSES)[number];

export function isAnswered(status: SliceStatus): boolean {
  return (ANSWERED_STATUSES as readonly SliceStatus[]).includes(status);
}

/** `isAnswered` in SQL. */
export const IS_ANSWERED = `status in (${ANSWERED_STATUSES.map((status) => `'${status}'`).join(', ')})`;

/** SQL: the server answered, whether or not the answer counts. */
export const HAS_REPLY = "status not in ('refused', 'failed')";

/** SQL: the answer has no rows. */
export const HAS_NO_ROWS = "status in ('empty', 'not_enabled')";

/** Last day of the period that a row of a series is dated with; a server's weeks may begin on any weekday. */
export function lastOf(date: string, grain: Grain): string {
  if (grain === 'day' || !isDay(date)) return date;
  return grain === 'week' ? addDays(date, 6) : periodEnd(date, grain);
}

/** `lastOf` in SQL. */
export function periodEndSql(date: string, grain = 'grain'): string {
  return `case ${grain} when 'week' then ${date} + 6 when 'month' then last_day(${date}) else ${date} end`;
}

/** A period or window is whole when it was over on the sync day of its answer. */
export function isWhole(lastDay: Day, syncDay: Day): boolean {
  return lastDay < syncDay;
}

/** `isWhole` in SQL. */
export function isWholeSql(lastDay: string, syncDay: Day): string {
  return `${lastDay} < date '${syncDay}'`;
}

/** Last day that an answer covers; null for lists, and where the server sent none. */
export function coveredEnd(status: SliceStatus, slice: Slice): Day | null {
  return status === 'refused' || status === 'failed' ? null : (sliceWindow(slice)?.end ?? null);
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
