import { expect, it } from 'vitest';
import type { Day, DayRange } from '../../src/day.ts';
import { RangeLimits } from '../../src/extract/range-limits.ts';
import { cutToLimits, halvesOf, type PlannedSlice } from '../../src/plan/plan.ts';
import { sliceWindow } from '../../src/slice.ts';
import { days, sliceOf } from '../support/answers.ts';

const MARCH = days('2026-03-01', '2026-03-20');

function planned(endpoint: string, window = MARCH, asked: DayRange = window): PlannedSlice {
  const slice = sliceOf(endpoint, { window });
  return { slice, asked: sliceWindow(slice) === null ? null : asked, limit: null, askedWith: '' };
}

function textOf(pieces: readonly PlannedSlice[] | string): unknown {
  if (typeof pieces === 'string') return pieces;
  const text = (range: DayRange | null): string =>
    `${range?.start.slice(8) ?? ''}-${range?.end.slice(8) ?? ''}`;
  return pieces.map(({ slice, asked }) => `${text(sliceWindow(slice))} asked ${text(asked)}`);
}

/** A server that refused 12 days, answered 10, and no longer has the days up to `oldest`. */
function limits({ isRefused = true, oldest }: { isRefused?: boolean; oldest?: Day } = {}): RangeLimits {
  const range = new RangeLimits();
  range.answered(days('2026-03-09', '2026-03-18'));
  const refused = days('2026-03-09', '2026-03-20');
  if (isRefused) range.refused(refused, { isSmallest: false, first: refused.start });
  if (oldest !== undefined) range.tooOld(oldest);
  return range;
}

it.each<[string, Parameters<typeof limits>[0], PlannedSlice, unknown]>([
  ['a list', { oldest: '2026-03-30' as Day }, planned('prompts'), []],
  ['a series while nothing is known', { isRefused: false }, planned('visibility'), []],
  [
    'a series longer than the longest answer, the newer part first',
    {},
    planned('visibility'),
    ['19-20 asked 19-20', '10-18 asked 10-19', '01-09 asked 01-10'],
  ],
  ['a series as long as the longest answer', {}, planned('visibility', days('2026-03-01', '2026-03-10')), []],
  [
    'a series that begins too early',
    { oldest: '2026-03-04' as Day },
    planned('visibility', MARCH, days('2026-02-28', '2026-03-21')),
    ['05-20 asked 05-21', '01-04 asked 28-05'],
  ],
  [
    'a series that begins where days are had',
    { oldest: '2026-02-28' as Day },
    planned('visibility', days('2026-03-01', '2026-03-09')),
    [],
  ],
  [
    'a series that ends with the first day',
    { oldest: '2026-03-19' as Day },
    planned('visibility'),
    ['20-20 asked 20-20', '01-19 asked 01-20'],
  ],
  ['a series that ends too early', { oldest: '2026-03-20' as Day }, planned('visibility'), 'too old'],
  ['a window of too many days', {}, planned('response_summary'), 'too long'],
  ['a window of few enough days', {}, planned('response_summary', days('2026-03-10', '2026-03-20')), []],
  ['a window that ends too early', { oldest: '2026-03-20' as Day }, planned('response_summary'), 'too old'],
])(
  'what is asked for instead of %s follows from the limits of the run',
  (...[_title, known, one, expected]) => {
    expect(textOf(cutToLimits(one, limits(known)))).toEqual(expected);
  },
);

const WEEKS = days('2026-02-02', '2026-03-01');

it.each<[string, PlannedSlice, unknown]>([
  ['a series', planned('visibility'), ['11-20 asked 11-20', '01-10 asked 01-11']],
  [
    'three days',
    planned('visibility', days('2026-03-01', '2026-03-03')),
    ['02-03 asked 02-03', '01-01 asked 01-02'],
  ],
  [
    'weeks',
    { ...planned('visibility', WEEKS), slice: sliceOf('visibility', { grain: 'week', window: WEEKS }) },
    ['16-01 asked 16-01', '02-15 asked 02-22'],
  ],
  ['a series with a lead period', planned('share_of_voice'), ['11-20 asked 10-20', '01-10 asked 28-11']],
  ['events', planned('events'), ['11-20 asked 11-20', '01-10 asked 01-11']],
  ['a day', planned('visibility', days('2026-03-01', '2026-03-01')), []],
  ['a window', planned('response_summary'), []],
  ['a list', planned('prompts'), []],
])('the halves of %s are at most two', (_title, one, expected) => {
  expect(textOf(halvesOf(one))).toEqual(expected);
});
