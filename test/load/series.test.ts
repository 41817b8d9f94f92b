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
  expect(second?.counts).toMatchObject({ inserted: 0, updated: 1, unchanged: 5, deleted: 0, held: 2 });
  const [third] = await file.night(3, [week([1, 20, undefined, null, 0, 6, 7])]);
  expect(third?.counts).toMatchObject({ inserted: 0, updated: 1, unchanged: 5, deleted: 1, held: 0 });
  expect(await file.rows(stored)).toEqual([
    { date: '2026-03-02', value: 1, run: 'run-1' },
    { date: '2026-03-03', value: 20, run: 'run-2' },
    { date: '2026-03-05', value: null, run: 'run-1' },
    { date: '2026-03-06', value: 0, run: 'run-3' },
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
  const bad = "select date, asked_on from meta.asked_days where state = 'refused' and reason = 'bad_row'";
  expect(await file.rows(bad)).toEqual([{ date: '2026-03-03', asked_on: '2026-03-10' }]);
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

/** `row 2..4, empty 5..8`: the states of the days of March, in order. */
async function statesOf({ connection }: WarehouseFile): Promise<string> {
  const rows = await connection.rowsAs(
    z.object({ day: z.number(), said: z.string() }),
    `select day(date) as day, concat_ws(' ', state, reason) as said from meta.asked_days where date >= '2026-03-01' order by date`,
  );
  const ranges: { first: number; last: number; said: string }[] = [];
  for (const { day, said } of rows) {
    const before = ranges.at(-1);
    if (before?.said === said) before.last = day;
    else ranges.push({ first: day, last: day, said });
  }
  return ranges.map(({ first, last, said }) => `${said} ${String(first)}..${String(last)}`).join(', ');
}

test('a day without a row is empty when an answer of a later sync day has none either', async () => {
  await using file = await WarehouseFile.open();
  await file.night(1, [week([1, undefined, 3])]);
  expect(await statesOf(file)).toBe('row 2..2, unconfirmed 3..3, row 4..4, unconfirmed 5..8');
  // The same sync day again is no second word.
  await file.night(1, [week([1, undefined, 3])], { runId: 'run-1b' });
  expect(await statesOf(file)).toContain('unconfirmed 3..3');
  await file.night(2, [week([1, undefined, 3])]);
  expect(await statesOf(file)).toBe('row 2..2, empty 3..3, row 4..4, empty 5..8');
});

test('an answer that came while the day was running is no first word about a day without a row', async () => {
  await using file = await WarehouseFile.open();
  const running = days('2026-03-10', '2026-03-10');
  for (const [number, state] of [
    [1, 'unconfirmed'],
    [2, 'unconfirmed'],
    [3, 'empty'],
  ] as const) {
    await file.night(number, [answerOf('visibility', [], { slice: { window: running } })]);
    expect(await statesOf(file)).toBe(`${state} 10..10`);
  }
});

test('a day whose stored row no answer reaches keeps it, and is asked about on two sync days', async () => {
  await using file = await WarehouseFile.open();
  const window = days('2026-03-02', '2026-03-05');
  const short = week([1, 2], { slice: { window } });
  await file.night(1, [week([1, 2, 3], { slice: { window } })]);
  const [entry] = await file.night(2, [short]);
  expect(entry).toMatchObject({ counts: { deleted: 0, held: 0 } });
  expect(await statesOf(file)).toBe('row 2..3, unconfirmed vanishing 4..4, empty 5..5');
  for (const number of [3, 4]) await file.night(number, [short]);
  expect(await statesOf(file)).toBe('row 2..3, row kept 4..4, empty 5..5');
  expect(await file.rows('select count(*) as n from core.visibility')).toEqual([{ n: 3 }]);
});

test('empty days are asked once more when rows first come after them', async () => {
  await using file = await WarehouseFile.open();
  for (const number of [1, 2]) await file.night(number, [week([])]);
  expect(await statesOf(file)).toBe('empty 2..8');
  await file.night(3, [week([undefined, undefined, undefined, 4])]);
  expect(await statesOf(file)).toBe('unconfirmed 2..4, row 5..5, empty 6..8');
});

test('a job that looks back less than the configuration settles nothing and takes nothing away', async () => {
  await using file = await WarehouseFile.open();
  await file.night(1, [week([1, 2, undefined, 4, 5, 6, 7])]);
  const hourly = { isWitness: false };
  for (const number of [2, 3]) {
    const [entry] = await file.night(number, [week([10, undefined, undefined, 4, 5, 6, 7])], hourly);
    expect(entry).toMatchObject({ status: 'loaded', counts: { deleted: 0 } });
  }
  expect(await file.rows('select * from meta.vanishing')).toEqual([]);
  expect(await file.rows('select count(*) as n, min(visibility) as first from core.visibility')).toEqual([
    { n: 6, first: 2 },
  ]);
  expect(await statesOf(file)).toBe('row 2..3, unconfirmed 4..4, row 5..8');
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
