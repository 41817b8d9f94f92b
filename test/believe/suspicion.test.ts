import { expect, test } from 'vitest';
import { placedRows, type PlacedRows } from '../../src/believe/placed-rows.ts';
import { Suspicions, type Judged, type Offered } from '../../src/believe/suspicion.ts';
import { type ProbeFinding, type Probe } from '../../src/believe/probe.ts';
import { addDays, toDay, type DayRange } from '../../src/day.ts';
import { endpointNamed } from '../support/catalogue.ts';
import { TableRows } from '../../src/endpoints/table-rows.ts';
import type { Row } from '../../src/endpoints/table.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { sliceWindow, type Ignored, type Slice } from '../../src/slice.ts';
import { days, sliceOf, type SliceChanges } from '../support/answers.ts';

const SYNC_DAY = toDay('2026-03-20');
const FIRST = days('2026-03-01', '2026-03-07');
const TOUCHING = days('2026-03-07', '2026-03-13');
const SECOND = days('2026-03-08', '2026-03-14');

/** The figures of each day from the first of its window on; null: the day has no row. */
type Figures = readonly (number | null)[];
type Answer = readonly [slice: Slice, placed: PlacedRows];

function offered<Item>(item: Item, [slice, placed]: Answer): Offered<Item> {
  return { item, endpoint: endpointNamed(slice.endpoint), slice, placed, askedWith: 'today' };
}

function answer(slice: Slice, rows: readonly Row[]): Answer {
  const endpoint = endpointNamed(slice.endpoint);
  const all = new TableRows('any', Object.keys(rows[0] ?? { date: null }));
  for (const row of rows) all.add(Object.values(row));
  return [slice, placedRows(endpoint, { slice, syncDay: SYNC_DAY }, { rows: [all], shiftedDay: null })];
}

function series(projectId: string, figures: Figures, changes: SliceChanges = {}): Answer {
  const slice = sliceOf('visibility', { projectId, window: FIRST, ...changes });
  const start = sliceWindow(slice)?.start ?? FIRST.start;
  const rows = figures.flatMap((visibility, index) =>
    visibility === null ? [] : [{ date: addDays(start, index), visibility }],
  );
  return answer(slice, rows);
}
const filtered = (scopeId: string, figures: Figures, changes: SliceChanges = {}): Answer =>
  series('p', figures, { scope: 'model', scopeId, ...changes });
const summary = (window: DayRange, figures: Figures, changes: SliceChanges = {}): Answer =>
  answer(
    sliceOf('llm_sources', { projectId: 'p', window, ...changes }),
    figures.map((count, index) => ({ domain: String(index), count })),
  );
/** More rows than are kept of an answer, by name instead of by day. */
const byName = (changes: SliceChanges = {}): Answer =>
  answer(
    sliceOf('domain_citations', { projectId: 'p', window: FIRST, ...changes }),
    Array.from({ length: 280 }, (_, index) => {
      const domain = String(Math.floor(index / 7));
      return { date: addDays(FIRST.start, index % 7), domain, citations: index };
    }),
  );
const list = (projectId: string, ids: readonly string[]): Answer =>
  answer(
    sliceOf('prompts', { projectId }),
    ids.map((id) => ({ prompt_id: id, monitor_id: 'm' })),
  );

const ONE = [1, 2, 3];
const OTHER = [1, 2, 4];
const CHANCE = [5, 5];

interface Told {
  probed?: readonly Probe[];
  finding?: ProbeFinding;
}

/** What each answer lets go on, answers named by letter (`-`: nothing); then the questions, and what goes on after their findings. */
function judge(answers: readonly Answer[], { probed = [], finding = 'good' }: Told = {}) {
  const projects = new Set(answers.map(([{ projectId }]) => projectId)).size;
  const suspicions = new Suspicions<string>({ projects, probed });
  const nameOf = (all: readonly Judged<string>[]): string =>
    all.map(({ item, verdict }) => (verdict === 'good' ? item : `${item} ${String(verdict)}`)).join(' ');
  const steps = answers.map((one, index) => {
    return nameOf(suspicions.offer(offered(String.fromCodePoint(97 + index), one)));
  });
  const questions = suspicions.questions();
  const asked = questions.map(({ item, suspected }) => `${suspected} of ${item}?`);
  for (const question of questions) suspicions.settle(question, finding);
  expect(suspicions.questions()).toEqual([]);
  const released = nameOf(suspicions.release({ isStopped: false }));
  expect(suspicions.release({ isStopped: false })).toEqual([]);
  return [...steps, ...asked, released].map((names) => names || '-').join();
}

/** Equal answers of two projects, and of two models of the first one. */
const [P, Q, R] = [series('p', ONE), series('q', ONE), series('r', ONE)];
const [M, N] = [filtered('m', ONE), filtered('n', ONE)];
const LESS = filtered('o', [1, 2, null]);
/** Of other days. */
const O = filtered('o', [], { window: SECOND });
const EQUAL = [P, Q];
const WINDOWS = [summary(FIRST, ONE), summary(SECOND, ONE)];
const NAMED = [byName(), ...['m', 'n'].map((scopeId) => byName({ scope: 'model', scopeId }))];
const CASES: [string, Answer[], string][] = [
  ['one project waits for nothing', [P, list('p', ['1'])], 'a,b,-'],
  ['the first of two projects waits for the other', [P, series('q', OTHER)], '-,a b,-'],
  ['equal answers of two projects raise one question', EQUAL, '-,-,project of b?,a b'],
  ['a third equal project raises one more', [...EQUAL, R], '-,-,-,project of b?,project of c?,a b c'],
  ['one that equals what has gone on raises one', [P, series('q', OTHER), R], '-,a b,-,project of c?,c'],
  ['figures that may be equal by chance raise none', [series('p', CHANCE), series('q', CHANCE)], '-,-,a b'],
  ['equal figures of other days do not', [series('p', [1, 2, null]), series('q', [null, 1, 2])], '-,a b,-'],
  ['days not over raise none', [series('p', ONE, running()), series('q', ONE, running())], '-,-,a b'],
  ['the longer of two equal answers is asked about', [...EQUAL, ...weeks()], '-,-,-,-,project of b?,a b c d'],
  ['an id in both lists raises one', [list('p', ['1', '2']), list('q', ['2', '3'])], '-,-,project of b?,a b'],
  ['lists without a common id raise none', [list('p', ['1']), list('q', ['2'])], '-,a b,-'],
  ['two equal windows that share no day raise one', WINDOWS, '-,-,window of b?,a b'],
  ['two equal windows that share a day raise none', [summary(FIRST, ONE), summary(TOUCHING, ONE)], '-,-,a b'],
  ['two windows that differ go on at once', [summary(FIRST, ONE), summary(SECOND, OTHER)], '-,a b,-'],
  ['two values of a filter that equal the project raise one', [P, M, N], 'a,-,-,filter of c?,b c'],
  ['they raise one where a long answer has rows by name instead of by day', NAMED, 'a,-,-,filter of c?,b c'],
  ['they raise one although the project comes last', [M, N, P], '-,-,c,filter of b?,a b'],
  ['one value raises none', [P, M], 'a,-,b'],
  ['one value that differs clears all', [P, M, filtered('n', OTHER), filtered('o', ONE)], 'a,-,b c,d,-'],
  ['one value without a row of the project clears all', [P, M, N, LESS], 'a,-,-,b c d,-'],
  ['another filter is no second value', [P, M, filtered('n', ONE, { scope: 'monitor' })], 'a,-,-,b c'],
  ['a value equal by chance waits with the others', [P, M, N, O], 'a,-,-,-,filter of c?,b c d'],
  ['days without adjacent ones raise one', [series('p', [1, null, 2, null, null, 3])], '-,steps of a?,a'],
  ['two adjacent days among them raise none', [series('p', [1, null, 2, 3, null, 4])], 'a,-'],
  ['two days raise none', [series('p', [1, null, 2])], 'a,-'],
  ['weeks raise none', [series('p', ONE, { grain: 'week' })], 'a,-'],
];

function running(): SliceChanges {
  return { window: { start: addDays(SYNC_DAY, -1), end: addDays(SYNC_DAY, 3) } };
}

function weeks(): Answer[] {
  return [series('p', ONE, { grain: 'week' }), series('q', ONE, { grain: 'week' })];
}

test.each(CASES)('%s', (_title, answers, steps) => {
  expect(judge(answers)).toBe(steps);
});

test.each<[string, Answer[], string]>([
  ['projects', EQUAL, '-,-,project of b?,a project b project'],
  ['lists', [list('p', ['1']), list('q', ['1'])], '-,-,project of b?,a project b project'],
  ['windows', WINDOWS, '-,-,window of b?,a window b window'],
  ['values of a filter', [P, M, N, O], 'a,-,-,-,filter of c?,b filter c filter d filter'],
  ['a series in steps', [series('p', [1, null, 2, null, 3]), P], '-,b,steps of a?,a steps'],
  ['filters too', [...EQUAL, filtered('m', OTHER)], '-,-,-,project of b?,a project b project c project'],
])('of %s, all that the question proves wrong is refused', (_title, answers, steps) => {
  expect(judge(answers, { finding: 'ignored' })).toBe(steps);
});

const probe = (projectId: string, parameter: string, verdict: Probe['verdict'] = 'good'): Probe => ({
  endpoint: 'visibility',
  projectId,
  parameter,
  askedWith: 'today',
  verdict,
});

test('what was found to be good is neither asked about nor waited for', () => {
  const probed = [probe('p', 'X-Project-Id'), probe('q', 'X-Project-Id'), probe('p', 'models')];
  expect(judge([...EQUAL, M, N], { probed })).toBe('a,b,c,d,-');
});

test('what was found to be good with other settings is asked about', () => {
  const probed = [{ ...probe('q', 'X-Project-Id'), askedWith: 'before' }];
  expect(judge(EQUAL, { probed })).toBe('-,-,project of b?,a b');
});

test('what was found to be ignored in the run is refused without another question', () => {
  const probed = [probe('p', 'models', 'ignored')];
  expect(judge([P, M], { probed })).toBe('a,b filter,-');
});

test('a window whose days an earlier run found to be ignored is asked about without another one to compare with', () => {
  const earlier = { endpoint: 'llm_sources', isEarlier: true };
  const probed = [{ ...probe('p', 'startDate and endDate', 'ignored'), ...earlier }];
  expect(judge([summary(FIRST, ONE)], { probed, finding: 'ignored' })).toBe('-,window of a?,a window');
  expect(judge([summary(FIRST, ONE)], { probed })).toBe('-,window of a?,a');
  expect(judge([summary(FIRST, ONE)])).toBe('-,a');
});

test('answers about which nothing was found out are not stored, and the others are', () => {
  const error = new AnswerlakeError('silence', { class: 'transient' });
  const answers = [P, M, N];
  const silent = 'AnswerlakeError: silence';
  expect(judge(answers, { finding: error })).toBe(`a,-,-,filter of c?,b ${silent} c ${silent}`);
});

test('a run that is stopped has no verdict on what is suspected, and on nothing else', () => {
  const suspicions = new Suspicions<Ignored | 'none'>({ projects: 2, probed: [] });
  suspicions.offer(offered('steps', series('p', [1, null, 2, null, 3])));
  suspicions.offer(offered('none', series('p', ONE, { window: SECOND })));
  expect(suspicions.release({ isStopped: true })).toEqual([
    { item: 'steps', verdict: null },
    { item: 'none', verdict: 'good' },
  ]);
});
