import { addDays, minDay, nextPeriod, periodEnd, periodStart, type Day, type DayRange } from '../day.ts';
import type { WindowKind } from '../slice.ts';

/** A window that figures are asked for as a whole. */
export interface KindWindow {
  /** Runs to the sync day while the period is not over. */
  window: DayRange;
  /** The last day that can still change its figures. */
  lastDay: Day;
}

const ROLLING_DAYS = { last_7_days: 7, last_28_days: 28, last_90_days: 90 } as const;

/** The windows of `kind` that touch `range`; `range.end` is at most `today`. */
export function windowsOf(kind: WindowKind, range: DayRange, today: Day): KindWindow[] {
  switch (kind) {
    case 'month':
      return months(range, today);
    case 'day':
      return days(range);
    case 'last_7_days':
    case 'last_28_days':
    case 'last_90_days': {
      const end = addDays(today, -1);
      if (end < range.start || end > range.end) return [];
      return [{ window: { start: addDays(end, 1 - ROLLING_DAYS[kind]), end }, lastDay: end }];
    }
    default:
      return kind satisfies never;
  }
}

function months(range: DayRange, today: Day): KindWindow[] {
  const windows: KindWindow[] = [];
  for (
    let start = periodStart(range.start, 'month');
    start <= range.end;
    start = nextPeriod(start, 'month')
  ) {
    const lastDay = periodEnd(start, 'month');
    windows.push({ window: { start, end: minDay(lastDay, today) }, lastDay });
  }
  return windows;
}

function days(range: DayRange): KindWindow[] {
  const windows: KindWindow[] = [];
  for (let day = range.start; day <= range.end; day = addDays(day, 1)) {
    windows.push({ window: { start: day, end: day }, lastDay: day });
  }
  return windows;
}

/** True when an answer of `fetchedOn`, with days cut in `zone`, came late enough after `lastDay` to be the last word. */
export function isSettled(
  lastDay: Day,
  { fetchedOn, zone }: { fetchedOn: Day; zone?: string },
  lookbackDays: number,
): boolean {
  return fetchedOn >= addDays(lastDay, settlingDays(lookbackDays, zone));
}

/** Days after which a day is not asked again: at least one, because the day of the sync itself is partial, and two in other zones, where the day before may be partial too. */
export function settlingDays(lookbackDays: number, zone = 'UTC'): number {
  return Math.max(zone === 'UTC' ? 1 : 2, lookbackDays);
}

/** Newest day that is settled by an answer of `fetchedOn`, at most `coveredEnd`. */
export function settledEnd(coveredEnd: Day, fetchedOn: Day, lookbackDays: number): Day {
  return minDay(coveredEnd, addDays(fetchedOn, -settlingDays(lookbackDays)));
}
