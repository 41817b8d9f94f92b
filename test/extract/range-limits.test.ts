import { describe, expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { isRangeRefused, RangeLimits } from '../../src/extract/range-limits.ts';
import { days } from '../support/answers.ts';
import { refusal } from './rig.ts';

const smallest = (first: string) => ({ isSmallest: true, first: toDay(first) });
const CUTTABLE = { isSmallest: false, first: toDay('2026-01-01') };

describe('the limits of a range', () => {
  test('a range that can be cut is halved', () => {
    expect(new RangeLimits().refused(days('2026-01-01', '2026-03-31'), CUTTABLE)).toBe('halve');
  });

  test('the longest length that was answered is asked for after a longer one was refused', () => {
    const limits = new RangeLimits();
    limits.refused(days('2026-03-01', '2026-03-30'), CUTTABLE);
    expect([limits.maxDays, limits.isTooLong(days('2026-03-01', '2026-03-30'))]).toEqual([null, false]);
    limits.answered(days('2026-03-01', '2026-03-30'));
    expect(limits.maxDays).toBeNull();
    limits.refused(days('2026-01-01', '2026-03-31'), CUTTABLE);
    expect(limits.maxDays).toBe(30);
    limits.answered(days('2026-01-01', '2026-02-14'));
    expect(limits.maxDays).toBe(45);
  });

  test('an older range no longer than one that was answered is refused for its age, and all before it', () => {
    const limits = new RangeLimits();
    limits.answered(days('2026-03-01', '2026-03-31'));
    expect(limits.refused(days('2026-01-11', '2026-02-10'), smallest('2026-02-10'))).toBe('too_old');
    expect(limits.available).toBe('2026-02-11');
    expect(limits.isTooOld(days('2026-01-01', '2026-02-10'))).toBe(true);
    expect(limits.isTooOld(days('2026-01-01', '2026-02-11'))).toBe(false);
    expect(limits.isTooOld(days('2026-02-11', '2026-02-20'))).toBe(false);
  });

  test('the latest of the days that are too old counts', () => {
    const limits = new RangeLimits();
    limits.answered(days('2026-03-01', '2026-03-31'));
    limits.refused(days('2026-02-10', '2026-02-10'), smallest('2026-02-10'));
    limits.refused(days('2026-01-10', '2026-01-10'), smallest('2026-01-10'));
    expect(limits.available).toBe('2026-02-11');
  });

  test('a refusal that the age explains teaches no length', () => {
    const limits = new RangeLimits();
    limits.answered(days('2026-03-01', '2026-03-10'));
    limits.refused(days('2026-01-15', '2026-03-31'), CUTTABLE);
    expect(limits.maxDays).toBe(10);
    limits.refused(days('2026-02-10', '2026-02-10'), smallest('2026-02-10'));
    expect(limits.maxDays).toBeNull();
    limits.refused(days('2026-02-11', '2026-03-10'), CUTTABLE);
    expect(limits.maxDays).toBe(10);
  });

  test('a range that is newer or longer than what was answered is not too old', () => {
    const limits = new RangeLimits();
    expect(limits.refused(days('2026-02-01', '2026-02-01'), smallest('2026-02-01'))).toBe('failed');
    limits.answered(days('2026-03-01', '2026-03-10'));
    expect(limits.refused(days('2026-03-01', '2026-03-01'), smallest('2026-03-01'))).toBe('failed');
    expect(limits.refused(days('2026-02-01', '2026-02-28'), smallest('2026-02-01'))).toBe('unclear');
    expect(limits.available).toBeNull();
    limits.tooOld(toDay('2026-02-01'));
    expect(limits.available).toBe('2026-02-02');
  });

  test('ranges as early as one that was answered are tried out', () => {
    const limits = new RangeLimits();
    expect(limits.isUntried(days('2026-03-01', '2026-03-10'))).toBe(true);
    limits.answered(days('2026-03-01', '2026-03-10'));
    expect(limits.isUntried(days('2026-03-01', '2026-03-20'))).toBe(false);
    expect(limits.isUntried(days('2026-02-28', '2026-03-20'))).toBe(true);
  });
});

describe('a refusal of a range', () => {
  const refused = (serverMessage: string, { status = 400, code = null as string | null } = {}) =>
    refusal(status, { serverMessage, code });

  test.each([
    ['startDate must not be earlier than 2026-01-01', true],
    ['data is kept for 60 days', true],
    ['The date range exceeds what your plan allows.', true],
    ['range too large', true],
    ['querystring/range must be one of day, week', false],
    ['Your trial has expired.', false],
  ])('%s: %s', (message, isRange) => {
    expect(isRangeRefused(refused(message))).toBe(isRange);
  });

  test('the documented code or the words of a 400 refuse a range, and another error does not', () => {
    expect(isRangeRefused(refused('no', { code: 'DATE_RANGE_TOO_LARGE' }))).toBe(true);
    expect(isRangeRefused(refused('at most 30 days', { code: 'VALIDATION_ERROR' }))).toBe(true);
    expect(isRangeRefused(refused('no', { code: 'VALIDATION_ERROR' }))).toBe(false);
    expect(isRangeRefused(refused('days', { status: 500 }))).toBe(false);
    expect(isRangeRefused(new AnswerlakeError('days', { class: 'contract' }))).toBe(false);
  });
});
