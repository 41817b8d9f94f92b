import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, toDay, type Day } from '../../src/day.ts';
import { catalogue, endpointNamed } from '../../src/endpoints/catalogue.ts';
import { EMPTY_COVERAGE } from '../../src/plan/coverage.ts';
import {
  askedDays,
  expectedSeries,
  planSlices,
  type Confirms,
  type PlannedSlice,
} from '../../src/plan/plan.ts';
import { seriesKey, sliceGrain, sliceKey, sliceWindow } from '../../src/slice.ts';
import { runs } from '../support/runs.ts';
import { anyDay, daysOf } from './arbitraries.ts';
import { byDefault, MemoryLedger, NO_VALUES, planNight } from './ledger.ts';

const START = toDay('2025-11-20');
const TODAY = toDay('2026-03-17');

function windowsFor(planned: readonly PlannedSlice[], endpoint: string, scope = 'project'): unknown[] {
  return planned
    .filter(({ slice }) => slice.endpoint === endpoint && slice.scope === scope)
    .map(({ slice }) => sliceWindow(slice));
}

function isList({ slice }: PlannedSlice): boolean {
  return slice.kind === 'list';
}

test('planSlices asks again for the look-back and today, and for no older day', () => {
  const ledger = new MemoryLedger(7);
  const yesterday = addDays(TODAY, -1);
  ledger.answer(planNight({ ledger, today: yesterday, start: START }), yesterday);
  expect(windowsFor(planNight({ ledger, today: TODAY, start: START }), 'visibility')).toEqual([
    { start: addDays(yesterday, -6), end: TODAY },
  ]);
});

test('planSlices asks nothing again once every day and window is older than the look-back', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 0, max: 9 }), (end, lookbackDays) => {
      const ledger = new MemoryLedger(lookbackDays);
      const much = addDays(end, 40);
      const input = {
        projectId: 'p',
        scopeValues: { ...NO_VALUES, model: ['a'], monitor: ['b'] },
      };
      const range = { start: START, end };
      const endpoints = catalogue.map(byDefault).map((plan) => ({ ...plan, windows: ['month'] as const }));
      const plan = (): PlannedSlice[] =>
        planSlices({ ...input, endpoints, range, today: much, coverage: ledger.coverage }).filter(
          (planned) => !isList(planned),
        );
      const first = plan();
      expect(first.length).toBeGreaterThan(0);
      ledger.answer(first, much);
      const left = plan();
      expect(left).toEqual([]);
    }),
    runs(100),
  );
});

test('planSlices leaves no day without an answer over any nights', () => {
  const nights = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      nights,
      fc.integer({ min: 0, max: 10 }),
      fc.constantFrom('day', 'week', 'month'),
      (steps, lookbackDays, grain) => {
        const ledger = new MemoryLedger(lookbackDays);
        const endpoints = [
          { ...byDefault(endpointNamed('share_of_voice')), grains: [grain], scopes: ['project'] as const },
        ];
        const held = new Set<string>();
        let today = START;
        for (const step of steps) {
          const planned = planNight({ ledger, today, start: START, endpoints });
          for (const { slice, asked } of planned) {
            if (slice.kind === 'list' || asked === null) throw new Error('a series has a window');
            for (const day of daysOf([slice.window])) held.add(day);
            expect(asked.start < slice.window.start).toBe(true);
            expect(askedDays({ slice, asked, limit: null, askedWith: '' })).toBeLessThanOrEqual(90);
          }
          for (const day of daysOf([{ start: START, end: today }])) expect(held.has(day)).toBe(true);
          ledger.answer(planned, today);
          today = addDays(today, step);
        }
      },
    ),
    runs(300),
  );
});

test('a window asks for one day beyond its end, unless that day lies ahead', () => {
  const plan = byDefault(endpointNamed('events'));
  const askedOf = (endDate: 'inclusive' | 'exclusive', end: Day): unknown =>
    planSlices({
      projectId: 'p',
      endpoints: [{ ...plan, endDate }],
      scopeValues: NO_VALUES,
      range: { start: addDays(TODAY, -60), end },
      today: TODAY,
      coverage: new MemoryLedger(7).coverage,
    })[0]?.asked?.end;
  expect(askedOf('inclusive', addDays(TODAY, -30))).toBe(addDays(TODAY, -29));
  expect(askedOf('inclusive', TODAY)).toBe(TODAY);
  expect(askedOf('exclusive', addDays(TODAY, -30))).toBe(addDays(TODAY, -29));
  expect(askedOf('exclusive', TODAY)).toBe(addDays(TODAY, 1));
});

test('days without a row by one answer are asked once more, in the fewest ranges and by the last stage alone', () => {
  const asked = (confirms?: Confirms): unknown =>
    planSlices({
      projectId: 'p',
      endpoints: [byDefault(endpointNamed('visibility'))],
      scopeValues: NO_VALUES,
      range: { start: START, end: TODAY },
      today: TODAY,
      coverage: {
        ...EMPTY_COVERAGE,
        settled: () => [{ start: START, end: addDays(TODAY, -8) }],
        unconfirmed: () => [
          { start: START, end: START },
          { start: addDays(START, 60), end: addDays(START, 62) },
          { start: addDays(TODAY, -2), end: TODAY },
        ],
      },
      ...(confirms === undefined ? {} : { confirms }),
    }).map(({ slice }) => sliceWindow(slice));
  const recent = { start: addDays(TODAY, -7), end: TODAY };
  expect(asked()).toEqual([recent]);
  expect(asked({ searched: [], recent })).toEqual([{ start: START, end: addDays(START, 62) }]);
});

test('the whole range is asked where something is searched for that left its day', () => {
  const recent = { start: addDays(TODAY, -7), end: TODAY };
  const planned = planSlices({
    projectId: 'p',
    endpoints: [byDefault(endpointNamed('events'))],
    scopeValues: NO_VALUES,
    range: { start: START, end: TODAY },
    today: TODAY,
    coverage: { ...EMPTY_COVERAGE, settled: () => [{ start: START, end: TODAY }] },
    confirms: { searched: ['events'], recent },
  });
  expect(daysOf(planned.flatMap(({ slice }) => sliceWindow(slice) ?? [])).toSorted()).toEqual(
    daysOf([{ start: START, end: addDays(TODAY, -8) }]),
  );
});

test.each([
  ['all', 2],
  ['newest', 1],
  ['nothing', 0],
] as const)('of a series that was refused, %s of its slices are asked', (asks, slices) => {
  const planned = planSlices({
    projectId: 'p',
    endpoints: [{ ...byDefault(endpointNamed('visibility')), scopes: ['monitor'] }],
    scopeValues: { ...NO_VALUES, monitor: ['m'] },
    range: { start: START, end: TODAY },
    today: TODAY,
    coverage: { ...EMPTY_COVERAGE, asks: () => asks },
  });
  expect(planned).toHaveLength(slices);
});

test('planSlices names every series that it plans among the expected ones', () => {
  const ledger = new MemoryLedger(7);
  const endpoints = catalogue.map(byDefault);
  const scopeValues = { ...NO_VALUES, model: ['a', 'b'], monitor: ['c'] };
  const input = {
    projectId: 'p',
    endpoints,
    scopeValues,
    range: { start: START, end: TODAY },
    today: TODAY,
  };
  const series = planSlices({ ...input, coverage: ledger.coverage })
    .filter(({ slice }) => slice.kind === 'series' || slice.kind === 'dated')
    .map(({ slice }) => sliceKey(slice));
  const expected = expectedSeries(input).map(seriesKey);
  expect(new Set(series)).toEqual(new Set(expected));
});

test('planSlices asks for one day more where the server does not count endDate', () => {
  const endpoints = ['visibility', 'events', 'response_summary', 'crawler_requests'].map((name) => ({
    ...byDefault(endpointNamed(name)),
    endDate: 'exclusive' as const,
    grains: ['day', 'week'] as const,
  }));
  const planned = planNight({ ledger: new MemoryLedger(7), today: TODAY, start: START, endpoints });
  const ofDays = planned.filter(({ slice }) => sliceGrain(slice) !== 'week');
  expect(ofDays.map(({ asked }) => asked?.end)).toEqual(
    ofDays.map(({ slice }) => addDays(sliceWindow(slice)?.end ?? TODAY, 1)),
  );
  expect(ofDays.map(({ asked }) => asked?.start)).toEqual(
    ofDays.map(({ slice }) => sliceWindow(slice)?.start),
  );
  const weekly = planned.filter(({ slice }) => sliceGrain(slice) === 'week');
  expect(new Set(weekly.map(({ slice }) => slice.endpoint))).toEqual(new Set(['visibility']));
});
