import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { AGAINST, presetPeriods, PRESETS } from '../../src/guide/compare.ts';

it.each([
  ['last_7_days', 'before', '2026-11-18..2026-11-24 2026-11-11..2026-11-17'],
  ['last_28_days', 'before', '2026-10-28..2026-11-24 2026-09-30..2026-10-27'],
  // A year of weeks keeps the weekdays.
  ['last_28_days', 'year', '2026-10-28..2026-11-24 2025-10-29..2025-11-25'],
  ['week', 'before', '2026-11-16..2026-11-22 2026-11-09..2026-11-15'],
  ['month', 'before', '2026-10-01..2026-10-31 2026-09-01..2026-09-30'],
  ['month', 'year', '2026-10-01..2026-10-31 2025-10-01..2025-10-31'],
  ['quarter', 'before', '2026-07-01..2026-09-30 2026-04-01..2026-06-30'],
  ['quarter', 'year', '2026-07-01..2026-09-30 2025-07-01..2025-09-30'],
  ['year', 'before', '2025-01-01..2025-12-31 2024-01-01..2024-12-31'],
  ['month_so_far', 'before', '2026-11-01..2026-11-24 2026-10-01..2026-10-24'],
  ['month_so_far', 'year', '2026-11-01..2026-11-24 2025-11-01..2025-11-24'],
] as const)('on the 24th of November, %s against %s is %s', (preset, against, expected) => {
  const { period, against: other } = presetPeriods(preset, against, toDay('2026-11-24'));
  expect(`${period.start}..${period.end} ${other.start}..${other.end}`).toBe(expected);
});

it('a period that ends with the newest whole day is whole, and a shorter month ends the comparison', () => {
  const of = (preset: (typeof PRESETS)[number], last: string): string => {
    const { period, against } = presetPeriods(preset, AGAINST[0], toDay(last));
    return `${period.start}..${period.end} ${against.start}..${against.end}`;
  };
  expect(of('month', '2026-03-31')).toBe('2026-03-01..2026-03-31 2026-02-01..2026-02-28');
  expect(of('quarter', '2026-03-31')).toBe('2026-01-01..2026-03-31 2025-10-01..2025-12-31');
  expect(of('year', '2025-12-31')).toBe('2025-01-01..2025-12-31 2024-01-01..2024-12-31');
  expect(of('week', '2026-11-22')).toBe('2026-11-16..2026-11-22 2026-11-09..2026-11-15');
  expect(of('month_so_far', '2026-03-30')).toBe('2026-03-01..2026-03-30 2026-02-01..2026-02-28');
});
