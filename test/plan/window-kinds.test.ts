import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, periodEnd, periodStart, toDay } from '../../src/day.ts';
import { windowsOf } from '../../src/plan/cut.ts';
import { days } from '../support/answers.ts';
import { runs } from '../support/runs.ts';
import { anyDay, daysOf } from './arbitraries.ts';

const TODAY = toDay('2026-03-10');

test('windowsOf gives whole months, the first one from before the start date, the running one up to today', () => {
  expect(windowsOf('month', days('2026-01-15', '2026-03-10'), TODAY)).toEqual([
    days('2026-01-01', '2026-01-31'),
    days('2026-02-01', '2026-02-28'),
    days('2026-03-01', '2026-03-10'),
  ]);
});

test.each([
  ['last_7_days', '2026-03-03'],
  ['last_28_days', '2026-02-10'],
  ['last_90_days', '2025-12-10'],
] as const)('windowsOf gives only the %s that end on the day before today', (kind, start) => {
  const window = days(start, '2026-03-09');
  expect(windowsOf(kind, days('2025-01-01', '2026-03-09'), TODAY)).toEqual([window]);
  expect(windowsOf(kind, days('2026-03-09', '2026-03-10'), TODAY)).toEqual([window]);
  expect(windowsOf(kind, days('2025-01-01', '2026-03-08'), TODAY)).toEqual([]);
  expect(windowsOf(kind, days('2026-03-10', '2026-03-10'), TODAY)).toEqual([]);
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
