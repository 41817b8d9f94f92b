import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, periodEnd, periodStart, toDay, type DayRange } from '../../src/day.ts';
import { askedRange, cutWindows, uncovered, type CutOptions } from '../../src/plan/cut.ts';
import { runs } from '../support/runs.ts';
import { anyCut, anyDay, anyRanges, daysOf, lengthOf, owedPeriods } from './arbitraries.ts';

const RUNS = runs(10_000);

function askedDays(window: DayRange, options: CutOptions): number {
  return lengthOf(askedRange(window, options));
}

/** Fewest windows by trying every way to put the owed periods, in order, into requests. */
function fewestWindows(owed: readonly DayRange[], options: CutOptions): number {
  const periods = owedPeriods(owed, options);
  const best: number[] = [0];
  for (let end = 1; end <= periods.length; end += 1) {
    let fewest = Infinity;
    for (let start = 1; start <= end; start += 1) {
      const [first, last] = [periods[start - 1], periods[end - 1]];
      if (first === undefined || last === undefined) continue;
      const fits =
        start === end || askedDays({ start: first.start, end: last.end }, options) <= options.maxDays;
      if (fits) fewest = Math.min(fewest, (best[start - 1] ?? Infinity) + 1);
    }
    best.push(fewest);
  }
  return best[periods.length] ?? 0;
}

test('cutWindows puts each owed day into one window of whole periods, owed at both ends, in its bound', () => {
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
    }),
    RUNS,
  );
});

test('cutWindows makes as few windows as any way of cutting could', () => {
  fc.assert(
    fc.property(anyCut, ({ owed, options }) => {
      expect(cutWindows(owed, options)).toHaveLength(fewestWindows(owed, options));
    }),
    runs(3000),
  );
});

test('cutWindows starts weeks on Monday and lets the running week end today', () => {
  const today = toDay('2026-03-18');
  const options = { grain: 'week', maxDays: 21, leadPeriods: 0, today, lastAsked: today } as const;
  expect(cutWindows([{ start: toDay('2026-03-01'), end: toDay('2026-03-18') }], options)).toEqual([
    { start: '2026-02-23', end: '2026-03-08' },
    { start: '2026-03-09', end: '2026-03-18' },
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
