import { expect, test } from 'vitest';
import { answerOf, days, type AnswerChanges } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { share, week } from './lists.ts';

const VALUES = 'select visibility from core.visibility order by scope_id, date';

test('a series is inserted, updated and deleted row by row, and counts what it did', async () => {
  await using file = await WarehouseFile.open();
  const first = await file.answered(1, week([1, 2, 3, null, 5, 6, 7]));
  expect(first.counts).toMatchObject({ inserted: 6, updated: 0, unchanged: 0, deleted: 0 });
  const next = week([1, 20, undefined, null, 0, 6, 7]);
  const second = await file.answered(2, next);
  expect(second.counts).toMatchObject({ inserted: 0, updated: 1, unchanged: 4, deleted: 0, held: 2 });
  const third = await file.answered(3, next);
  expect(third.counts).toMatchObject({ inserted: 0, updated: 1, unchanged: 4, deleted: 1, held: 0 });
  const stored = 'select date, visibility as value, _run_id as run from core.visibility order by date';
  expect(await file.rows(stored)).toEqual([
    { date: '2026-03-02', value: 1, run: 'run-1' },
    { date: '2026-03-03', value: 20, run: 'run-2' },
    { date: '2026-03-06', value: 0, run: 'run-3' },
    { date: '2026-03-07', value: 6, run: 'run-1' },
    { date: '2026-03-08', value: 7, run: 'run-1' },
  ]);
});

test.each([
  ['week', '2026-02-04', ['2026-02-02', '2026-02-09']],
  ['day', '2026-02-04', ['2026-02-04', '2026-02-05']],
  ['day', '2026-02-03', ['2026-02-03', '2026-02-04', '2026-02-05']],
] as const)(
  'an answer by %s that ends on Tuesday, 2026-02-03, and one from %s keep one state and one row a period',
  async (grain, start, dates) => {
    const window = days(start, '2026-02-15');
    await using file = await WarehouseFile.open();
    const monday = { date: '2026-02-02', value: 1 };
    const first = { window: days('2026-02-02', '2026-02-03'), grain };
    await file.answered(1, answerOf('visibility', [monday], { slice: first }));
    const body = dates.map((date, at) => ({ date, value: 2 + at }));
    await file.answered(2, answerOf('visibility', body, { slice: { window, grain } }));
    for (const table of ['core.visibility', 'meta.asked_days'])
      expect(await file.rows(`select date from ${table} group by all having count(*) > 1`)).toEqual([]);
  },
);

test.each([
  ['week', ['2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23'], '2026-03-01'],
  ['day', ['2026-02-02', '2026-02-03', '2026-02-04', '2026-02-05'], '2026-02-05'],
] as const)(
  'an answer that begins after known rows changes nothing of its first %s',
  async (grain, dates, end) => {
    await using file = await WarehouseFile.open();
    const slice = { window: days('2026-02-02', end), grain };
    const night = async (number: number, ...values: readonly (number | null)[]): Promise<unknown> => {
      const points = dates.map((date, at) => ({ date, value: values[at] }));
      const body = points.filter(({ value }) => value !== null);
      await file.answered(number, answerOf('visibility', body, { slice }));
      return await file.column(VALUES);
    };
    expect(await night(1, 1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
    expect(await night(2, null, 20, 30, 40)).toEqual([1, 2, 30, 40]);
    // A 0 before the look-back and the first figure may be a day that the server has forgotten.
    expect(await night(3, null, 0, 31, null)).toEqual([1, 2, 30, 40]);
    expect(await night(4, 11, 21, 31, 41)).toEqual([11, 21, 31, 41]);
  },
);

test('a list that is cut off takes the partial figures of a day that ran, and no others', async () => {
  await using file = await WarehouseFile.open();
  const dates = ['2026-03-09', '2026-03-10'];
  const night = async (number: number, totals: Readonly<Record<string, number>>): Promise<unknown> => {
    const series = Object.entries(totals).map(([domain, total]) => ({ domain, data: [total, total], total }));
    const body = { dates, series, totalCitations: 99 };
    const slice = { window: days('2026-03-09', '2026-03-10') };
    await file.answered(number, answerOf('domain_citations', body, { slice, limit: 2 }));
    return await file.column(
      "select strftime(date, '%d') || domain || citations from core.domain_citations order by all",
    );
  };
  expect(await night(1, { a: 1, b: 2 })).toEqual(['09a1', '09b2', '10a1', '10b2']);
  expect(await night(2, { b: 20, c: 30 })).toEqual(['09a1', '09b20', '09c30', '10b20', '10c30']);
  expect(await night(3, { c: 30, d: 40 })).toEqual([
    '09a1',
    '09b20',
    '09c30',
    '09d40',
    '10b20',
    '10c30',
    '10d40',
  ]);
});

test('a window that is over takes the partial figures of a cut-off list', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, end: string, ...domains: readonly string[]): Promise<unknown> => {
    const series = domains.map((domain) => ({ domain, data: [], total: number, percentage: 1 }));
    const body = { dates: [], series, totalCitations: 99 };
    const slice = { windowKind: 'month' as const, window: days('2026-03-01', end) };
    await file.answered(number, answerOf('domain_citation_totals', body, { slice, limit: 2 }));
    return await file.column('select domain || total from core.domain_citation_totals order by all');
  };
  expect(await night(1, '2026-03-10', 'a', 'b')).toEqual(['a1', 'b1']);
  expect(await night(23, '2026-03-31', 'b', 'c')).toEqual(['b23', 'c23']);
  expect(await night(24, '2026-03-31', 'c', 'd')).toEqual(['b23', 'c24', 'd24']);
});

test('a series touches no row of another scope, project, grain or window', async () => {
  await using file = await WarehouseFile.open();
  const others: AnswerChanges[] = [
    {},
    { slice: { scope: 'model', scopeId: 'm' } },
    { slice: { scope: 'model', scopeId: 'n' } },
    { slice: { scope: 'monitor', scopeId: 'm' } },
    { slice: { projectId: 'project-2', scopeId: 'project-2' } },
  ];
  for (const changes of others) await file.load([week([1, 2, 3, 4, 5, 6, 7], changes)]);
  const slice = { window: days('2026-03-09', '2026-03-09') };
  await file.load([answerOf('visibility', [{ date: '2026-03-09', value: 8 }], { slice })]);
  const shrunk = { runId: 'run-2', acceptShrink: true };
  await file.load([week([1, undefined, undefined, undefined, 5, 6, 7])], shrunk);
  const counts = `select concat_ws(' ', project_id, scope, scope_id, count(*))
    from core.visibility group by project_id, scope, scope_id order by 1`;
  expect(await file.column(counts)).toEqual([
    'project-1 model m 7',
    'project-1 model n 7',
    'project-1 monitor m 7',
    'project-1 project project-1 5',
    'project-2 project project-2 7',
  ]);
});

test('a name that comes twice on a day keeps the last row, and refuses the other one only when it differs', async () => {
  await using file = await WarehouseFile.open();
  const series = [1, 2].map((first) => ({ name: 'GPTBot', data: [first, 5] }));
  const body = { dates: ['2026-03-02', '2026-03-03'], series };
  const [entry] = await file.load([answerOf('crawler_requests', body)]);
  expect(entry).toMatchObject({ status: 'loaded', failure: null, counts: { inserted: 2, deduplicated: 1 } });
  const [reason, row] = await file.column('select unnest([reason, row]) from meta.rejects');
  expect(reason).toMatch(/same key appears twice/);
  expect(JSON.parse(String(row))).toMatchObject({ date: '2026-03-02', requests: 1 });
  expect(await file.column('select requests from core.crawler_requests order by date')).toEqual([2, 5]);
  expect(await file.column('select rows_received from meta.slices')).toEqual([4]);
});

test('a name that comes twice on a day is one row where its means differ in their last digits', async () => {
  await using file = await WarehouseFile.open();
  const brand = { id: 'b', name: 'B', domain: null, relation: 'SELF' };
  const counts = { mentionCount: 1, totalResponses: 2, visibilityPercentage: 50 };
  const rows = [0.3, 0.1 + 0.2].map((mean) => ({
    date: '2026-03-02',
    brand,
    averageVisibility: mean,
    ...counts,
  }));
  const [entry] = await file.load([answerOf('brand_visibility', rows)]);
  expect(entry).toMatchObject({ rejects: [], counts: { deduplicated: 1 } });
});

test('a series with a refused day keeps what is stored of that day, and one whose rows are all refused fails', async () => {
  await using file = await WarehouseFile.open();
  await file.answered(1, week([1, 2, 3, 4]));
  const points = [10, 20, undefined, 4].map((value, at) => ({ date: `2026-03-0${String(at + 2)}`, value }));
  const partly = answerOf('visibility', [
    ...points.filter(({ value }) => value !== undefined),
    { date: '2026-03-03', value: 21 },
  ]);
  const refused = { failure: { errorClass: 'contract' } };
  const loaded = { ...refused, status: 'loaded', counts: { updated: 1, held: 1 } };
  expect(await file.answered(2, partly)).toMatchObject(loaded);
  await file.answered(3, partly);
  expect(await file.column(VALUES)).toEqual([10, 2, 4]);
  const bad = "select date, asked_on from meta.asked_days where state = 'refused' and reason = 'bad_row'";
  expect(await file.rows(bad)).toEqual([{ date: '2026-03-03', asked_on: '2026-03-10' }]);
  expect(await file.answered(4, answerOf('visibility', [{ date: 'soon' }]))).toMatchObject({
    ...refused,
    status: 'failed',
  });
  expect(await file.column(VALUES)).toEqual([10, 2, 4]);
});

test('a series that is cut off at its limit deletes nothing', async () => {
  await using file = await WarehouseFile.open();
  const domains = (names: readonly string[], limit: number) => {
    const series = names.map((domain) => ({ domain, data: [1], total: 1, percentage: 1 }));
    return answerOf('domain_citations', { dates: ['2026-03-02'], series, totalCitations: 3 }, { limit });
  };
  await file.load([domains(['a', 'b', 'c'], 50)]);
  const [entry] = await file.load([domains(['a', 'd'], 2)], { runId: 'run-2' });
  const cut = { status: 'truncated', truncated: true, counts: { inserted: 1, deleted: 0 } };
  expect(entry).toMatchObject(cut);
  const names = 'select domain from core.domain_citations order by 1';
  expect(await file.column(names)).toEqual(['a', 'b', 'c', 'd']);
});

/** `row 2..4, empty 5..8`: the states of the days of March, in order. */
async function statesOf(file: WarehouseFile): Promise<string> {
  const ranges = await file.column(
    `select concat_ws(' ', state, reason, min(day) || '..' || max(day)) from (
       select state, reason, day(date) as day,
         day(date) - row_number() over (partition by state, reason order by date) as place
       from meta.asked_days where date >= '2026-03-01')
     group by state, reason, place order by min(day)`,
  );
  return ranges.join(', ');
}

test('a day without a row is empty when an answer of a later sync day has none either', async () => {
  await using file = await WarehouseFile.open();
  const answer = week([1, undefined, 3]);
  await file.answered(1, answer);
  expect(await statesOf(file)).toBe('row 2..2, unconfirmed 3..3, row 4..4, unconfirmed 5..8');
  // The same sync day again is no second word.
  await file.answered(1, answer, { runId: 'run-1b' });
  expect(await statesOf(file)).toContain('unconfirmed 3..3');
  await file.answered(2, answer);
  expect(await statesOf(file)).toBe('row 2..2, empty 3..3, row 4..4, empty 5..8');
});

test('an answer that came while the day was running is no first word about a day without a row', async () => {
  await using file = await WarehouseFile.open();
  const states: string[] = [];
  for (const number of [1, 2, 3]) {
    await file.answered(number, week([], { slice: { window: days('2026-03-10', '2026-03-10') } }));
    states.push(await statesOf(file));
  }
  expect(states).toEqual(['unconfirmed 10..10', 'unconfirmed 10..10', 'empty 10..10']);
});

test('a day whose stored row no answer reaches keeps it, and is asked about on two sync days', async () => {
  await using file = await WarehouseFile.open();
  const slice = { window: days('2026-03-02', '2026-03-05') };
  await file.answered(1, week([1, 2, 3], { slice }));
  const entry = await file.answered(2, week([1, 2], { slice }));
  expect(entry).toMatchObject({ counts: { deleted: 0, held: 0 } });
  expect(await statesOf(file)).toBe('row 2..3, unconfirmed vanishing 4..4, empty 5..5');
  for (const number of [3, 4]) await file.answered(number, week([1, 2], { slice }));
  expect(await statesOf(file)).toBe('row 2..3, row kept 4..4, empty 5..5');
  expect(await file.column(VALUES)).toEqual([1, 2, 3]);
});

test('a server that keeps less than half of the days is suspicious three nights, and removes none', async () => {
  await using file = await WarehouseFile.open();
  const all = [1, 2, 3, 4, 5, 6, 7];
  await file.answered(1, week(all));
  const kept = week(all.map((value) => (value > 4 ? value : undefined)));
  const statuses: string[] = [];
  for (const number of [2, 3, 4, 5]) statuses.push((await file.answered(number, kept)).status);
  expect(statuses).toEqual(['suspicious', 'suspicious', 'suspicious', 'loaded']);
  expect(await file.column(VALUES)).toEqual(all);
});

test.each([
  ['keeps the last days', week([undefined, undefined, undefined, undefined, 50, 6, 7])],
  ['has no row', week([])],
])('an answer that a person accepts takes nothing away beyond its rows: it %s', async (_, answer) => {
  await using file = await WarehouseFile.open();
  await file.answered(1, week([1, 2, 3, 4, 5, 6, 7]));
  await file.answered(2, answer, { acceptShrink: true });
  expect(await file.column(VALUES)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await statesOf(file)).not.toContain('vanishing');
});

test('days that a server forgets and fills with zeros keep their rows, and the first of which it has a part', async () => {
  await using file = await WarehouseFile.open();
  const known = shares([2, 20, 10], [3, 30, 20], [4, 40, 30], [5, 50, 40], [6, 60, 50]);
  await file.answered(1, known);
  const stored = await file.rows(SHARES);
  const none = [2, 3].map((day) => ({ ...share(day, 0), totalResponses: 0, shareOfVoice: null }));
  const figures = [share(4, 1), share(5, 5, { previousPeriodShareOfVoice: 10, change: 40 })];
  const forgotten = answerOf('share_of_voice', [
    ...none,
    ...figures,
    share(6, 6, { previousPeriodShareOfVoice: 50, change: 10 }),
  ]);
  for (const number of [2, 3, 4]) await file.answered(number, forgotten);
  expect(await file.rows(SHARES)).toEqual(stored);
  expect(await statesOf(file)).toBe('row kept 2..3, row 4..6, empty 7..8');
  expect(await file.rows('from meta.vanishing')).toEqual([]);
});

test('a figure of the look-back becomes 0 after two answers although only zeros come before it', async () => {
  await using file = await WarehouseFile.open();
  const slice = { window: days('2026-03-01', '2026-03-10') };
  const night = async (number: number, ...values: readonly number[]): Promise<unknown> => {
    const points = values.map((value, at) => ({ date: `2026-03-${String(at + 1).padStart(2, '0')}`, value }));
    await file.answered(number, answerOf('visibility', points, { slice }));
    return await file.column(VALUES);
  };
  expect(await night(1, 9, 0, 0, 0, 0, 5, 0, 0, 8)).toEqual([9, 0, 0, 0, 0, 5, 0, 0, 8]);
  expect(await night(2, 0, 0, 0, 0, 0, 0, 0, 0, 8)).toEqual([9, 0, 0, 0, 0, 5, 0, 0, 8]);
  // Zeros before the look-back may be days that the server has forgotten.
  expect(await night(3, 0, 0, 0, 0, 0, 0, 0, 0, 8)).toEqual([9, 0, 0, 0, 0, 0, 0, 0, 8]);
});

test('the first day of an answer follows a correction while a later day vanishes', async () => {
  await using file = await WarehouseFile.open();
  const slice = { window: days('2026-03-01', '2026-03-08') };
  const night = async (number: number, ...values: readonly (number | null)[]): Promise<unknown> => {
    const points = values.map((value, at) => ({ date: `2026-03-0${String(at + 1)}`, value }));
    const body = points.filter(({ value }) => value !== null);
    await file.answered(number, answerOf('visibility', body, { slice }));
    return await file.column(VALUES);
  };
  expect(await night(1, 1, 2, 3, 4, 5, 6, 7, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await night(2, 1, 2, 3, 4, 5, null, 7, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await night(3, 10, 2, 3, 4, 5, null, 7, 8)).toEqual([10, 2, 3, 4, 5, 7, 8]);
});

test('empty days are asked once more when rows first come after them', async () => {
  await using file = await WarehouseFile.open();
  for (const number of [1, 2]) await file.answered(number, week([]));
  expect(await statesOf(file)).toBe('empty 2..8');
  await file.answered(3, week([undefined, undefined, undefined, 4]));
  expect(await statesOf(file)).toBe('unconfirmed 2..4, row 5..5, empty 6..8');
});

test('a job that looks back less than the configuration settles nothing and takes nothing away', async () => {
  await using file = await WarehouseFile.open();
  await file.answered(1, week([1, 2, undefined, 4, 5, 6, 7]));
  for (const number of [2, 3]) {
    const hourly = week([10, undefined, undefined, 4, 5, 6, 7]);
    const entry = await file.answered(number, hourly, { isWitness: false });
    expect(entry).toMatchObject({ status: 'loaded', counts: { deleted: 0 } });
  }
  expect(await file.rows('select * from meta.vanishing')).toEqual([]);
  expect(await file.column(VALUES)).toEqual([10, 2, 4, 5, 6, 7]);
  expect(await statesOf(file)).toBe('row 2..3, unconfirmed 4..4, row 5..8');
});

type Share = readonly [day: number, share: number, previous: number | null];
const shares = (...rows: readonly Share[]) => {
  const body = rows.map(([day, shareOfVoice, previous]) =>
    share(day, shareOfVoice / 10, {
      previousPeriodShareOfVoice: previous,
      change: previous === null ? null : shareOfVoice - previous,
    }),
  );
  return answerOf('share_of_voice', body);
};
const SHARES =
  'select share_of_voice as share, previous_period_share_of_voice as previous, change from core.share_of_voice order by date';

test('a day whose day before has vanished has no previous share any more', async () => {
  await using file = await WarehouseFile.open();
  await file.load([shares([2, 20, 10], [3, 30, 20], [4, 40, 30], [5, 50, 40])]);
  for (const number of [2, 3]) await file.answered(number, shares([2, 20, 10], [3, 30, 20], [5, 50, null]));
  expect(await file.rows(SHARES)).toEqual([
    { share: 20, previous: 10, change: 10 },
    { share: 30, previous: 20, change: 10 },
    { share: 50, previous: null, change: null },
  ]);
});

test('the first day of an answer keeps its previous share while its own stays', async () => {
  await using file = await WarehouseFile.open();
  await file.load([shares([2, 20, 10], [3, 30, 20])]);
  await file.load([shares([2, 20, null], [3, 30, 20])], { runId: 'run-2' });
  expect(await file.rows(SHARES)).toEqual([
    { share: 20, previous: 10, change: 10 },
    { share: 30, previous: 20, change: 10 },
  ]);
  await file.load([shares([2, 50, null], [3, 30, 50])], { runId: 'run-3' });
  expect(await file.rows(SHARES)).toEqual([
    { share: 50, previous: null, change: null },
    { share: 30, previous: 50, change: -20 },
  ]);
});

test('the day after one of which the server keeps a part keeps its previous share', async () => {
  await using file = await WarehouseFile.open();
  await file.answered(1, shares([2, 20, 10], [3, 30, 20], [4, 40, 30], [5, 50, 40]));
  const known = await file.rows(SHARES);
  await file.answered(2, shares([3, 10, null], [4, 40, 10], [5, 50, 40]));
  expect(await file.rows(SHARES)).toEqual(known);
  expect(await file.rows('from meta.restatements')).toEqual([]);
});
