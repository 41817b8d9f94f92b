import { expect, test } from 'vitest';
import { MisunderstoodError } from '../../src/believe/fit.ts';
import { days, readBody as read } from '../support/answers.ts';

const MARCH = ['02', '03', '04', '05', '06', '07', '08'];

const points = (texts: readonly string[]): unknown[] =>
  texts.map((text, index) => ({ date: `2026-03-${text}`, value: index }));
const trend = (dates: readonly string[], data: readonly unknown[] = dates.map((_, index) => index)) => ({
  dates: dates.map((text) => `2026-03-${text}`),
  series: [{ name: 'GPTBot', data }],
});

const HOURS = ['T00:00:00Z', 'T06:00:00Z', 'T12:00:00Z', 'T18:00:00Z'];
const each = (marks: readonly string[]): string[] => MARCH.flatMap((day) => marks.map((mark) => day + mark));
const halves = (texts: readonly string[]): object[] =>
  texts.flatMap((day) => [30, 30].map((value) => ({ date: `2026-03-${day}`, value })));
const INSTANTS =
  /finer than asked: by day, got several instants of 2026-03-02; .*Check the grouping parameter range \(/;
const TWICE = /finer than asked: by day, got more than one row for 7 of 7 periods/;

test.each<[string, string, unknown, RegExp]>([
  ['a series of four instants a day', 'visibility', points(each(HOURS)), INSTANTS],
  ['a trend of two instants a day', 'crawler_requests', trend(each(HOURS.slice(2))), /several instants/],
  ['a series with each day twice', 'visibility', points(each(['', ''])), TWICE],
  ['a trend with each day twice', 'crawler_requests', trend(each(['', ''])), TWICE],
  ['equal halves of each day', 'visibility', halves(MARCH), TWICE],
  ['equal halves of the only day', 'visibility', halves(['04']), /finer than asked.* 1 of 1 periods/],
])('%s is finer than asked', (...[, endpoint, body, message]) => {
  expect(() => read(endpoint, body)).toThrow(MisunderstoodError);
  expect(() => read(endpoint, body)).toThrow(message);
});

test('one day that comes twice with other figures is refused and stays owed; its neighbours load', () => {
  const { rows, rejects, doubtfulDays, takenDays } = read('visibility', points(['02', '03', '03', '04']));
  expect(rows[0].columns.get('date')).toEqual(['2026-03-02', '2026-03-04']);
  expect(rejects.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    '[1]: 2026-03-03 appears more than once with different figures',
    '[2]: 2026-03-03 appears more than once with different figures',
  ]);
  expect([doubtfulDays, takenDays]).toEqual([new Set(['2026-03-03']), new Set(['2026-03-02', '2026-03-04'])]);
});

test('equal rows of one day among others are one', () => {
  const body = [...points(MARCH), ...points(MARCH)].slice(0, MARCH.length + 1);
  expect(read('visibility', body)).toMatchObject({ rejects: [], doubtfulDays: new Set() });
});

test('the running day may come twice: the merge keeps its last row', () => {
  const slice = { window: days('2026-03-09', '2026-03-10') };
  const body = points(['09', '10T00:00:00Z', '10T09:00:00Z']);
  const { rows, rejects } = read('visibility', body, { slice });
  expect([rows[0].count, rejects]).toEqual([3, []]);
});

test.each([
  ['visibility', 'T23:00Z', ['01T23:00:00Z', '02T23:00:00Z']],
  ['visibility', 'T23:00Z or T22:00Z', ['01T23:00:00Z', '02T22:00:00Z']],
  ['crawler_requests', 'T14:00Z', ['01T14:00:00Z', '02T14:00:00Z']],
])('days of %s that begin at %s name the shift and the zone', (endpoint, shift, texts) => {
  const body = endpoint === 'visibility' ? points(texts) : trend(texts);
  expect(() => read(endpoint, body)).toThrow(
    `got a row of 2026-03-01: every instant is ${shift}; none of it was stored. Local midnights of a zone east of UTC are sent as instants of the day before: set api.instants: next_day`,
  );
});

test('months that begin at local midnight of another zone name the shift', () => {
  const slice = { grain: 'month', window: days('2026-01-01', '2026-02-28') } as const;
  const body = ['2026-01-31T23:00:00Z', '2026-02-28T23:00:00Z'].map((date) => ({ date, value: 1 }));
  expect(() => read('visibility', body, { slice })).toThrow(/every instant is T23:00Z.*api\.instants/);
});

test.each([
  ['local midnights of the west are in doubt, on their UTC day', {}, '02T05:00Z 03T05:00Z', '02 03', '03'],
  ['noons are too', {}, '02T12:00Z 03T12:00Z', '02 03', '03'],
  ['midnights of their own offset are their day', {}, '02T00:00:00+01:00 03T00:00:00+01:00', '02 03', null],
  ['midnights of the asked zone too', { timezone: 'Europe/Berlin' }, '02T23:00Z 03T23:00Z', '03 04', null],
  ['midnights of another zone are not', { timezone: 'Asia/Tokyo' }, '02T23:00Z 03T23:00Z', '02 03', '03'],
  ['next_day moves local midnights by a day', { instants: 'next_day' }, '02T23:00Z 03T22:00Z', '03 04', '04'],
  ['next_day leaves midnights alone', { instants: 'next_day' }, '02T00:00Z 03', '02 03', null],
  ['two times of day that are hours apart are not in doubt', {}, '02T05:00Z 03T12:00Z', '02 03', null],
  ['the change of a winter in UTC is', {}, '02T00:00Z 03T23:00Z', '02 03', '03'],
] as const)('%s', (...[, changes, texts, taken, doubtful]) => {
  const answer = read('visibility', points(texts.split(' ')), changes);
  const long = (day: string): string => `2026-03-${day}`;
  expect([...answer.takenDays]).toEqual(taken.split(' ').map(long));
  expect(answer.shiftedDay).toBe(doubtful === null ? null : long(doubtful));
});
