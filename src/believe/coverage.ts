import {
  addDays,
  maxDay,
  minDay,
  nextPeriod,
  periodEnd,
  periodStart,
  type Day,
  type DayRange,
  type Grain,
} from '../day.ts';
import { isWhole } from './terms.ts';

/** Why days stay owed although an answer was loaded for their window. */
export const OWED_REASONS = ['refused', 'incomplete', 'unconfirmed'] as const;
export type OwedReason = (typeof OWED_REASONS)[number];

/** Days of a series that stay owed: first days of periods, both ends counted. */
export interface OwedRange extends DayRange {
  reason: OwedReason;
  /** Sync day of the first answer that left them without a row. */
  witnessedOn: Day;
}

/** What earlier answers say about one series. */
export interface KnownSeries {
  /** Newest period with a row; null while the series has none. */
  last: Day | null;
  /** Days that an earlier answer left without a row. */
  owed: readonly OwedRange[];
}

export const NOTHING_KNOWN: KnownSeries = { last: null, owed: [] };

/** What one answer says about the days of its window. */
export interface Witness {
  window: DayRange;
  /** Null for dated things such as events. */
  grain: Grain | null;
  syncDay: Day;
  /** Days with a row that was taken. */
  taken: ReadonlySet<Day>;
  /** Days of refused rows; null stands for a refused row without a readable day. */
  refused: ReadonlySet<Day | null>;
  /** The answer is neither incomplete nor as long as its limit. */
  isWhole: boolean;
  /** The pages of the answer prove nothing about the rest of the list. */
  isIncomplete: boolean;
  /** The `lookback_days` of the configuration. */
  lookbackDays: number;
}

/**
 * Days whose stored rows an answer can contradict; null when it reaches none.
 * @param acceptShrink a person says that what the answer lacks is gone
 */
export function reachOf(
  { window, grain, syncDay, taken, isWhole, lookbackDays }: Witness,
  acceptShrink: boolean,
): DayRange | null {
  if (!isWhole) return null;
  if (acceptShrink) return window;
  const days = [...taken].toSorted();
  const [first] = days;
  if (grain !== null) {
    if (first === undefined) return null;
    const last = days.at(-1) ?? first;
    // No other week of a series begins within six days of one that was taken.
    const besideDays = grain === 'week' ? 6 : 0;
    const start = maxDay(window.start, addDays(first, -besideDays));
    return { start, end: minDay(window.end, addDays(last, besideDays)) };
  }
  const recent = addDays(syncDay, -lookbackDays);
  const start = maxDay(window.start, first === undefined ? recent : minDay(first, recent));
  return start > window.end ? null : { start, end: window.end };
}

/** Days of the window that stay owed after this answer. */
export function owedAfter(witness: Witness, known: KnownSeries): OwedRange[] {
  const { window, syncDay, taken, refused, isIncomplete } = witness;
  const grain = witness.grain ?? 'day';
  const takenPeriods = periodsOf(taken, grain);
  const refusedPeriods = periodsOf(refused, grain);
  const last = newest(known.last, takenPeriods);
  const owed: OwedRange[] = [];
  // Days before the last row are owed only where rows were refused or the list is incomplete.
  for (let day = periodStart(window.start, grain); day <= window.end; day = nextPeriod(day, grain)) {
    const isTaken = takenPeriods.has(day);
    if (refusedPeriods.has(day) || (refused.has(null) && !isTaken)) {
      add(owed, { day, grain, reason: 'refused', witnessedOn: syncDay });
    } else if (isIncomplete) {
      add(owed, { day, grain, reason: 'incomplete', witnessedOn: syncDay });
    } else if (!isTaken && isWhole(periodEnd(day, grain), syncDay) && (last === null || day > last)) {
      const witnessedOn = firstWitness(known.owed, day);
      if (witnessedOn === null || witnessedOn >= syncDay)
        add(owed, { day, grain, reason: 'unconfirmed', witnessedOn: witnessedOn ?? syncDay });
    }
  }
  return owed;
}

/** Newest period with a row, in this answer or before it. */
export function newestTaken({ grain, taken }: Witness, known: KnownSeries): Day | null {
  return newest(known.last, periodsOf(taken, grain ?? 'day'));
}

function newest(before: Day | null, days: ReadonlySet<Day>): Day | null {
  let last = before;
  for (const day of days) last = maxDay(day, last ?? day);
  return last;
}

function periodsOf(days: Iterable<Day | null>, grain: Grain): Set<Day> {
  const periods = new Set<Day>();
  for (const day of days) if (day !== null) periods.add(periodStart(day, grain));
  return periods;
}

/** Sync day of the answer that first left `day` without a row; null when none did. */
function firstWitness(owed: readonly OwedRange[], day: Day): Day | null {
  return (
    owed.find(({ reason, start, end }) => reason === 'unconfirmed' && start <= day && day <= end)
      ?.witnessedOn ?? null
  );
}

function add(
  owed: OwedRange[],
  { day, grain, ...why }: { day: Day; grain: Grain } & Omit<OwedRange, 'start' | 'end'>,
): void {
  const before = owed.at(-1);
  const isNext =
    before !== undefined &&
    before.reason === why.reason &&
    before.witnessedOn === why.witnessedOn &&
    nextPeriod(before.end, grain) === day;
  if (isNext) before.end = day;
  else owed.push({ start: day, end: day, ...why });
}

/**
 * Days outside the window that stay owed after this answer. A series without any row is settled as a whole when its own
 * answer of a later sync day has none either.
 */
export function owedElsewhere(witness: Witness, { last, owed }: KnownSeries): OwedRange[] {
  const { window, syncDay, taken, refused, isIncomplete } = witness;
  const isEmptyAgain =
    last === null && taken.size + refused.size === 0 && !isIncomplete && window.start < syncDay;
  const isOpen = ({ reason, witnessedOn }: OwedRange): boolean =>
    !isEmptyAgain || reason !== 'unconfirmed' || witnessedOn >= syncDay;
  return owedOutside(owed.filter(isOpen), window);
}

/** Owed ranges of a series outside `window`, cut where they reach into it. */
export function owedOutside(owed: readonly OwedRange[], window: DayRange): OwedRange[] {
  return owed.flatMap((range) => {
    const before = { ...range, end: minDay(range.end, addDays(window.start, -1)) };
    const after = { ...range, start: maxDay(range.start, addDays(window.end, 1)) };
    return [before, after].filter(({ start, end }) => start <= end);
  });
}
