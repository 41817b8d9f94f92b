import { expect, test } from 'vitest';
import type { ValidatedAnswer } from '../../src/believe/read-answer.ts';
import { days, listed, readBody as read } from '../support/answers.ts';

const valuesOf = ({ rows: [rows] }: ValidatedAnswer, column: string): unknown[] => [
  ...(rows.columns.get(column) ?? []),
];
const TWO = ['2026-03-02', '2026-03-03'];
const week = (...values: readonly unknown[]): object[] =>
  values.map((value, day) => ({ date: `2026-03-0${String(day + 2)}`, value }));
const oddOf = ({ drift }: ValidatedAnswer): string[] =>
  drift.map(({ path, kind, sample }) => `${kind} ${path} ${String(sample)}`);

test('a measure that cannot be read is NULL and drift, and its row loads', () => {
  const point = { positive: 'many', negative: 1, neutral: 2 ** 60, unknown: {} };
  const answer = read('response_sentiment', [{ date: '2026-03-02', ...point }]);
  expect([answer.rejects, answer.doubtfulDays]).toEqual([[], new Set()]);
  expect(answer.rows[0].all()).toEqual([
    { date: '2026-03-02', positive: null, negative: 1, neutral: null, unknown: null },
  ]);
  expect(oddOf(answer)).toEqual([
    'unexpected_value [].positive "many"',
    'unexpected_value [].neutral 1152921504606847000',
    'unexpected_value [].unknown {}',
  ]);
});

test.each([
  ['a running day', null, 'previousPeriodShareOfVoice'],
  ['a rate over nothing', 0, 'change'],
])('null in %s is no fault', (_, count, rest) => {
  const figures = { totalResponses: count, brandMentions: count, shareOfVoice: null };
  const answer = read('share_of_voice', [{ date: '2026-03-02', ...figures, [rest]: 3 }]);
  expect([answer.rowCount, answer.rejects, answer.drift]).toEqual([1, [], []]);
});

test.each<[string, unknown, string[]]>([
  ['visibility', week(1, null, 'high', 4), ['2026-03-02', '2026-03-05']],
  ['crawler_requests', { dates: TWO, series: [{ name: 'GPTBot', data: [null, 2] }] }, ['2026-03-03']],
])('a point of %s with nothing but nulls is read as if it were missing', (endpoint, body, taken) => {
  const { takenDays, rejects, isUnread } = read(endpoint, body);
  expect([[...takenDays], rejects, isUnread]).toEqual([taken, [], false]);
});

test('a window with nothing but nulls has no row', () => {
  const body = { current: null, previous: null, change: null, changePercent: null };
  const { rows, takenDays, rejects } = read('share_of_voice_comparison', body);
  expect([listed(rows), [...takenDays], rejects]).toEqual([[], [], []]);
});

test('a number as text that is wholly a number is read, and drift', () => {
  const answer = read('visibility', week('12.5', '-3', '1e1', '7 %', '', ' 8'));
  expect(valuesOf(answer, 'visibility')).toEqual([12.5, -3, 10]);
  expect(oddOf(answer)).toEqual(['unexpected_value [].value "12.5"']);
  const data = ['12', '3.6'];
  const trend = { dates: TWO, series: [{ name: 'GPTBot', data }] };
  expect(valuesOf(read('crawler_requests', trend), 'requests')).toEqual([12, 4]);
  const matrix = { Oakline: { m: '40' } };
  const cells = read('competitor_heatmap', { models: [], competitors: [{ name: 'Oakline' }], matrix });
  expect(valuesOf(cells, 'visibility')).toEqual([40]);
});

const without = (name: string): object[] =>
  [2, 3, 4, 5, 6].map((day) => ({ date: `2026-03-0${String(day)}`, [name]: 1 }));

const LISTED = { prompts: 'abcde'.split('').map((id) => ({ id })) };

test.each<[string, string, unknown, RegExp]>([
  ['is text', 'visibility', week('a', 'b', 'c', 'd', null), /of visibility can be read .*\.value: "a"\)$/],
  ['was renamed', 'visibility', without('score'), /of visibility can be read \(\[\]\.value: missing field\)/],
  ['is missing in a list', 'prompts', LISTED, /no value of amount_of_responses can be read/],
])('a measure that %s in five rows or more fails the whole answer', (...[, endpoint, body, said]) => {
  const message: unknown = expect.stringMatching(said);
  expect(() => read(endpoint, body)).toThrow(expect.objectContaining({ class: 'contract', message }));
});

test.each<[string, unknown[]]>([
  ['one of them can be read', ['a', 'b', 'c', 'd', 5]],
  ['they are four', ['a', 'b', 'c', 'd']],
  ['they are null', [null, null, null, null, null]],
])('an answer is read where %s', (_, values) => {
  expect(read('visibility', week(...values)).rejects).toEqual([]);
});

const action = (id: unknown, date: unknown): object => {
  const completed = { id, type: 'CUSTOM', status: 'done', title: 't' };
  return { date, items: [{ type: 'action', occurredAt: '2026-03-03T08:00:00Z', action: completed }] };
};
function dated(...events: readonly object[]): ValidatedAnswer {
  const slice = { window: days('2026-03-02', '2026-03-10') };
  return read('events', { events, total: 0, page: 1, size: 200, totalPages: 1 }, { slice });
}

test('entries of a dated list outside the asked range, or without a day, are rejects that owe nothing', () => {
  const days = { a: '2026-03-02', b: '2027-01-01', c: 'soon', d: '2026-03-03' };
  const answer = dated(...Object.entries(days).map(([id, day]) => action(id, day)));
  expect(valuesOf(answer, 'action_id')).toEqual(['a', 'd']);
  expect(answer.strays.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    'events[1].items[0]: 2027-01-01 lies outside the days that were asked for, 2026-03-02..2026-03-10',
    'events[2].items[0]: its day cannot be read',
  ]);
  const { rejects, doubtfulDays, doubtfulIds } = answer;
  expect([rejects, doubtfulDays, doubtfulIds]).toEqual([[], new Set(), new Set(['action:c'])]);
});

test('an action of the day after the sync day is not yet there, and no reject', () => {
  const { rowCount, strays } = dated(action('a', '2026-03-11'), action('b', '2026-03-09'));
  expect([rowCount, strays]).toEqual([1, []]);
});

test('the dates of a list are ignored where more entries lie outside the asked range than inside', () => {
  const [inside, outside] = [action('a', '2026-03-02'), action('b', '2026-02-02')];
  expect(dated(inside, outside).strays).toHaveLength(1);
  expect(() => dated(inside, outside, outside)).toThrow(/window ignored: 2 of 3 entries: events\[1\]/);
});

test('a prompt of a group without an id is a reject, and the others of its group load', () => {
  const group = { type: 'prompts_created', monitor: null, prompts: [{ id: 'p' }, { id: 7 }, { id: 'q' }] };
  const answer = dated({ date: '2026-03-02', items: [group] });
  expect([valuesOf(answer, 'prompt_count'), answer.rejects.length]).toEqual([[2], 1]);
  expect(answer.doubtfulDays).toEqual(new Set(['2026-03-02']));
});

test('an answer nested beyond the stack is read, with what is known of it', () => {
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  const dates = ['2026-03-02', deep];
  const answer = read(
    'visibility',
    dates.map((date, value) => ({ date, value, ...(value === 0 ? { deep } : {}) })),
  );
  expect([answer.rowCount, answer.rejects.length]).toEqual([1, 1]);
  expect(answer.drift).toMatchObject([{ path: '[].deep', kind: 'new_field' }]);
});
