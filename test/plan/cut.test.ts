import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, countDays, periodEnd, periodStart, toDay, type DayRange } from '../../src/day.ts';
import { askedRange, cutWindows, uncovered, windowsOf, type CutOptions } from '../../src/plan/cut.ts';
import { days } from '../support/answers.ts';
import { runs } from '../support/runs.ts';
import { anyCut, anyDay, anyRanges, daysOf, owedPeriods } from './arbitraries.ts';

const RUNS = runs(10_000);

function askedDays(window: DayRange, options: CutOptions): number {
  const { start, end } = askedRange(window, options);
  return countDays(start, end);
}

/** Fewest windows by trying every way to put the owed periods, in order, into requests. */
function fewestWindows(owed: readonly DayRange[], options: CutOptions): number {
  const best: number[] = [0];
  const periods = owedPeriods(owed, options);
  for (const [last, { end }] of periods.entries()) {
    const ways = periods.slice(0, last + 1).map(({ start }, first) => {
      const fits = first === last || askedDays({ start, end }, options) <= options.maxDays;
      return fits ? (best[first] ?? Infinity) + 1 : Infinity;
    });
    best.push(Math.min(...ways));
  }
  return best.at(-1) ?? 0;
}

test('cutWindows puts each owed day into one of the fewest windows of whole periods, owed at both ends', () => {
  fc.assert(
    fc.property(anyCut, ({ owed, options }) => {
      const { grain, today, maxDays } = options;
      const windows = cutWindows(owed, options);
      const held = daysOf(windows);
      expect([...new Set(held)].sort()).toEqual(held);
      const holds = new Set(held);
      for (const day of daysOf(owed)) expect(holds.has(day)).toBe(true);
      const periods = owedPeriods(owed, options);
      const starts = new Set(periods.map(({ start }) => start));
      const ends = new Set(periods.map(({ end }) => end));
      for (const window of windows) {
        const { start, end } = window;
        expect([start, starts.has(start), ends.has(end)]).toEqual([periodStart(start, grain), true, true]);
        expect(end === periodEnd(end, grain) || end === today).toBe(true);
        // The lead period counts; a single period may be longer.
        expect(askedDays(window, options) <= maxDays || end <= periodEnd(start, grain)).toBe(true);
      }
      expect(windows).toHaveLength(fewestWindows(owed, options));
    }),
    RUNS,
  );
});

test('cutWindows starts weeks on Monday and lets the running week end today', () => {
  const today = toDay('2026-03-18');
  const options = { grain: 'week', maxDays: 21, leadPeriods: 0, today, lastAsked: today } as const;
  expect(cutWindows([days('2026-03-01', '2026-03-18')], options)).toEqual([
    days('2026-02-23', '2026-03-08'),
    days('2026-03-09', '2026-03-18'),
  ]);
});

test('uncovered is exactly the days of the range that no finished range holds', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 0, max: 60 }), anyRanges, (start, length, done) => {
      const range = { start, end: addDays(start, length) };
      const gaps = uncovered(range, done);
      const doneDays = new Set(daysOf(done));
      expect(daysOf(gaps)).toEqual(daysOf([range]).filter((day) => !doneDays.has(day)));
      const touching = gaps.filter(({ start: first }) => gaps.some(({ end }) => addDays(end, 1) === first));
      expect(touching).toEqual([]);
    }),
    RUNS,
  );
});

test.each([
  ['last_7_days', '2026-03-03'],
  ['last_28_days', '2026-02-10'],
  ['last_90_days', '2025-12-10'],
] as const)('windowsOf gives only the %s that end on the day before today', (kind, start) => {
  const windowsIn = (first: string, last: string): DayRange[] =>
    windowsOf(kind, days(first, last), toDay('2026-03-10'));
  const window = days(start, '2026-03-09');
  expect(windowsIn('2025-01-01', '2026-03-09')).toEqual([window]);
  expect(windowsIn('2026-03-09', '2026-03-10')).toEqual([window]);
  expect(windowsIn('2025-01-01', '2026-03-08')).toEqual([]);
  expect(windowsIn('2026-03-10', '2026-03-10')).toEqual([]);
});

test.each(['day', 'month'] as const)('windowsOf holds every day of the range in exactly one %s', (kind) => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 0, max: 100 }), (start, length) => {
      const range = { start, end: addDays(start, length) };
      const windows = windowsOf(kind, range, range.end);
      expect(daysOf(windows)).toEqual(daysOf([{ start: periodStart(start, kind), end: range.end }]));
      for (const window of windows.slice(0, -1)) expect(window.end).toBe(periodEnd(window.start, kind));
    }),
    runs(5_000),
  );
});
