import * as fc from 'fast-check';
import { addDays, dayNumber, periodEnd, periodStart, toDay, type Day, type DayRange } from '../../src/day.ts';
import type { CutOptions } from '../../src/plan/cut.ts';

const FIRST = toDay('2025-11-20');

/** A day in five months around the end of a year and a short February. */
export const anyDay: fc.Arbitrary<Day> = fc.integer({ min: 0, max: 150 }).map((days) => addDays(FIRST, days));

/** Ranges in any order, overlapping or not. */
export const anyRanges: fc.Arbitrary<DayRange[]> = fc.array(
  fc
    .tuple(anyDay, fc.integer({ min: 0, max: 40 }))
    .map(([start, days]) => ({ start, end: addDays(start, days) })),
  { maxLength: 5 },
);

/** Ranges as `uncovered` gives them: in order, apart from each other, none after `today`. */
export const owedUntil = (today: Day): fc.Arbitrary<DayRange[]> =>
  fc
    .array(fc.tuple(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 0, max: 40 })), { maxLength: 4 })
    .map((steps) => {
      let next = FIRST;
      const ranges: DayRange[] = [];
      for (const [gap, length] of steps) {
        const start = addDays(next, gap);
        const end = addDays(start, length);
        if (start > today) break;
        ranges.push({ start, end: end < today ? end : today });
        next = end;
      }
      return ranges;
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
  return ranges.flatMap(({ start, end }) => {
    const list: Day[] = [];
    for (let day = start; day <= end; day = addDays(day, 1)) list.push(day);
    return list;
  });
}

/** Whole periods (clipped at today) that hold an owed day, in order: what windows are made of. */
export function owedPeriods(owed: readonly DayRange[], { grain, today }: CutOptions): DayRange[] {
  const starts = new Set(daysOf(owed).map((day) => periodStart(day, grain)));
  return [...starts].sort().map((start) => {
    const end = periodEnd(start, grain);
    return { start, end: end < today ? end : today };
  });
}

export function lengthOf({ start, end }: DayRange): number {
  return dayNumber(end) - dayNumber(start) + 1;
}
