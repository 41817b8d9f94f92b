import { expect, test } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answered, answerOf, days, FETCHED_AT, sliceOf } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { promptList, week } from './lists.ts';

const RUN = { run_id: 'run-1' };
const AT = new Date(FETCHED_AT).toISOString();
const SLICE = {
  endpoint: 'visibility',
  project_id: 'project-1',
  scope: 'project',
  scope_id: 'project-1',
  grain: 'day',
  window_kind: null,
  window_start: '2026-03-02',
  window_end: '2026-03-08',
};
const NO_ROWS = Object.fromEntries(
  ['updated', 'deleted', 'unchanged', 'rejected', 'deduplicated', 'held'].map((name) => [`rows_${name}`, 0]),
);

test('the ledger says of a slice what it received and what became of it', async () => {
  await using file = await WarehouseFile.open();
  await file.load([{ ...week([1, 2, 3]), requests: 2 }]);
  const asked = {
    asked_with: 'today',
    asked_limit: null,
    timezone: null,
    sync_day: '2026-03-10',
    requests: 2,
  };
  const said = {
    status: 'loaded',
    http_status: 200,
    truncated: false,
    alarm: null,
    got_nothing: false,
    fetched_at: AT,
  };
  const counts = { ...NO_ROWS, rows_received: 3, rows_changed: 3, rows_inserted: 3 };
  expect(await file.rows('select * exclude (error_class, error_message) from meta.slices')).toEqual([
    { ...SLICE, ...RUN, ...asked, ...said, ...counts },
  ]);
});

test('the ledger keeps the newest outcome of a slice alone', async () => {
  await using file = await WarehouseFile.open();
  const newest = `select concat_ws(' ', status, run_id, error_class, rows_received) from meta.slices`;
  const answers = [week([1]), answerOf('visibility', { not: 'a list' }), week([1, 2]), week([1, 3, 3])];
  const seen: unknown[] = [];
  for (const [index, answer] of answers.entries()) {
    await file.load([answer], { runId: `run-${String(index + 1)}` });
    seen.push(...(await file.column(newest)));
  }
  expect(seen).toEqual(['loaded run-1 1', 'failed run-2 contract 0', 'loaded run-3 2', 'loaded run-4 3']);
});

test('the ledger tells empty, not enabled, truncated, refused and failed apart', async () => {
  await using file = await WarehouseFile.open();
  const error = new AnswerlakeError('not found', { class: 'contract', scope: 'slice' });
  const told = { kind: 'failed', error, requests: 3, httpStatus: 404, at: FETCHED_AT } as const;
  const outcomes = [
    week([]),
    answerOf('crawler_top_pages', []),
    answerOf('competitor_heatmap', documentedBodies['competitor_heatmap'], { limit: 5 }),
  ].map(answered);
  const failed = { ...told, slice: sliceOf('llm_sources') };
  const refused = { ...told, slice: sliceOf('sentiment'), refused: 'too_old' } as const;
  await (await file.loader()).load([failed, refused, ...outcomes]);
  const all = `select concat_ws(' ', endpoint, status, truncated, requests, http_status, error_message)
    from meta.slices order by endpoint`;
  expect(await file.column(all)).toEqual([
    'competitor_heatmap truncated true 1 200',
    'crawler_top_pages not_enabled false 1 200',
    'llm_sources failed false 3 404 not found',
    'sentiment refused false 3 404 not found',
    'visibility empty false 1 200',
  ]);
});

test('a list of domains below the limit is cut off at a round number of them, if more citations are stated', async () => {
  const statusOf = async (listed: number, total: number): Promise<unknown> => {
    await using file = await WarehouseFile.open();
    const series = Array.from({ length: listed }, (_entry, number) => {
      return { domain: `${String(number)}.example`, data: [], total: 1, percentage: 1 };
    });
    const body = { dates: [], series, totalCitations: total };
    await file.load([answerOf('domain_citation_totals', body, { limit: 50 })]);
    return await file.column('select status from meta.slices');
  };
  // A server may count citations without a domain.
  expect(await statusOf(9, 11)).toEqual(['loaded']);
  expect(await statusOf(10, 10)).toEqual(['loaded']);
  expect(await statusOf(10, 11)).toEqual(['truncated']);
});

test('the ledger holds rejects with place, reason and row', async () => {
  await using file = await WarehouseFile.open();
  const odd = answerOf('visibility', [
    { date: '2026-03-02', value: 1 },
    { date: 'soon' },
    { date: '2026-03-04', value: 3 },
  ]);
  await file.load([odd]);
  const reject = { path: '[1]', reason: 'date: not a date', row: '{"date":"soon"}', rejected_at: AT };
  expect(await file.rows('from meta.rejects')).toEqual([{ ...SLICE, ...RUN, ...reject }]);
  expect(await file.rows('select rows_received as n, rows_rejected as r from meta.slices')).toEqual([
    { n: 3, r: 1 },
  ]);
  // The look-back meets the same row every night.
  await file.load([odd], { runId: 'run-2' });
  expect(await file.column('select run_id from meta.rejects')).toEqual(['run-2']);
});

test('the ledger holds drift once a place and kind, with first and last sighting', async () => {
  await using file = await WarehouseFile.open();
  for (const [number, tag] of ['a', 'b'].entries()) {
    const answer = promptList({ id: 'p1', tag }, { id: 'p2', tag });
    const pages = answer.pages.map((page) => ({ ...page, fetchedAt: 1000 * (number + 1) }));
    await file.load([{ ...answer, pages }], { runId: `run-${String(number + 1)}` });
  }
  expect(await file.rows('select * from meta.drift')).toEqual([
    {
      endpoint: 'prompts',
      path: 'prompts[].tag',
      kind: 'new_field',
      sample: '"b"',
      first_seen: '1970-01-01T00:00:01.000Z',
      last_seen: '1970-01-01T00:00:02.000Z',
      run_id: 'run-2',
    },
  ]);
});

test('an error inside the transaction rolls back the slice that caused it, whole, and its siblings load', async () => {
  await using file = await WarehouseFile.open();
  await file.connection.run('alter table core.prompt_snapshots drop column volume');
  const prompts = answerOf('prompts', documentedBodies['prompts']);
  const entries = await file.load([week([1, 2]), prompts, week([3], {}, 'sentiment')]);
  expect(entries.map(({ status }) => status)).toEqual(['loaded', 'failed', 'loaded']);
  const tables = ['visibility', 'sentiment', 'prompts', 'monitors'];
  const counts = await Promise.all(tables.map(async (table) => (await file.contents(table)).length));
  expect(counts).toEqual([2, 1, 0, 0]);
  const slices = "select endpoint || ' ' || status from meta.slices order by 1";
  expect(await file.column(slices)).toEqual(['prompts failed', 'sentiment loaded', 'visibility loaded']);
});

test('a row that is refused again in another window leaves the reject of the first window open', async () => {
  await using file = await WarehouseFile.open();
  const refused = [{ competitor: 7 }];
  const ofMonth = (start: string, end: string): ArchivedAnswer =>
    answerOf('competitor_mentions', refused, { slice: { windowKind: 'month', window: days(start, end) } });
  await file.load([ofMonth('2026-01-01', '2026-01-31')], { runId: 'run-1' });
  await file.load([ofMonth('2026-02-01', '2026-02-27')], { runId: 'run-2' });
  await file.load([ofMonth('2026-02-01', '2026-02-28')], { runId: 'run-3' });
  const rejects = "select run_id || ' ' || window_start from meta.rejects order by 1";
  expect(await file.column(rejects)).toEqual(['run-1 2026-01-01', 'run-3 2026-02-01']);
});
