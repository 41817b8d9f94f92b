import {
  addDays,
  maxDay,
  minDay,
  nextPeriod,
  periodStart,
  type Day,
  type DayRange,
  type Grain,
} from '../day.ts';

/** The evidence of an answer about a period, or about its whole window. */
export type Said =
  | 'row'
  | 'none'
  /** A row could not be read: the answer covers nothing. */
  | 'bad_row'
  /** The pages are no evidence about the rest of the list. */
  | 'incomplete';

/** First days of periods, both ends counted. */
export interface SaidRange extends DayRange {
  said: Said;
}

/** The days of its window that an answer covers. */
export interface Witness {
  window: DayRange;
  /** Null for dated things such as events; `window`: the figures describe the window as a whole. */
  grain: Grain | 'window' | null;
  /** Days with an accepted row. */
  taken: ReadonlySet<Day>;
  /** Days of refused rows; null: a refused row without a readable day. */
  refused: ReadonlySet<Day | null>;
  isIncomplete: boolean;
  /** The list is as long as its limit, so there may be more. */
  isTruncated: boolean;
}

/** Days whose stored rows an answer can contradict, from its first accepted row to its last; null if it reaches no day. */
export function reachOf({ window, grain, taken, isIncomplete, isTruncated }: Witness): DayRange | null {
  if (isIncomplete || grain === 'window' || (isTruncated && grain !== null)) return null;
  const days = [...taken].toSorted();
  const [first] = days;
  if (first === undefined) return null;
  // No other week of a series begins within six days of an accepted one.
  const besideDays = grain === 'week' ? 6 : 0;
  const start = maxDay(window.start, addDays(first, -besideDays));
  // A whole list of dated things extends to the end of its window.
  const last = grain === null ? window.end : addDays(days.at(-1) ?? first, besideDays);
  return { start, end: minDay(window.end, last) };
}

/** The evidence about each period of the window, in order. */
export function saidOf({ window, grain, taken, refused, isIncomplete }: Witness): SaidRange[] {
  if (grain === 'window') {
    const said = refused.size > 0 ? 'bad_row' : isIncomplete ? 'incomplete' : taken.size > 0 ? 'row' : 'none';
    return [{ start: window.start, end: window.start, said }];
  }
  const period = grain ?? 'day';
  const takenPeriods = periodsOf(taken, period);
  const refusedPeriods = periodsOf(refused, period);
  const ranges: SaidRange[] = [];
  for (let day = periodStart(window.start, period); day <= window.end; day = nextPeriod(day, period)) {
    const isTaken = takenPeriods.has(day);
    const isRefused = refusedPeriods.has(day) || (refused.has(null) && !isTaken);
    const said = isRefused ? 'bad_row' : isIncomplete ? 'incomplete' : isTaken ? 'row' : 'none';
    const before = ranges.at(-1);
    if (before?.said === said) before.end = day;
    else ranges.push({ start: day, end: day, said });
  }
  return ranges;
}

function periodsOf(days: Iterable<Day | null>, grain: Grain): Set<Day> {
  const periods = new Set<Day>();
  for (const day of days) if (day !== null) periods.add(periodStart(day, grain));
  return periods;
}
