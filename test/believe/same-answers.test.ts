import { expect, test } from 'vitest';
import { SameAnswers, type Offered, type Refusal } from '../../src/believe/same-answers.ts';
import type { DayRange } from '../../src/day.ts';
import type { Slice } from '../../src/slice.ts';
import { days, sliceOf, type SliceChanges } from '../support/answers.ts';

/** The figures of each day. Fewer than two different ones may be equal by chance. */
type Numbers = readonly (readonly number[])[];
type Answer = readonly [slice: Slice, figures: Offered<string>['figures']];
type Ids = Record<string, readonly string[]>;

function answer(slice: Slice, numbers: Numbers, ids: Ids = {}): Answer {
  const found = numbers.flatMap((ofDay, index) =>
    ofDay.length === 0
      ? []
      : [
          [
            `day ${String(index)}`,
            { digest: ofDay.reduce((sum, number) => sum * 1009 + number + 1, 0), numbers: ofDay },
          ] as const,
        ],
  );
  return [slice, { days: new Map(found), ids: new Map(Object.entries(ids)) }];
}

const series = (projectId: string | null, numbers: Numbers, changes: SliceChanges = {}): Answer =>
  answer(sliceOf('visibility', { projectId, ...changes }), numbers);
const filtered = (scopeId: string, numbers: Numbers, changes: SliceChanges = {}): Answer =>
  series('p', numbers, { scope: 'model', scopeId, ...changes });
const summary = (window: DayRange, numbers: Numbers, changes: SliceChanges = {}): Answer =>
  answer(sliceOf('llm_sources', { projectId: 'p', window, ...changes }), numbers);
const filteredSummary = (scopeId: string, numbers: Numbers, window: DayRange = FIRST): Answer =>
  summary(window, numbers, { scope: 'model', scopeId });
const list = (projectId: string, ids: Ids): Answer => answer(sliceOf('prompts', { projectId }), [], ids);

const ONE: Numbers = [[1, 2]];
const OTHER: Numbers = [[1, 3]];
const CHANCE: Numbers = [[1], [1]];
const FIRST = days('2026-03-01', '2026-03-07');
const TOUCHING = days('2026-03-07', '2026-03-13');
const SECOND = days('2026-03-08', '2026-03-14');
const THIRD = days('2026-03-15', '2026-03-21');

/** What each answer releases, refuses (!a) and withdraws (-a), answers named by letter; last, what the end releases. */
function judge(answers: readonly Answer[]): { steps: string[]; refusals: Refusal[] } {
  const same = new SameAnswers<string>();
  const nameOf = (slice: Slice): string =>
    String.fromCodePoint(97 + answers.findIndex(([own]) => own === slice));
  const refusals: Refusal[] = [];
  const steps = answers.map(([slice, figures]) => {
    const { released, refused, withdrawn } = same.offer({ item: nameOf(slice), slice, figures });
    refusals.push(...refused, ...withdrawn);
    expect(refused.map(({ item }) => item)).toEqual(refused.map((one) => nameOf(one.slice)));
    const stops = [
      ...refused.map(({ item }) => `!${item}`),
      ...withdrawn.map((one) => `-${nameOf(one.slice)}`),
    ];
    return [...released, ...stops].join(' ');
  });
  const closed = same.close();
  expect(same.close()).toEqual([]);
  return { steps: [...steps, closed.join(' ')], refusals };
}

test.each<[string, Answer[], string]>([
  ['two are equal', [series('p', ONE), series('q', ONE)], ',!a !b,'],
  ['a third one is equal too', [series('p', ONE), series('q', ONE), series('r', ONE)], ',!a !b,!c,'],
  ['one equals one that was stored', [series('p', ONE), series('q', OTHER), series('r', ONE)], ',a b,!c -a,'],
  ['they differ', [series('p', ONE), series('q', OTHER), series('r', [[5, 6]])], ',a b,c,'],
  ['one has more days', [series('p', ONE), series('q', [...ONE, [3]])], ',a b,'],
  ['one has fewer days', [series('p', [...ONE, [3]]), series('q', ONE)], ',a b,'],
  ['the figures are of another day', [series('p', [[1, 2], []]), series('q', [[], [1, 2]])], ',a b,'],
  ['equal figures may be chance', [series('p', CHANCE), series('q', CHANCE)], 'a,b,'],
  ['one has no figures', [series('p', ONE), series('q', [])], ',a b,'],
  ['one project is asked twice', [series('p', ONE), series('p', ONE)], ',,a b'],
  ['the weeks are others', [series('p', ONE), series('q', ONE, { window: SECOND })], ',,a b'],
  ['the weeks of one project are others', [series('p', ONE), series('p', ONE, { window: THIRD })], ',,a b'],
  [
    'the kinds of window are others',
    [summary(FIRST, ONE), summary(FIRST, ONE, { projectId: 'q', windowKind: 'month' })],
    ',,a b',
  ],
  ['the grains are others', [series('p', ONE), series('q', ONE, { grain: 'week' })], ',,a b'],
  ['it has no project', [series(null, ONE)], 'a,'],
  ['an id is in both', [list('p', { prompts: ['1', '2'] }), list('q', { prompts: ['3', '2'] })], ',!a !b,'],
  ['an id is in one twice', [list('p', { prompts: ['1'] }), list('p', { prompts: ['1'] })], ',,a b'],
  ['two kinds share an id', [list('p', { prompts: ['1'] }), list('q', { monitors: ['1'] })], ',a b,'],
])('of answers about projects, %s', (_title, answers, steps) => {
  expect(judge(answers).steps.join()).toBe(steps);
});

test.each<[string, Answer[], string]>([
  ['two are equal', [summary(FIRST, ONE), summary(SECOND, ONE)], ',!a !b,'],
  ['two are equal, the later one first', [summary(SECOND, ONE), summary(FIRST, ONE)], ',!a !b,'],
  ['two that share a day are equal', [summary(FIRST, ONE), summary(TOUCHING, ONE)], ',,a b'],
  [
    'two that share a day are equal, the later one first',
    [summary(TOUCHING, ONE), summary(FIRST, ONE)],
    ',,a b',
  ],
  ['two of three are equal', [summary(FIRST, ONE), summary(SECOND, OTHER), summary(THIRD, ONE)], ',,!a !c,b'],
  ['those of a filter differ', [filteredSummary('m', ONE), filteredSummary('m', OTHER, SECOND)], ',a b,'],
  [
    'a third one equals two that share a day',
    [summary(FIRST, ONE), summary(TOUCHING, ONE), summary(THIRD, ONE)],
    ',,!a !b !c,',
  ],
  [
    'one equals a refused one that shares its day',
    [summary(FIRST, ONE), summary(SECOND, ONE), summary(TOUCHING, ONE)],
    ',!a !b,!c,',
  ],
  [
    'one differs from a refused one that shares its day',
    [summary(FIRST, ONE), summary(SECOND, ONE), summary(TOUCHING, OTHER)],
    ',!a !b,,c',
  ],
  ['they differ', [summary(FIRST, ONE), summary(SECOND, OTHER), summary(THIRD, [[5, 6]])], ',,,a b c'],
  ['equal figures may be chance', [summary(FIRST, CHANCE), summary(SECOND, CHANCE)], 'a,b,'],
])('of answers about windows, %s', (_title, answers, steps) => {
  expect(judge(answers).steps.join()).toBe(steps);
});

const whole = series('p', ONE);
const visits = (changes: SliceChanges = {}): Answer =>
  answer(sliceOf('visitor_visits', { projectId: 'p', ...changes }), ONE);
test.each<[string, Answer[], string]>([
  ['two equal it', [whole, filtered('m', ONE), filtered('n', ONE), filtered('o', OTHER)], ',,!b !c,!d,a'],
  [
    'two equal it on one day',
    [series('p', [[1, 2], [3]]), filtered('m', [[1, 2], [4]]), filtered('n', [[1, 2], [4]])],
    ',b,c,a',
  ],
  ['one equals it', [whole, filtered('m', ONE), filtered('n', OTHER)], ',,c,a b'],
  [
    'two equal it, and the endpoint has no other filter',
    [visits(), visits({ scope: 'page', scopeId: '/m' }), visits({ scope: 'page', scopeId: '/n' })],
    ',,!b !c,a',
  ],
  ['one value equals it twice', [whole, filtered('m', ONE), filtered('m', ONE)], ',,,a b c'],
  [
    'one that differs was stored',
    [whole, filtered('l', OTHER), filtered('m', ONE), filtered('n', ONE)],
    ',b,,!c !d,a',
  ],
  ['it has more days', [series('p', [...ONE, [3]]), filtered('m', ONE), filtered('n', ONE)], ',,!b !c,a'],
  ['it has fewer days', [whole, filtered('m', [...ONE, [4]]), filtered('n', ONE)], ',,!b !c,a'],
  [
    'the days in common may be equal by chance',
    [series('p', [[1], [1]]), filtered('m', [[1], [1], [2]])],
    'a,,b',
  ],
  [
    'its days come in two answers',
    [series('p', [[1]]), series('p', [[1], [2]], { window: SECOND }), filtered('m', [[1], [2]])],
    'a,,,b c',
  ],
  [
    'its project got the answer of another one',
    [
      whole,
      filtered('l', OTHER),
      filtered('m', ONE),
      series('q', ONE),
      filtered('m', OTHER, { projectId: 'q' }),
    ],
    ',b,,!a !c !d,!e,',
  ],
  [
    'another endpoint of its project got the answer of another one',
    [
      answer(sliceOf('sentiment', { projectId: 'p' }), ONE),
      answer(sliceOf('sentiment', { projectId: 'q' }), ONE),
      filtered('m', OTHER),
    ],
    ',!a !b,c,',
  ],
  ['it is of another grain', [series('p', ONE, { grain: 'week' }), filtered('m', ONE)], ',b,a'],
  ['it is of another project', [series('q', ONE), filtered('m', ONE)], ',b,a'],
  [
    'it is of another endpoint',
    [answer(sliceOf('sentiment', { projectId: 'p' }), ONE), filtered('m', ONE)],
    ',b,a',
  ],
  [
    'another filter equals it too',
    [whole, filtered('m', ONE), filtered('n', ONE, { scope: 'monitor' })],
    ',,,a b c',
  ],
  [
    'another grain equals it too',
    [whole, filtered('m', ONE), series('p', ONE, { grain: 'week' }), filtered('n', ONE, { grain: 'week' })],
    ',,,,a b c d',
  ],
  [
    'two windows equal it',
    [summary(FIRST, ONE), filteredSummary('m', ONE), filteredSummary('n', ONE)],
    ',,!b !c,a',
  ],
  [
    'a window of other days equals it',
    [summary(FIRST, ONE), filteredSummary('m', ONE, SECOND), filteredSummary('n', ONE, SECOND)],
    ',,,a b c',
  ],
  [
    'a window that waits differs from it',
    [summary(FIRST, ONE), filteredSummary('l', OTHER), filteredSummary('m', ONE), filteredSummary('n', ONE)],
    ',,,!c !d !b,a',
  ],
])('of answers about a filter and the project without it, %s', (_title, answers, steps) => {
  expect(judge(answers).steps.join()).toBe(steps);
});

test.each<[string, Answer[], Partial<Refusal>]>([
  [
    'projects',
    [series('p', ONE), series('q', ONE)],
    { ignored: 'project', what: 'projects p and q got the same answer' },
  ],
  [
    'ids',
    [list('p', { prompts: ['1'] }), list('q', { prompts: ['1'] })],
    { ignored: 'project', what: 'prompts 1 belongs to project p and to project q' },
  ],
  [
    'windows',
    [summary(FIRST, ONE), summary(SECOND, ONE)],
    { ignored: 'window', what: 'two windows that share no day got the same answer' },
  ],
  [
    'filters',
    [whole, filtered('m', ONE), filtered('n', ONE), filtered('o', ONE)],
    { ignored: 'filter', what: 'two values of the filter got the same answer as the project without it' },
  ],
])('a refusal because of %s says what was ignored', (_title, answers, why) => {
  const { refusals } = judge(answers);
  expect(refusals.length).toBeGreaterThan(1);
  expect(refusals).toMatchObject(refusals.map(() => why));
});

test('a week waits for the end of its step, and is not stored when another answer had days not asked for', () => {
  const same = new SameAnswers<string>();
  const of = (endpoint: string, projectId: string, grain: 'day' | 'week'): Slice =>
    sliceOf(endpoint, { projectId, grain });
  const offer = (item: string, slice: Slice): unknown => {
    const [, figures] = answer(slice, [[item.length, 2]]);
    const { released, refused } = same.offer({ item, slice, figures });
    return [released, refused.map((one) => [one.item, one.ignored])];
  };
  expect(offer('a', of('visibility', 'p', 'week'))).toEqual([[], []]);
  expect(offer('bbbb', of('visibility', 'q', 'week'))).toEqual([[], []]);
  expect(offer('cc', of('sentiment', 'p', 'week'))).toEqual([[], []]);
  expect(offer('ddd', of('visibility', 'p', 'day'))).toEqual([[], []]);
  expect(
    same.ignoreWindows(of('visibility', 'p', 'day')).map(({ item, ignored }) => [item, ignored]),
  ).toEqual([['a', 'window']]);
  expect(offer('eeeee', of('visibility', 'p', 'week'))).toEqual([[], [['eeeee', 'window']]]);
  // Days of the endpoint are stored.
  expect(offer('ffffff', of('visibility', 'p', 'day'))).toEqual([[], []]);
  expect(same.close()).toEqual(['bbbb', 'cc', 'ddd', 'ffffff']);
});

test('an endpoint that ignores its window and then its project loses its filters too', () => {
  const same = new SameAnswers<string>();
  const offer = (item: string, [slice, figures]: Answer) =>
    same.offer({ item, slice, figures }).refused.map(({ ignored }) => `${item} ${ignored}`);
  same.ignoreWindows(sliceOf('visibility', { projectId: 'p' }));
  expect([...offer('a', series('p', ONE)), ...offer('b', series('q', ONE))]).toHaveLength(2);
  expect(offer('c', filtered('n', OTHER))).toEqual(['c project']);
});

test('a filtered answer that is equal by chance waits until longer ones show that the filter is ignored', () => {
  const short = days('2026-03-08', '2026-03-08');
  const { steps } = judge([
    series('p', ONE),
    series('p', [[], [7]], { window: short }),
    filtered('m', [[], [7]], { window: short }),
    filtered('n', [[], [8]], { window: short }),
    filtered('m', ONE),
    filtered('n', ONE),
  ]);
  expect(steps).toEqual(['', 'b', '', 'd', '', '!e !f !c', 'a']);
});

test('weeks of a project are not stored when its days are those of another project', () => {
  const { steps } = judge([
    series('p', CHANCE, { grain: 'week' }),
    series('q', CHANCE, { grain: 'week' }),
    series('p', ONE),
    series('q', ONE),
    series('q', CHANCE, { grain: 'week', window: SECOND }),
  ]);
  expect(steps).toEqual(['', '', '', '!c !a !d !b', '!e', '']);
});
