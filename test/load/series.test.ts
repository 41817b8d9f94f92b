import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, days, type AnswerChanges } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const DAYS = [
  '2026-03-02',
  '2026-03-03',
  '2026-03-04',
  '2026-03-05',
  '2026-03-06',
  '2026-03-07',
  '2026-03-08',
];

/** Visibility of the week, day by day; undefined leaves a day out. */
function week(values: readonly (number | null | undefined)[], changes: AnswerChanges = {}): ArchivedAnswer {
  const body = DAYS.flatMap((date, index) => {
    const value = values[index];
    return value === undefined ? [] : [{ date, value }];
  });
  return answerOf('visibility', body, changes);
}

const stored =
  'select date, visibility as value, _run_id as run from core.visibility order by scope_id, date';

test('a series is inserted, updated and deleted row by row, and counts what it did', async () => {
  await using file = await WarehouseFile.open();
  const [first] = await file.load([week([1, 2, 3, null, 5, 6, 7])]);
  expect(first?.counts).toMatchObject({ inserted: 7, updated: 0, unchanged: 0, deleted: 0 });
  const [second] = await file.night(2, [week([1, 20, undefined, null, 0, 6, 7])]);
  expect(second?.counts).toMatchObject({ inserted: 0, updated: 2, unchanged: 4, deleted: 0, held: 1 });
  const [third] = await file.night(3, [week([1, 20, undefined, null, 0, 6, 7])]);
  expect(third?.counts).toMatchObject({ inserted: 0, updated: 0, unchanged: 6, deleted: 1, held: 0 });
  expect(await file.rows(stored)).toEqual([
    { date: '2026-03-02', value: 1, run: 'run-1' },
    { date: '2026-03-03', value: 20, run: 'run-2' },
    { date: '2026-03-05', value: null, run: 'run-1' },
    { date: '2026-03-06', value: 0, run: 'run-2' },
    { date: '2026-03-07', value: 6, run: 'run-1' },
    { date: '2026-03-08', value: 7, run: 'run-1' },
  ]);
});

test('an answer that begins late keeps its first week as it was, and one that stops early keeps all', async () => {
  await using file = await WarehouseFile.open();
  const mondays = ['2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23'];
  const slice = { window: days('2026-02-02', '2026-03-01'), grain: 'week' as const };
  const night = async (number: number, ...values: readonly (number | null)[]): Promise<unknown> => {
    const points = mondays.flatMap((date, at) => (values[at] === null ? [] : [{ date, value: values[at] }]));
    await file.night(number, [answerOf('visibility', points, { slice })]);
    return (await file.rows(stored)).map(({ value }) => value);
  };
  expect(await night(1, 1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
  expect(await night(2, null, 20, 30, 40)).toEqual([1, 2, 30, 40]);
  expect(await night(3, 11, 21, 31, null)).toEqual([1, 2, 30, 40]);
});

test('a series touches no row of another scope, project, grain or window', async () => {
  await using file = await WarehouseFile.open();
  const all = [1, 2, 3, 4, 5, 6, 7];
  const others: AnswerChanges[] = [
    { slice: { scope: 'model', scopeId: 'm' } },
    { slice: { scope: 'model', scopeId: 'n' } },
    { slice: { scope: 'monitor', scopeId: 'm' } },
    { slice: { projectId: 'project-2', scopeId: 'project-2' } },
  ];
  for (const changes of [{}, ...others]) await file.load([week(all, changes)]);
  const longer = answerOf('visibility', [{ date: '2026-03-09', value: 8 }], {
    slice: { window: days('2026-03-09', '2026-03-09') },
  });
  await file.load([longer]);
  await file.load([week([undefined, undefined, undefined, 4, 5, 6, 7])], {
    runId: 'run-2',
    acceptShrink: true,
  });
  const counts = await file.rows(
    'select project_id, scope, scope_id, count(*) as n from core.visibility group by all order by all',
  );
  expect(counts).toEqual([
    { project_id: 'project-1', scope: 'model', scope_id: 'm', n: 7 },
    { project_id: 'project-1', scope: 'model', scope_id: 'n', n: 7 },
    { project_id: 'project-1', scope: 'monitor', scope_id: 'm', n: 7 },
    { project_id: 'project-1', scope: 'project', scope_id: 'project-1', n: 5 },
    { project_id: 'project-2', scope: 'project', scope_id: 'project-2', n: 7 },
  ]);
});

test('a name that comes twice on a day keeps the last row, and refuses the other one only when it differs', async () => {
  await using file = await WarehouseFile.open();
  const series = [
    { name: 'GPTBot', data: [1, 5] },
    { name: 'GPTBot', data: [2, 5] },
  ];
  const body = { dates: ['2026-03-02', '2026-03-03'], series };
  const [entry] = await file.load([answerOf('crawler_requests', body)]);
  expect(entry).toMatchObject({ status: 'loaded', failure: null });
  expect(entry?.counts).toMatchObject({ inserted: 2, deduplicated: 1 });
  const rejects = 'select reason, row from meta.rejects';
  const [reject] = await file.connection.rowsAs(z.object({ reason: z.string(), row: z.string() }), rejects);
  expect(reject?.reason).toMatch(/same key appears twice/);
  expect(JSON.parse(reject?.row ?? '')).toMatchObject({ date: '2026-03-02', requests: 1 });
  expect(await file.rows('select requests from core.crawler_requests order by date')).toEqual([
    { requests: 2 },
    { requests: 5 },
  ]);
  expect(await file.rows('select rows_received as n from meta.slices')).toEqual([{ n: 4 }]);
});

test('a series with a refused day keeps what is stored of that day', async () => {
  await using file = await WarehouseFile.open();
  await file.night(1, [week([1, 2, 3, 4])]);
  const body = [
    { date: '2026-03-02', value: 10 },
    { date: '2026-03-03', value: 'much' },
    { date: '2026-03-05', value: 4 },
  ];
  const [entry] = await file.night(2, [answerOf('visibility', body)]);
  expect(entry).toMatchObject({
    status: 'loaded',
    failure: { errorClass: 'contract' },
    counts: { updated: 1, held: 1 },
  });
  await file.night(3, [answerOf('visibility', body)]);
  expect(await file.rows(stored)).toMatchObject([{ value: 10 }, { value: 2 }, { value: 4 }]);
  const owed = "select first_day, last_day from meta.owed_days where reason = 'refused'";
  expect(await file.rows(owed)).toEqual([{ first_day: '2026-03-03', last_day: '2026-03-03' }]);
});

test('a series whose rows are all refused is failed', async () => {
  await using file = await WarehouseFile.open();
  await file.night(1, [week([1, 2])]);
  const body = [{ date: '2026-03-02', value: 'much' }];
  const [entry] = await file.night(2, [answerOf('visibility', body)]);
  expect(entry).toMatchObject({ status: 'failed', failure: { errorClass: 'contract' } });
  expect(await file.rows(stored)).toMatchObject([{ value: 1 }, { value: 2 }]);
});

test('a series that is cut off at its limit deletes nothing', async () => {
  await using file = await WarehouseFile.open();
  const domains = (...names: string[]): unknown => ({
    dates: ['2026-03-02'],
    series: names.map((domain) => ({ domain, data: [1], total: 1, percentage: 1 })),
    totalCitations: 3,
  });
  await file.load([answerOf('domain_citations', domains('a', 'b', 'c'))]);
  const [entry] = await file.load([answerOf('domain_citations', domains('a', 'd'), { limit: 2 })], {
    runId: 'run-2',
  });
  expect(entry).toMatchObject({
    status: 'truncated',
    isTruncated: true,
    counts: { inserted: 1, deleted: 0 },
  });
  const names = await file.rows('select domain from core.domain_citations order by 1');
  expect(names.map(({ domain }) => domain)).toEqual(['a', 'b', 'c', 'd']);
});

test('a series that ends before its window removes nothing behind its end, and owes new days once', async () => {
  await using file = await WarehouseFile.open();
  const window = days('2026-03-02', '2026-03-05');
  const short = week([1, 2], { slice: { window } });
  await file.night(1, [week([1, 2, 3], { slice: { window } })]);
  const owed = 'select first_day, last_day, reason, witnessed_on from meta.owed_days';
  const last = { first_day: '2026-03-05', last_day: '2026-03-05', reason: 'unconfirmed' };
  expect(await file.rows(owed)).toEqual([{ ...last, witnessed_on: '2026-03-10' }]);
  const [entry] = await file.night(2, [short]);
  expect(entry).toMatchObject({ counts: { deleted: 0, held: 0 } });
  expect(await file.rows('select covered_end from meta.slices')).toEqual([{ covered_end: '2026-03-05' }]);
  expect(await file.rows(owed)).toEqual([]);
  await file.night(3, [short]);
  expect(await file.rows('select count(*) as n from core.visibility')).toEqual([{ n: 3 }]);
});

test('a series without any row is settled as a whole by its own answer of a later sync day', async () => {
  await using file = await WarehouseFile.open();
  const older = days('2026-02-02', '2026-03-01');
  const owed = 'select first_day, last_day from meta.owed_days order by all';
  await file.night(1, [week([]), week([], { slice: { window: older } })]);
  expect(await file.rows(owed)).toEqual([
    { first_day: '2026-02-02', last_day: '2026-03-01' },
    { first_day: '2026-03-02', last_day: '2026-03-08' },
  ]);
  // The same sync day again is no second witness.
  await file.night(1, [week([])], { runId: 'run-1b' });
  expect(await file.rows(owed)).toHaveLength(2);
  await file.night(2, [week([])]);
  expect(await file.rows(owed)).toEqual([]);
});

test('a series that has a row after all is owed as a whole, although an answer of that night was empty', async () => {
  await using file = await WarehouseFile.open();
  const older = days('2026-02-02', '2026-03-01');
  await file.night(1, [week([]), week([], { slice: { window: older } })]);
  await file.night(2, [answerOf('visibility', [], { slice: { window: days('2026-03-09', '2026-03-10') } })]);
  await file.night(3, [
    answerOf('visibility', [], { slice: { window: days('2026-03-09', '2026-03-11') } }),
    week([1]),
  ]);
  const windows = 'select window_start, run_id from meta.slices where window_start is not null order by all';
  expect(await file.rows(windows)).toEqual([
    { window_start: '2026-03-02', run_id: 'run-3' },
    { window_start: '2026-03-09', run_id: 'run-3' },
  ]);
});

const shares = (
  ...rows: readonly (readonly [day: string, share: number, previous: number | null])[]
): unknown[] =>
  rows.map(([date, shareOfVoice, previousPeriodShareOfVoice]) => ({
    date,
    totalResponses: 10,
    brandMentions: shareOfVoice / 10,
    shareOfVoice,
    previousPeriodShareOfVoice,
    change: previousPeriodShareOfVoice === null ? null : shareOfVoice - previousPeriodShareOfVoice,
  }));
const storedShares =
  'select share_of_voice as share, previous_period_share_of_voice as previous, change from core.share_of_voice order by date';

test('a day whose day before has vanished has no previous share any more', async () => {
  await using file = await WarehouseFile.open();
  const whole = shares(
    ['2026-03-02', 20, 10],
    ['2026-03-03', 30, 20],
    ['2026-03-04', 40, 30],
    ['2026-03-05', 50, 40],
  );
  await file.load([answerOf('share_of_voice', whole)]);
  const without = shares(['2026-03-02', 20, 10], ['2026-03-03', 30, 20], ['2026-03-05', 50, null]);
  for (const number of [2, 3]) await file.night(number, [answerOf('share_of_voice', without)]);
  expect(await file.rows(storedShares)).toEqual([
    { share: 20, previous: 10, change: 10 },
    { share: 30, previous: 20, change: 10 },
    { share: 50, previous: null, change: null },
  ]);
});

test('the first day of an answer keeps its previous share while its own stays', async () => {
  await using file = await WarehouseFile.open();
  await file.load([answerOf('share_of_voice', shares(['2026-03-02', 20, 10], ['2026-03-03', 30, 20]))]);
  await file.load([answerOf('share_of_voice', shares(['2026-03-02', 20, null], ['2026-03-03', 30, 20]))], {
    runId: 'run-2',
  });
  expect(await file.rows(storedShares)).toEqual([
    { share: 20, previous: 10, change: 10 },
    { share: 30, previous: 20, change: 10 },
  ]);
  await file.load([answerOf('share_of_voice', shares(['2026-03-02', 50, null], ['2026-03-03', 30, 50]))], {
    runId: 'run-3',
  });
  expect(await file.rows(storedShares)).toEqual([
    { share: 50, previous: null, change: null },
    { share: 30, previous: 50, change: -20 },
  ]);
});
