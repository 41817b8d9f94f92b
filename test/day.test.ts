import { expect, test } from 'vitest';
import {
  countDays,
  daySchema,
  dayNumber,
  dayFromNumber,
  dayOf,
  isDay,
  maxDay,
  minDay,
  overlap,
  parseDay,
  parseInstant,
  periodEnd,
  periodStart,
  shiftPeriod,
  toDay,
  type Grain,
} from '../src/day.ts';
import { days } from './support/answers.ts';

test.each('2026-01-31 2026-04-30 2024-02-29 2000-02-29 0001-01-01 9999-12-31 2026-12-01'.split(' '))(
  '%s is a day',
  (text) => {
    expect(isDay(text)).toBe(true);
    expect(toDay(text)).toBe(text);
    expect(daySchema.safeParse(text).success).toBe(true);
  },
);

test.each(
  `2026-02-29 1900-02-29 2026-04-31 2026-06-31 2026-09-31 2026-11-31 2026-01-32 2026-00-10
   2026-13-10 2026-05-00 0000-12-31 2026-1-01 x2026-01-01 2026-01-01T00:00Z`.split(/\s+/),
)('%s is not a day', (text) => {
  expect(isDay(text)).toBe(false);
  expect(() => toDay(text)).toThrow(new RangeError(`not a calendar day (YYYY-MM-DD): "${text}"`));
  expect(daySchema.safeParse(text).error?.issues[0]?.message).toBe('is not a calendar day');
});

test('a value that is no text is not a day', () => {
  expect(daySchema.safeParse(20260101).success).toBe(false);
});

test.each([
  ['1969-12-28', 'week', '1969-12-22', '1969-12-28'],
  ['1969-12-29', 'week', '1969-12-29', '1970-01-04'],
  ['2026-03-08', 'week', '2026-03-02', '2026-03-08'],
  ['2024-02-10', 'month', '2024-02-01', '2024-02-29'],
  ['2026-12-31', 'month', '2026-12-01', '2026-12-31'],
  ['2026-12-31', 'day', '2026-12-31', '2026-12-31'],
])('the period of %s by %s', (...[day, grain, start, end]) => {
  expect(periodStart(toDay(day), grain as Grain)).toBe(start);
  expect(periodEnd(toDay(day), grain as Grain)).toBe(end);
});

test('days are counted, compared and shifted', () => {
  const [one, other] = [toDay('2026-02-27'), toDay('2026-03-02')];
  expect([countDays(one, other), countDays(other, one), countDays(one, one)]).toEqual([4, -2, 1]);
  expect([minDay(one, other), minDay(other, one)]).toEqual([one, one]);
  expect([maxDay(one, other), maxDay(other, one)]).toEqual([other, other]);
  expect(dayFromNumber(dayNumber(one) + 3)).toBe(other);
  expect(dayNumber(toDay('1970-01-02'))).toBe(1);
  expect(shiftPeriod(one, 'month', -14)).toBe('2024-12-01');
  expect(shiftPeriod(one, 'week', 2)).toBe('2026-03-09');
  expect(shiftPeriod(one, 'day', -1)).toBe('2026-02-26');
  expect(dayOf(Date.parse('2026-03-02T23:59:59.999Z'))).toBe(other);
});

test.each([
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02T10:20', '2026-03-02T10:20:00.000Z'],
  ['2026-03-02 10:20:30', '2026-03-02T10:20:30.000Z'],
  ['2026-03-02t10:20:30z', '2026-03-02T10:20:30.000Z'],
  ['2026-03-02T10:20:30.5Z', '2026-03-02T10:20:30.500Z'],
  ['2026-03-02T10:20:30,25', '2026-03-02T10:20:30.250Z'],
  ['2026-03-02T01:20+02:00', '2026-03-01T23:20:00.000Z'],
  ['2026-03-02T23:20:30-0130', '2026-03-03T00:50:30.000Z'],
  ['2026-03-02T23:20:30.125+03', '2026-03-02T20:20:30.125Z'],
  ['0001-01-01T00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('the instant of %s is %s, and its day that of UTC', (text, instant) => {
  expect(new Date(parseInstant(text) ?? Number.NaN).toISOString()).toBe(instant);
  expect(parseDay(text)).toBe(instant.slice(0, 10));
});

test.each(
  `soon 2026-02-30T10:00Z 2026-03-02T10 2026-03-02T10:20:30.1234567890Z 2026-03-02T10:20:30+1
   2026-03-02T10:20Zx x2026-03-02T10:20Z 2026-03-02X10:20 2026-03-02T25:00Z
   2026-03-02T10:20:30. 0001-01-01T00:00+01:00 9999-12-31T23:59:59.999-01:00 20260-03-02T10:20
   2026-03-02T10:2`.split(/\s+/),
)('%s is not an instant', (text) => {
  expect([parseInstant(text), parseDay(text)]).toEqual([undefined, undefined]);
});

test('an instant has microseconds as a fraction, but not beyond the last year', () => {
  const start = Date.parse('2026-03-02T10:20:30.123Z');
  const fractions = { 123: 0, 1234: 0.4, 12345: 0.45, 123456: 0.456, 123456789: 0.456 };
  for (const [digits, fraction] of Object.entries(fractions))
    expect((parseInstant(`2026-03-02T10:20:30.${digits}Z`) ?? 0) - start).toBeCloseTo(fraction, 3);
  expect(parseInstant('9999-12-31T23:59:59.999999Z')).toBe(Date.parse('9999-12-31T23:59:59.999Z'));
});

test.each([
  ['2026-03-01', '2026-03-04', false],
  ['2026-03-01', '2026-03-05', true],
  ['2026-03-07', '2026-03-09', true],
  ['2026-03-08', '2026-03-09', false],
])('the days from %s to %s overlap those from the fifth to the seventh: %j', (start, end, expected) => {
  const [one, other] = [days('2026-03-05', '2026-03-07'), days(start, end)];
  expect([overlap(one, other), overlap(other, one)]).toEqual([expected, expected]);
  expect(overlap(null, other)).toBe(true);
});
