import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, toDay, type Day, type DayRange } from '../../src/day.ts';
import { catalogue, endpointNamed } from '../support/catalogue.ts';
import type { Coverage } from '../../src/plan/coverage.ts';
import { RangeLimits } from '../../src/extract/range-limits.ts';
import { askedDays, cutToLimits, expectedSeries, halvesOf, planSlices } from '../../src/plan/plan.ts';
import type { PlanInput, PlannedSlice } from '../../src/plan/plan.ts';
import { seriesKey, sliceGrain, sliceKey, sliceWindow } from '../../src/slice.ts';
import { days, sliceOf } from '../support/answers.ts';
import { runs } from '../support/runs.ts';
import { anyDay, anyRanges, daysOf } from './arbitraries.ts';
import { EMPTY_COVERAGE, byDefault, NOTHING_KNOWN, NO_VALUES, START, TODAY } from './input.ts';

/** What is planned of one endpoint. */
function plan(endpoint: string, changes: Partial<PlanInput> = {}): PlannedSlice[] {
  return planSlices({ ...NOTHING_KNOWN, ...changes, endpoints: changes.endpoints ?? [byDefault(endpoint)] });
}

const windowsOf = (planned: readonly PlannedSlice[]): DayRange[] =>
  planned.flatMap(({ slice }) => sliceWindow(slice) ?? []);

test('planSlices plans each day that is not settled, and none but those, with its lead period and in its bound', () => {
  fc.assert(
    fc.property(anyRanges, anyDay, fc.constantFrom('day', 'week', 'month'), (settled, end, grain) => {
      const planned = plan('share_of_voice', {
        endpoints: [{ ...byDefault('share_of_voice'), grains: [grain] }],
        range: { start: START, end },
        today: end,
        coverage: { ...EMPTY_COVERAGE, settled: () => settled },
      });
      const done = new Set(daysOf(settled));
      const owed = daysOf([{ start: START, end }]).filter((day) => !done.has(day));
      const held = new Set(daysOf(windowsOf(planned)));
      expect(owed.filter((day) => !held.has(day))).toEqual([]);
      expect(owed.length === 0 && planned.length > 0).toBe(false);
      for (const one of planned) {
        const { slice, asked } = one;
        expect(asked !== null && asked.start < (sliceWindow(slice)?.start ?? '')).toBe(true);
        expect(askedDays(one)).toBeLessThanOrEqual(90);
      }
    }),
    runs(300),
  );
});

test('a window and a list that need no answer any more are not asked', () => {
  const months = ['2025-11-01', '2025-12-01', '2026-01-01'].map((month) => days(month, TODAY));
  const settled: Coverage['settled'] = ({ windowKind, endpoint }) =>
    windowKind === 'month' || endpoint === 'prompts' ? months : [];
  const coverage = { ...EMPTY_COVERAGE, settled };
  const starts = windowsOf(plan('response_summary', { coverage })).map(({ start }) => start);
  expect(starts).toEqual(['2026-03-01', '2026-02-01', '2026-02-17']);
  expect(plan('prompts')).toHaveLength(1);
  expect(plan('prompts', { coverage })).toEqual([]);
});

test('a window asks for one day beyond its end, unless that day lies ahead', () => {
  const askedOf = (endDate: 'inclusive' | 'exclusive', end: Day): unknown =>
    plan('events', {
      endpoints: [{ ...byDefault('events'), endDate }],
      range: { start: addDays(TODAY, -60), end },
    })[0]?.asked?.end;
  expect(askedOf('inclusive', addDays(TODAY, -30))).toBe(addDays(TODAY, -29));
  expect(askedOf('inclusive', TODAY)).toBe(TODAY);
  expect(askedOf('exclusive', addDays(TODAY, -30))).toBe(addDays(TODAY, -29));
  expect(askedOf('exclusive', TODAY)).toBe(addDays(TODAY, 1));
});

const RECENT = { start: addDays(TODAY, -7), end: TODAY };
const FIRST_DAY = { start: '2025-11-25', end: '2025-11-25' };

test('days without a row by one answer are asked once more, in the fewest ranges and by the last stage alone', () => {
  const later = [
    { start: addDays(START, 60), end: addDays(START, 62) },
    { start: addDays(TODAY, -2), end: TODAY },
  ];
  const coverage: Coverage = {
    ...EMPTY_COVERAGE,
    settled: () => [{ start: START, end: addDays(TODAY, -8) }],
    unconfirmed: ({ windowKind = null }) => [
      { start: START, end: START },
      ...(windowKind === null ? later : []),
    ],
  };
  const again = () => [];
  expect(windowsOf(plan('visibility', { coverage }))).toEqual([RECENT]);
  const asked = windowsOf(plan('visibility', { coverage, again }));
  expect(asked).toEqual([{ start: START, end: addDays(START, 62) }]);
  const windows = windowsOf(plan('response_summary', { coverage, again }));
  expect(windows.map(({ start }) => start)).toEqual([START, START]);
  expect(plan('prompts', { coverage, again })).toEqual([]);
});

test.each([
  ['day', null, [], [RECENT]],
  ['day', '2026-03-01', [], [{ start: '2026-03-01', end: TODAY }]],
  // One request holds 90 days.
  ['day', '2025-11-25', [], [{ start: '2025-12-18', end: TODAY }]],
  ['day', '2025-11-25', ['2025-11-25', '2026-03-02'], [{ start: '2025-12-18', end: TODAY }, FIRST_DAY]],
  ['week', '2025-11-25', [], [{ start: '2025-12-22', end: TODAY }]],
] as const)(
  'a nightly question by %s that needs %s begins there, in one request, and one more for %j',
  (...[grain, begin, needed, expected]) => {
    const days = needed.map((day) => ({ start: toDay(day), end: toDay(day) }));
    const coverage: Coverage = {
      ...EMPTY_COVERAGE,
      settled: () => [{ start: START, end: addDays(TODAY, -8) }],
      begin: () => begin && toDay(begin),
      missing: () => days,
      needed: () => days,
    };
    const endpoints = [{ ...byDefault('visibility'), grains: [grain] }];
    expect(windowsOf(plan('', { coverage, endpoints }))).toEqual(expected);
  },
);

test.each([
  ['2026-03-01', '2026-03-01'],
  ['2025-11-21', '2026-03-10'],
  [null, '2026-03-10'],
])('a nightly question under an alarm that needs %s begins on %s, in one request', (begin, start) => {
  const coverage: Coverage = {
    ...EMPTY_COVERAGE,
    settled: () => [{ start: START, end: addDays(TODAY, -8) }],
    begin: () => (begin === null ? null : toDay(begin)),
    asks: () => 'recent',
  };
  expect(windowsOf(plan('visibility', { coverage }))).toEqual([{ start, end: TODAY }]);
});

test('the whole range is asked where something is searched for that left its day', () => {
  const planned = plan('events', {
    coverage: { ...EMPTY_COVERAGE, settled: () => [{ start: START, end: TODAY }] },
    again: () => [{ start: START, end: TODAY }],
  });
  const before = { start: START, end: addDays(TODAY, -8) };
  expect(daysOf(windowsOf(planned)).toSorted()).toEqual(daysOf([before]));
});

test.each([
  ['all', 2],
  ['parts', 3],
  ['newest', 2],
  ['recent', 1],
  ['nothing', 0],
] as const)(
  'of a series with an alarm, %s of its slices are asked, the look-back as one of them',
  (...[asks, slices]) => {
    const planned = plan('visibility', {
      endpoints: [{ ...byDefault('visibility'), scopes: ['monitor'] }],
      scopeValues: { ...NO_VALUES, monitor: ['m'] },
      coverage: { ...EMPTY_COVERAGE, asks: () => asks },
    });
    expect(planned).toHaveLength(slices);
  },
);

test('planSlices names every series that it plans among the expected ones', () => {
  const scopes = ['project', 'model', 'monitor'] as const;
  const endpoints = catalogue.map(({ name }) => ({ ...byDefault(name), scopes }));
  const scopeValues = { ...NO_VALUES, model: ['a', 'b'], monitor: ['c'] };
  const input = { ...NOTHING_KNOWN, endpoints, scopeValues };
  const series = planSlices(input).filter(({ slice }) => slice.kind === 'series' || slice.kind === 'dated');
  const expected = expectedSeries(input, START)
    .filter(({ start }) => start !== null)
    .map(seriesKey);
  expect(new Set(series.map(({ slice }) => sliceKey(slice)))).toEqual(new Set(expected));
});

test('planSlices asks for one day more where the server does not count endDate', () => {
  const endpoints = ['visibility', 'events', 'response_summary', 'crawler_requests'].map((name) => ({
    ...byDefault(name),
    endDate: 'exclusive' as const,
    grains: ['day', 'week'] as const,
  }));
  const planned = plan('', { endpoints });
  const ofDays = planned.filter(({ slice }) => sliceGrain(slice) !== 'week');
  expect(ofDays.map(({ asked }) => asked)).toEqual(
    windowsOf(ofDays).map(({ start, end }) => ({ start, end: addDays(end, 1) })),
  );
  const weekly = planned.filter(({ slice }) => sliceGrain(slice) === 'week');
  expect(new Set(weekly.map(({ slice }) => slice.endpoint))).toEqual(new Set(['visibility']));
});

const MARCH = days('2026-03-01', '2026-03-20');

function planned(name: string, window = MARCH, asked: DayRange = window): PlannedSlice {
  const slice = sliceOf(name, { window });
  const ofDays = sliceWindow(slice) === null ? null : asked;
  return { endpoint: endpointNamed(name), slice, asked: ofDays, limit: null, askedWith: '' };
}

function textOf(pieces: readonly PlannedSlice[] | string): string {
  if (typeof pieces === 'string') return pieces;
  const text = (range: DayRange | null): string =>
    `${range?.start.slice(8) ?? ''}-${range?.end.slice(8) ?? ''}`;
  return pieces.map(({ slice, asked }) => `${text(sliceWindow(slice))} asked ${text(asked)}`).join(', ');
}

/** A server that refused 12 days, answered 10, and no longer has the days up to `oldest`. */
function limits({ isRefused = true, oldest }: { isRefused?: boolean; oldest?: string } = {}): RangeLimits {
  const range = new RangeLimits();
  range.answered(days('2026-03-09', '2026-03-18'));
  const refused = days('2026-03-09', '2026-03-20');
  if (isRefused) range.refused(refused, { isSmallest: false, first: refused.start });
  if (oldest !== undefined) range.tooOld(toDay(`2026-${oldest}`));
  return range;
}

const SERIES = planned('visibility');
const WINDOW = planned('response_summary');
const LED = planned('visibility', MARCH, days('2026-02-28', '2026-03-21'));
const march = (first: string, last: string, name = 'visibility'): PlannedSlice =>
  planned(name, days(`2026-03-${first}`, `2026-03-${last}`));

test.each<[string, Parameters<typeof limits>[0], PlannedSlice, string]>([
  ['a list', { oldest: '03-30' }, planned('prompts'), ''],
  ['a series while nothing is known', { isRefused: false }, SERIES, ''],
  ['a long series, newest first', {}, SERIES, '19-20 asked 19-20, 10-18 asked 10-19, 01-09 asked 01-10'],
  ['a series as long as the longest answer', {}, march('01', '10'), ''],
  ['a series that begins too early', { oldest: '03-04' }, LED, '05-20 asked 05-21, 01-04 asked 28-05'],
  ['a series that begins where days are had', { oldest: '02-28' }, march('01', '09'), ''],
  [
    'a series that ends on the first day',
    { oldest: '03-19' },
    SERIES,
    '20-20 asked 20-20, 01-19 asked 01-20',
  ],
  ['a series that ends too early', { oldest: '03-20' }, SERIES, 'too old'],
  ['a window of too many days', {}, WINDOW, 'too long'],
  ['a window of few enough days', {}, march('10', '20', 'response_summary'), ''],
  ['a window that ends too early', { oldest: '03-20' }, WINDOW, 'too old'],
])('what is asked for instead of %s follows from the limits of the run', (...[, known, one, expected]) => {
  expect(textOf(cutToLimits(one, limits(known)))).toBe(expected);
});

const WEEKS = { grain: 'week', window: days('2026-02-02', '2026-03-01') } as const;
const OF_WEEKS = { ...planned('visibility', WEEKS.window), slice: sliceOf('visibility', WEEKS) };

test.each<[string, PlannedSlice, string]>([
  ['a series', SERIES, '11-20 asked 11-20, 01-10 asked 01-11'],
  ['three days', march('01', '03'), '02-03 asked 02-03, 01-01 asked 01-02'],
  ['weeks', OF_WEEKS, '16-01 asked 16-01, 02-15 asked 02-22'],
  ['a series with a lead period', planned('share_of_voice'), '11-20 asked 10-20, 01-10 asked 28-11'],
  ['events', planned('events'), '11-20 asked 11-20, 01-10 asked 01-11'],
  ['a day', march('01', '01'), ''],
  ['a window', WINDOW, ''],
  ['a list', planned('prompts'), ''],
])('the halves of %s are at most two', (_title, one, expected) => {
  expect(textOf(halvesOf(one))).toBe(expected);
});

test('named days of a series with figures of the period before are planned with the period after them, which has theirs', () => {
  const week = days('2026-02-02', '2026-02-08');
  const ends = ['visibility', 'share_of_voice'].map((name) => {
    const endpoints = [{ ...byDefault(name), grains: ['day', 'week'] as const }];
    return planSlices({ ...NOTHING_KNOWN, endpoints, range: week }).map(
      ({ slice }) => sliceWindow(slice)?.end,
    );
  });
  expect(ends).toEqual([
    ['2026-02-08', '2026-02-08'],
    ['2026-02-09', '2026-02-15'],
  ]);
});
