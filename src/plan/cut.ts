import {
  addDays,
  countDays,
  dayNumber,
  maxDay,
  minDay,
  nextPeriod,
  periodEnd,
  periodStart,
  shiftPeriod,
  type Day,
  type DayRange,
  type Grain,
} from '../day.ts';
import type { WindowKind } from '../slice.ts';

/** The parts of `range` that no range of `done` covers, in order. */
export function uncovered(range: DayRange, done: readonly DayRange[]): DayRange[] {
  const gaps: DayRange[] = [];
  let next = range.start;
  for (const { start, end } of done.toSorted((a, b) => dayNumber(a.start) - dayNumber(b.start))) {
    if (end < next) continue;
    if (start > range.end) break;
    if (start > next) gaps.push({ start: next, end: addDays(start, -1) });
    next = maxDay(next, addDays(end, 1));
  }
  if (next <= range.end) gaps.push({ start: next, end: range.end });
  return gaps;
}

export interface CutOptions {
  grain: Grain;
  /** Largest number of days in one request, both ends counted. */
  maxDays: number;
  /** Periods that each request includes before its window. */
  leadPeriods: number;
  /** No window extends beyond this day. */
  today: Day;
  /** Last day that a request may include. */
  lastAsked: Day;
  /** Days beyond its window that a request includes; default: those of the grain. */
  overlapDays?: number | undefined;
}

/** Days beyond its window that a request includes, so that no seam depends on whether `endDate` counts or on the first weekday. */
const OVERLAP_DAYS = { day: 1, week: 7, month: 1 } as const satisfies Record<Grain, number>;

/** The days that a request for `window` includes. */
export function askedRange(
  { start, end }: DayRange,
  { grain, leadPeriods, lastAsked, overlapDays = OVERLAP_DAYS[grain] }: Omit<CutOptions, 'maxDays' | 'today'>,
): DayRange {
  return {
    start: leadPeriods === 0 ? start : shiftPeriod(start, grain, -leadPeriods),
    end: maxDay(end, minDay(addDays(end, overlapDays), lastAsked)),
  };
}

/**
 * The fewest windows that cover every day of `owed` (sorted, disjoint): each begins and ends with a whole period and takes one
 * request of at most `maxDays`. Settled days between two owed ones are requested again if that saves a request. A single period
 * longer than `maxDays` is still one window.
 */
export function cutWindows(owed: readonly DayRange[], options: CutOptions): DayRange[] {
  const { grain, today } = options;
  const windows: DayRange[] = [];
  let covered: Day | null = null;
  for (const range of owed) {
    let next = periodStart(range.start, grain);
    if (covered !== null && covered >= next) next = nextPeriod(covered, grain);
    const last = minDay(periodEnd(range.end, grain), today);
    while (next <= last) {
      const end = farthestOwed(owed, reach(next, options), grain);
      covered = minDay(periodEnd(end, grain), today);
      windows.push({ start: next, end: covered });
      next = nextPeriod(covered, grain);
    }
  }
  return windows;
}

/** Last day of the longest legal window that begins at `start`. */
function reach(start: Day, options: CutOptions): Day {
  const { grain, maxDays, today } = options;
  const fits = (end: Day): boolean => {
    const asked = askedRange({ start, end }, options);
    return countDays(asked.start, asked.end) <= maxDays;
  };
  if (grain === 'day') {
    if (fits(today)) return maxDay(start, today);
    const first = askedRange({ start, end: start }, options).start;
    return maxDay(start, addDays(first, maxDays - 1 - (options.overlapDays ?? OVERLAP_DAYS.day)));
  }
  let end = minDay(periodEnd(start, grain), today);
  while (end < today) {
    // The running period is requested up to today only.
    const longer = minDay(periodEnd(addDays(end, 1), grain), today);
    if (!fits(longer)) break;
    end = longer;
  }
  return end;
}

/** The last owed day up to `limit`. */
function farthestOwed(owed: readonly DayRange[], limit: Day, grain: Grain): Day {
  let farthest = limit;
  for (const range of owed) {
    if (periodStart(range.start, grain) > limit) break;
    farthest = minDay(limit, periodEnd(range.end, grain));
  }
  return farthest;
}

const ROLLING_DAYS = { last_7_days: 7, last_28_days: 28, last_90_days: 90 } as const;

/** The windows of `kind` that touch `range`, in order; a window that is not over ends on the sync day. `range.end` is at most `today`. */
export function windowsOf(kind: WindowKind, range: DayRange, today: Day): DayRange[] {
  if (kind !== 'month' && kind !== 'day') {
    const end = addDays(today, -1);
    return end < range.start || end > range.end
      ? []
      : [windowFrom(kind, addDays(end, 1 - ROLLING_DAYS[kind]), today)];
  }
  const windows: DayRange[] = [];
  for (let start = periodStart(range.start, kind); start <= range.end; start = nextPeriod(start, kind))
    windows.push(windowFrom(kind, start, today));
  return windows;
}

/** The window of `kind` that begins on a day. */
export function windowFrom(kind: WindowKind, start: Day, today: Day): DayRange {
  const end =
    kind === 'month' || kind === 'day' ? periodEnd(start, kind) : addDays(start, ROLLING_DAYS[kind] - 1);
  return { start, end: minDay(end, today) };
}
