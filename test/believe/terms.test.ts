import { expect, test } from 'vitest';
import {
  isAnswered,
  isFinal,
  isWhole,
  lastOf,
  ANSWERED_LIST,
  SLICE_STATUSES,
} from '../../src/believe/terms.ts';
import { toDay } from '../../src/day.ts';

test('a slice is answered when its answer is stored, cut off or not', () => {
  expect(SLICE_STATUSES.filter(isAnswered)).toEqual(['loaded', 'empty', 'not_enabled', 'truncated']);
  expect(ANSWERED_LIST).toBe("'loaded', 'empty', 'not_enabled', 'truncated'");
});

test.each([
  ['2026-03-03', 'day', '2026-03-03'],
  ['2026-03-04', 'week', '2026-03-10'],
  ['2026-02-01', 'month', '2026-02-28'],
  ['window', 'month', 'window'],
] as const)('the period of %s by %s ends on %s', (date, grain, end) => {
  expect(lastOf(date, grain)).toBe(end);
});

test('a day is whole from the day after, and final when it is out of the look-back', () => {
  const [day, next] = [toDay('2026-03-03'), toDay('2026-03-04')];
  expect([isWhole(day, day), isWhole(day, next)]).toEqual([false, true]);
  const afterLookback = toDay('2026-03-06');
  expect([isFinal(day, afterLookback, 3), isFinal(next, afterLookback, 3)]).toEqual([true, false]);
  expect([isFinal(day, next, 0), isFinal(next, next, 0)]).toEqual([true, false]);
});
