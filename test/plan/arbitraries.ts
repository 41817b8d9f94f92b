import * as fc from 'fast-check';
import { addDays, countDays, minDay, periodEnd, periodStart, toDay } from '../../src/day.ts';
import type { Day, DayRange } from '../../src/day.ts';
import type { CutOptions } from '../../src/plan/cut.ts';

const FIRST = toDay('2025-11-20');

/** A day in five months around the end of a year and a short February. */
export const anyDay: fc.Arbitrary<Day> = fc.integer({ min: 0, max: 150 }).map((days) => addDays(FIRST, days));

const anyLength = fc.integer({ min: 0, max: 40 });

/** Ranges in any order, overlapping or not. */
export const anyRanges: fc.Arbitrary<DayRange[]> = fc.array(
  fc.tuple(anyDay, anyLength).map(([start, days]) => ({ start, end: addDays(start, days) })),
  { maxLength: 5 },
);

/** Ranges as `uncovered` gives them: in order, apart from each other, none after `today`. */
const owedUntil = (today: Day): fc.Arbitrary<DayRange[]> =>
  fc.array(fc.tuple(fc.integer({ min: 2, max: 30 }), anyLength), { maxLength: 4 }).map((steps) => {
    let next = FIRST;
    const ranges = steps.map(([gap, length]) => {
      const start = addDays(next, gap);
      next = addDays(start, length);
      return { start, end: minDay(next, today) };
    });
    return ranges.filter(({ start }) => start <= today);
  });

export const anyCut: fc.Arbitrary<{ owed: DayRange[]; options: CutOptions }> = fc
  .record({
    grain: fc.constantFrom('day', 'week', 'month'),
    maxDays: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(89, 90, 92)),
    leadPeriods: fc.constantFrom(0, 1),
    today: anyDay,
  })
  .chain((options) =>
    owedUntil(options.today).map((owed) => ({ owed, options: { ...options, lastAsked: options.today } })),
  );

export function daysOf(ranges: readonly DayRange[]): Day[] {
  return ranges.flatMap(({ start, end }) =>
    Array.from({ length: countDays(start, end) }, (_, index) => addDays(start, index)),
  );
}

/** Whole periods (clipped at today) that hold an owed day, in order: what windows are made of. */
export function owedPeriods(owed: readonly DayRange[], { grain, today }: CutOptions): DayRange[] {
  const starts = new Set(daysOf(owed).map((day) => periodStart(day, grain)));
  return [...starts].sort().map((start) => ({ start, end: minDay(periodEnd(start, grain), today) }));
}
