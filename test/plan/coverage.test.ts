import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { coverageOf, type CoverageQuestion, type LedgerFacts } from '../../src/plan/coverage.ts';
import { listSlice, seriesKey, sliceKey, windowKey } from '../../src/slice.ts';
import { days } from '../support/answers.ts';

const TODAY = toDay('2026-03-20');
const SERIES = {
  endpoint: 'visibility',
  projectId: 'p',
  scope: 'project',
  scopeId: 'p',
  grain: 'day',
} as const;
const START = toDay('2026-03-01');
const WINDOW = { ...SERIES, windowKind: 'day', start: START, lastDay: START } as const;
const WINDOW_KEY = windowKey(WINDOW, 'day', START);
const LIST = listSlice({ ...SERIES, endpoint: 'prompts' });

function coverage(facts: Partial<LedgerFacts>, question: Partial<CoverageQuestion> = {}) {
  return coverageOf(
    {
      settled: new Map(),
      owedDays: new Map(),
      owedWindows: new Set(),
      unconfirmed: new Map(),
      windows: new Map(),
      lists: new Set(),
      ...facts,
    },
    {
      today: TODAY,
      lookbackDays: 5,
      asksForOld: false,
      chain: [],
      asked: [],
      chainOnly: false,
      ...question,
    },
  );
}

it('days are settled that are final and not owed again', () => {
  const key = seriesKey(SERIES);
  const settled = new Map([[key, [days('2026-03-01', '2026-03-10')]]]);
  const owedDays = new Map([[key, [days('2026-03-04', '2026-03-05')]]]);
  expect(coverage({ settled }).settled(SERIES)).toEqual([days('2026-03-01', '2026-03-10')]);
  expect(coverage({ settled, owedDays }).settled(SERIES)).toEqual([
    days('2026-03-01', '2026-03-03'),
    days('2026-03-06', '2026-03-10'),
  ]);
  expect(coverage({}).settled(SERIES)).toEqual([]);
});

it('a list is settled once a run of the chain has loaded it', () => {
  expect(coverage({ lists: new Set([sliceKey(LIST)]) }).isListLoaded(LIST)).toBe(true);
  expect(coverage({}).isListLoaded(LIST)).toBe(false);
});

it.each<[string, boolean, { syncDay?: string; isOfChain?: boolean; isOwed?: boolean; chainOnly?: boolean }]>([
  ['final', true, {}],
  ['younger than the look-back', false, { syncDay: '2026-03-05' }],
  ['younger, of a run of the chain of another day', false, { syncDay: '2026-03-05', isOfChain: true }],
  ['owed', false, { isOwed: true }],
  ['of a run that does not count', false, { chainOnly: true }],
  ['of an earlier run of the chain', true, { chainOnly: true, isOfChain: true }],
  ['of a run of the chain of today, owed or not', true, { syncDay: TODAY, isOfChain: true, isOwed: true }],
  ['of another run of today, and owed', false, { syncDay: TODAY, isOwed: true }],
])('a window with an answer %s is settled: %s', (_title, expected, changes) => {
  const { syncDay = '2026-03-06', isOfChain = false, isOwed = false, chainOnly = false } = changes;
  const windows = new Map([[WINDOW_KEY, { syncDay: toDay(syncDay), timezone: null, isOfChain }]]);
  const owedWindows = new Set(isOwed ? [WINDOW_KEY] : []);
  expect(coverage({ windows, owedWindows }, { chainOnly }).isWindowSettled(WINDOW)).toBe(expected);
});

it('a window without an answer is not settled', () => {
  expect(coverage({}).isWindowSettled(WINDOW)).toBe(false);
});
