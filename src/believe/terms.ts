import { addDays, isDay, periodEnd, type Day, type Grain } from '../day.ts';

/** Statuses of a slice whose answer is stored and counts. The views use a macro of the same name. */
export const ANSWERED_STATUSES = ['loaded', 'empty', 'not_enabled', 'truncated'] as const;

/** The status of a slice in the ledger. `suspicious`: it lacks more than half of the known rows; `refused`: too old for the server. */
export const SLICE_STATUSES = [...ANSWERED_STATUSES, 'suspicious', 'refused', 'failed'] as const;
export type SliceStatus = (typeof SLICE_STATUSES)[number];

export function isAnswered(status: SliceStatus): boolean {
  return (ANSWERED_STATUSES as readonly SliceStatus[]).includes(status);
}

/** `isAnswered` in SQL. */
export const IS_ANSWERED = `status in (${ANSWERED_STATUSES.map((status) => `'${status}'`).join(', ')})`;

/** Last day of the period that starts at a series row's date; a server's weeks may begin on any weekday. */
export function lastOf(date: string, grain: Grain): string {
  if (grain === 'day' || !isDay(date)) return date;
  return grain === 'week' ? addDays(date, 6) : periodEnd(date, grain);
}

/** `lastOf` in SQL. */
export function periodEndSql(date: string, grain = 'grain'): string {
  return `case ${grain} when 'week' then ${date} + 6 when 'month' then last_day(${date}) else ${date} end`;
}

/** SQL: the last day of a row of `meta.asked_days`, including whole windows. */
export function askedEndSql(alias: string): string {
  return (
    `case ${alias}.window_kind when 'month' then last_day(${alias}.date) when 'last_7_days' then ${alias}.date + 6 ` +
    `when 'last_28_days' then ${alias}.date + 27 when 'last_90_days' then ${alias}.date + 89 ` +
    `else ${periodEndSql(`${alias}.date`, `${alias}.grain`)} end`
  );
}

/** A period or window is whole if it was over on the sync day of its answer. */
export function isWhole(lastDay: Day, syncDay: Day): boolean {
  return lastDay < syncDay;
}

/** `isWhole` in SQL. */
export function isWholeSql(lastDay: string, syncDay: Day): string {
  return `${lastDay} < date '${syncDay}'`;
}

/** A day is final if its answer came at least this many days after it: it is not requested again. At least one day, because the sync day is not over. */
export function finalAfterDays(lookbackDays: number): number {
  return Math.max(1, lookbackDays);
}
