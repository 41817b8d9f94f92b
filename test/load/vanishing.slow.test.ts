import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/day.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, SYNC_DAY, WEEK } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { action, eventList, promptList, week } from './lists.ts';

const SEVEN = [0, 1, 2, 3, 4, 5, 6];
/** The week with a row of each day but those left out. */
const days = (...without: readonly number[]): ArchivedAnswer =>
  week(SEVEN.map((day) => (without.includes(day) ? undefined : day + 1)));
const left = (without: readonly number[]): number[] => SEVEN.filter((n) => !without.includes(n));
const mentions = (...without: readonly number[]): ArchivedAnswer => {
  const body = left(without).map((n) => ({ competitor: `c${n}`, count: n + 1, percentage: 1 }));
  return answerOf('competitor_mentions', body);
};
const prompts = (...without: readonly number[]): ArchivedAnswer =>
  promptList(...left(without).map((n) => ({ id: `p${n}` })));

const KINDS: readonly [string, (...without: readonly number[]) => ArchivedAnswer, string][] = [
  ['series', days, 'select count(*) from core.visibility'],
  ['window', mentions, 'select count(*) from core.competitor_mentions'],
  ['list', prompts, 'select count(*) from core.prompts where removed_at is null'],
];
const WAITING = 'select change, witnessed_on, run_id from meta.vanishing';

test.each(KINDS)('a row of a %s goes when two nights in a row lack it', async (_, answer, count) => {
  await using file = await WarehouseFile.open();
  await file.answered(1, answer());
  // Two answers of one day are one witness.
  const held = { status: 'loaded', counts: { deleted: 0, held: 1 } };
  for (const runId of ['a', 'b']) expect(await file.answered(2, answer(2), { runId })).toMatchObject(held);
  expect(await file.column(count)).toEqual([7]);
  expect(await file.rows(WAITING)).toEqual([{ change: 'gone', witnessed_on: '2026-03-11', run_id: 'b' }]);
  await file.answered(3, answer());
  expect(await file.rows(WAITING)).toEqual([]);
  await file.answered(4, answer(2));
  expect(await file.column(count)).toEqual([7]);
  expect(await file.answered(5, answer(2))).toMatchObject({ status: 'loaded', counts: { deleted: 1 } });
  expect([await file.column(count), await file.rows(WAITING)]).toEqual([[6], []]);
});

test.each(KINDS)(
  'a %s that lacks more than half is suspicious, unless accepted',
  async (_, answer, count) => {
    await using file = await WarehouseFile.open();
    await file.answered(1, answer());
    const shrunk = answer(1, 2, 4, 5);
    expect(await file.answered(2, shrunk)).toMatchObject({ status: 'suspicious', counts: { held: 4 } });
    expect(await file.column(count)).toEqual([7]);
    const entry = await file.answered(2, shrunk, { runId: 'c', acceptShrink: true });
    expect(entry).toMatchObject({ status: 'loaded', counts: { deleted: 4 } });
    expect(await file.column(count)).toEqual([3]);
  },
);

/** Citations of domains on the days from `start` on; undefined: the answer does not list the domain. */
const citations = (start: Day, domains: readonly (readonly number[] | undefined)[]): ArchivedAnswer => {
  const series = domains.flatMap((data, n) =>
    data === undefined ? [] : [{ domain: `d${n}`, data, total: 1, percentage: 1 }],
  );
  const dates = (domains[0] ?? []).map((_, day) => addDays(start, day));
  const window = { start, end: dates.at(-1) ?? start };
  return answerOf('domain_citations', { dates, series, totalCitations: 9 }, { slice: { window } });
};

test('zeros of names that a shorter answer does not list stay: nothing waits, goes or counts as restated', async () => {
  await using file = await WarehouseFile.open();
  const known = 'select count(*) from core.domain_citations';
  await file.answered(1, citations(WEEK.start, [[9, 9, 9], ...SEVEN.map(() => [0, 0, 0])]));
  for (const number of [2, 3]) {
    const entry = await file.answered(number, citations(addDays(WEEK.start, 1), [[9, 9]]));
    expect(entry).toMatchObject({ status: 'loaded', counts: { deleted: 0, held: 0 } });
  }
  expect([await file.column(known), await file.rows(WAITING)]).toEqual([[24], []]);
  expect(await file.rows('from meta.restatements')).toEqual([]);
});

test('the zeros of a name go with its figures', async () => {
  await using file = await WarehouseFile.open();
  await file.answered(
    1,
    citations(WEEK.start, [
      [9, 9, 9],
      [0, 4, 0],
      [1, 1, 1],
    ]),
  );
  for (const number of [2, 3])
    await file.answered(number, citations(WEEK.start, [[9, 9, 9], undefined, [1, 1, 1]]));
  const names = 'select distinct domain from core.domain_citations order by 1';
  expect(await file.column(names)).toEqual(['d0', 'd2']);
});

test('a name that is gone loses what the look-back holds, and no further day each night', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, from: number, isGone: boolean): Promise<unknown[]> => {
    const data = SEVEN.slice(from).map(() => 5);
    const answer = citations(addDays(WEEK.start, from), [data, isGone ? undefined : data, data]);
    await file.answered(number, answer, { lookbackDays: 2 });
    return await file.column(
      "select date::varchar from core.domain_citations where domain = 'd1' order by 1",
    );
  };
  const first = SEVEN.map((day) => addDays(WEEK.start, day));
  expect(await night(1, 0, false)).toEqual(first);
  expect(await night(2, 5, true)).toEqual(first);
  // The row before the vanishing ones is requested only so that they are reached.
  expect(await night(3, 4, true)).toEqual(first.slice(0, 5));
  expect(await file.rows(WAITING)).toEqual([]);
});

test('a count that becomes 0 on a closed day waits with its whole row, and a change to another figure does not', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, positive: number, unknown: number): Promise<unknown> => {
    const row = { date: WEEK.start, positive, negative: 0, neutral: 0, unknown };
    const { counts } = await file.answered(number, answerOf('response_sentiment', [row]));
    const stored = await file.column("select positive || ' ' || unknown from core.response_sentiment");
    return [counts.updated, counts.held, ...stored];
  };
  await night(1, 5, 3);
  expect(await night(2, 4, 3)).toEqual([1, 0, '4 3']);
  expect(await night(3, 9, 0)).toEqual([0, 1, '4 3']);
  expect(await night(4, 9, 0)).toEqual([1, 0, '9 0']);
});

test('a figure of a closed window that two endpoints fill needs a second night to become null', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, overallAverageRank: number | null): Promise<unknown> => {
    const answers = [
      answerOf('domain_citation_totals', documentedBodies['domain_citation_totals']),
      answerOf('citation_rank_totals', { timeSeries: [], overallAverageRank }),
    ];
    for (const answer of number % 2 === 0 ? answers : answers.toReversed())
      await file.answered(number, answer);
    const [stored] = await file.rows(
      'select overall_average_rank as rank, total_citations as total from core.citation_totals',
    );
    return [stored, ...(await file.rows('select change, witnesses from meta.vanishing'))];
  };
  await night(1, 2.5);
  expect(await night(2, null)).toEqual([
    { rank: 2.5, total: 8 },
    { change: 'emptied', witnesses: 1 },
  ]);
  expect(await night(3, null)).toEqual([{ rank: null, total: 8 }]);
  expect(await night(4, 2.5)).toEqual([{ rank: 2.5, total: 8 }]);
});

test('the last digits of a mean are no change, and a bigger difference is one', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, value: number) =>
    (await file.answered(number, week(SEVEN.map(() => value)))).counts;
  await night(1, 0.1 + 0.2);
  expect(await night(2, 0.3)).toMatchObject({ updated: 0, unchanged: 7 });
  expect(await night(3, 0.3000001)).toMatchObject({ updated: 7 });
  expect(await file.column('select count(*) from meta.restatements')).toEqual([7]);
});

test('events of today follow each answer: the day is not over', async () => {
  await using file = await WarehouseFile.open();
  const slice = { window: { start: WEEK.start, end: SYNC_DAY } };
  await file.answered(1, eventList({ [SYNC_DAY]: [action('a', SYNC_DAY)] }, { slice }));
  const entry = await file.answered(1, eventList({}, { slice }), { runId: 'b' });
  expect(entry).toMatchObject({ status: 'empty', counts: { deleted: 1 } });
});

test('the first answer after the end of a day stands alone, also where it empties or lacks what was stored while the day ran', async () => {
  await using file = await WarehouseFile.open();
  const window = { start: WEEK.start, end: SYNC_DAY };
  const night = async (number: number, ...counts: readonly (number | undefined)[]): Promise<unknown> => {
    const body = counts.flatMap((positive, day) =>
      positive === undefined
        ? []
        : [{ date: addDays(WEEK.start, day), positive, negative: 1, neutral: 1, unknown: 1 }],
    );
    await file.answered(number, answerOf('response_sentiment', body, { slice: { window } }));
    return await file.column('select positive from core.response_sentiment order by date');
  };
  // The ninth day is the sync day.
  expect(await night(1, 1, 2, 3, 4, 5, 6, 7, 8, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await night(2, 1, 2, 3, 4, 5, 6, 7, 0, 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 0]);
  expect(await file.rows('select change from meta.vanishing')).toEqual([{ change: 'emptied' }]);
});
