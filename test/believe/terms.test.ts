import { expect, test } from 'vitest';
import { isAnswered, lastOf, ANSWERED_LIST, SLICE_STATUSES } from '../../src/believe/terms.ts';

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
