import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { isRangeRefused, RangeLimits } from '../../src/extract/range-limits.ts';
import { days } from '../support/answers.ts';
import { refusal } from './rig.ts';

const smallest = (first: string) => ({ isSmallest: true, first: toDay(first) });
const CUTTABLE = { isSmallest: false, first: toDay('2026-01-01') };

const QUARTER = days('2026-01-01', '2026-03-31');
const MARCH = days('2026-03-01', '2026-03-31');
const availableOf = (...limits: readonly RangeLimits[]) => limits.map(({ available }) => available);

test('a length that was refused where a shorter one was answered is halved, and cuts the whole endpoint', () => {
  const project = new RangeLimits();
  const other = new RangeLimits(project);
  const value = new RangeLimits(project, project);
  expect(project.refused(QUARTER, CUTTABLE)).toBe('halve');
  project.answered(days('2026-02-15', '2026-03-31'));
  expect([project.maxDays, project.isTooLong(QUARTER)]).toEqual([null, false]);
  project.answered(days('2026-01-01', '2026-02-15'));
  expect([project, other, value].map(({ maxDays }) => maxDays)).toEqual([46, 46, 46]);
  const lengths = [QUARTER, days('2026-01-01', '2026-03-30')];
  expect(lengths.map((range) => other.isTooLong(range))).toEqual([true, false]);
});

test('a length that one project refuses and another has answered is not too long for a window', () => {
  const project = new RangeLimits();
  project.answered(days('2026-01-01', '2026-01-31'));
  const other = new RangeLimits(project);
  other.answered(days('2026-01-01', '2026-01-01'));
  other.refused(days('2026-01-01', '2026-01-31'), CUTTABLE);
  expect([other.maxDays, other.isTooLong(days('2026-01-01', '2026-01-31'))]).toEqual([1, false]);
});

test('a range as long as one that was answered is refused for its age; the latest of the days too old counts', () => {
  const limits = new RangeLimits();
  limits.answered(MARCH);
  expect(limits.refused(days('2026-01-11', '2026-02-10'), smallest('2026-02-10'))).toBe('too_old');
  limits.refused(days('2026-01-10', '2026-01-10'), smallest('2026-01-10'));
  expect([limits.available, limits.maxDays]).toEqual(['2026-02-11', null]);
});

test('an age holds for its project, and for the values of its filters until they show their own', () => {
  const young = new RangeLimits();
  const old = new RangeLimits(young);
  const monitor = new RangeLimits(young, young);
  young.tooOld(toDay('2026-02-10'));
  expect(availableOf(young, old, monitor)).toEqual(['2026-02-11', null, '2026-02-11']);
  monitor.tooOld(toDay('2026-03-01'));
  expect(availableOf(young, old, monitor)).toEqual(['2026-02-11', null, '2026-03-02']);
});

test('a range that is newer or longer than what was answered is not too old', () => {
  const limits = new RangeLimits();
  const refused = (start: string, end = start) => limits.refused(days(start, end), smallest(start));
  expect(refused('2026-02-01')).toBe('failed');
  limits.answered(days('2026-03-01', '2026-03-10'));
  expect(refused('2026-03-01')).toBe('failed');
  expect(refused('2026-02-01', '2026-02-28')).toBe('unclear');
  expect([limits.available, limits.maxDays]).toEqual([null, null]);
  limits.tooOld(toDay('2026-02-01'));
  expect(limits.available).toBe('2026-02-02');
});

test.each([
  ['startDate must not be earlier than 2026-01-01', {}, true],
  ['data is kept for 60 days', {}, true],
  ['The date range exceeds what your plan allows.', {}, true],
  ['range too large', {}, true],
  ['querystring/range must be one of day, week', {}, false],
  ['Your trial has expired.', {}, false],
  // The documented code or the words of a 400.
  ['no', { code: 'DATE_RANGE_TOO_LARGE' }, true],
  ['at most 30 days', { code: 'VALIDATION_ERROR' }, true],
  ['no', { code: 'VALIDATION_ERROR' }, false],
  ['days', { status: 500 }, false],
])('a refusal of a range: %s (%j): %s', (serverMessage, facts, isRange) => {
  expect(isRangeRefused(refusal(400, { serverMessage, ...facts }))).toBe(isRange);
  expect(isRangeRefused(new AnswerlakeError(serverMessage, { class: 'contract' }))).toBe(false);
});
