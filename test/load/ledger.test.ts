import { expect, test } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, days, FETCHED_AT, sliceOf } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const visibility = (...values: unknown[]): unknown =>
  values.map((value, index) => ({ date: `2026-03-0${index + 2}`, value }));

test('the ledger says of a slice what it received and what became of it', async () => {
  await using file = await WarehouseFile.open();
  await file.load([answerOf('visibility', visibility(1, 2, 3), { requests: 2 })]);
  expect(await file.rows('select * exclude (error_class, error_message) from meta.slices')).toEqual([
    {
      endpoint: 'visibility',
      project_id: 'project-1',
      scope: 'project',
      scope_id: 'project-1',
      grain: 'day',
      window_kind: null,
      window_start: '2026-03-02',
      window_end: '2026-03-08',
      asked_with: 'today',
      asked_limit: null,
      timezone: null,
      sync_day: '2026-03-10',
      status: 'loaded',
      requests: 2,
      http_status: 200,
      rows_received: 3,
      rows_changed: 3,
      rows_inserted: 3,
      rows_updated: 0,
      rows_deleted: 0,
      rows_unchanged: 0,
      rows_rejected: 0,
      rows_deduplicated: 0,
      rows_held: 0,
      truncated: false,
      alarm: null,
      run_id: 'run-1',
      fetched_at: new Date(FETCHED_AT).toISOString(),
    },
  ]);
});

test('the ledger keeps the newest outcome of a slice alone', async () => {
  await using file = await WarehouseFile.open();
  await file.load([answerOf('visibility', visibility(1))]);
  await file.load([answerOf('visibility', { not: 'a list' })], { runId: 'run-2' });
  expect(await file.rows('select status, run_id, error_class from meta.slices')).toEqual([
    { status: 'failed', run_id: 'run-2', error_class: 'contract' },
  ]);
  await file.load([answerOf('visibility', visibility(1, 2))], { runId: 'run-3' });
  const newest = 'select status, run_id, error_class, rows_received from meta.slices';
  expect(await file.rows(newest)).toEqual([
    { status: 'loaded', run_id: 'run-3', error_class: null, rows_received: 2 },
  ]);
  await file.load([answerOf('visibility', visibility(1, 3, 3))], { runId: 'run-4' });
  expect(await file.rows(newest)).toMatchObject([{ run_id: 'run-4', rows_received: 3 }]);
});

test('the ledger tells empty, not enabled, truncated, refused and failed apart', async () => {
  await using file = await WarehouseFile.open();
  const error = new AnswerlakeError('not found', { class: 'contract', scope: 'slice' });
  const failed = {
    kind: 'failed',
    slice: sliceOf('llm_sources'),
    error,
    requests: 3,
    httpStatus: 404,
    at: FETCHED_AT,
  } as const;
  const answered = [
    answerOf('visibility', []),
    answerOf('crawler_top_pages', []),
    answerOf('competitor_heatmap', documentedBodies['competitor_heatmap'], { limit: 5 }),
  ].map((answer) => ({ kind: 'answered', answer }) as const);
  const refused = { ...failed, slice: sliceOf('sentiment'), refused: 'too_old' } as const;
  await (await file.loader()).load([failed, refused, ...answered]);
  const all =
    'select endpoint, status, truncated, requests, http_status, error_message from meta.slices order by endpoint';
  const lost = { truncated: false, requests: 3, http_status: 404, error_message: 'not found' };
  const fine = { truncated: false, requests: 1, http_status: 200, error_message: null };
  expect(await file.rows(all)).toEqual([
    { endpoint: 'competitor_heatmap', status: 'truncated', ...fine, truncated: true },
    { endpoint: 'crawler_top_pages', status: 'not_enabled', ...fine },
    { endpoint: 'llm_sources', status: 'failed', ...lost },
    { endpoint: 'sentiment', status: 'refused', ...lost },
    { endpoint: 'visibility', status: 'empty', ...fine },
  ]);
});

test('the ledger holds rejects with place, reason and row', async () => {
  await using file = await WarehouseFile.open();
  await file.load([answerOf('visibility', visibility(1, 'x', 3))]);
  expect(await file.rows('select * exclude reason from meta.rejects')).toEqual([
    {
      endpoint: 'visibility',
      project_id: 'project-1',
      scope: 'project',
      scope_id: 'project-1',
      grain: 'day',
      window_kind: null,
      window_start: '2026-03-02',
      window_end: '2026-03-08',
      path: '[1]',
      row: '{"date":"2026-03-03","value":"x"}',
      run_id: 'run-1',
      rejected_at: new Date(FETCHED_AT).toISOString(),
    },
  ]);
  expect(await file.rows('select rows_received as n, rows_rejected as r from meta.slices')).toEqual([
    { n: 3, r: 1 },
  ]);
  // The look-back meets the same row every night.
  await file.load([answerOf('visibility', visibility(1, 'x', 3))], { runId: 'run-2' });
  expect(await file.rows('select run_id from meta.rejects')).toEqual([{ run_id: 'run-2' }]);
});

test('the ledger holds drift once a place and kind, with first and last sighting', async () => {
  await using file = await WarehouseFile.open();
  const prompts = (tag: string, fetchedAt: number): Parameters<typeof file.load>[0][number] => {
    const body = {
      prompts: [1, 2].map((n) => ({ ...promptBody, id: `p${n}`, tag })),
      total: 2,
      page: 1,
      size: 2,
      totalPages: 1,
    };
    const answer = answerOf('prompts', body);
    return { ...answer, pages: answer.pages.map((page) => ({ ...page, fetchedAt })) };
  };
  await file.load([prompts('a', 1000)]);
  await file.load([prompts('b', 2000)], { runId: 'run-2' });
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
  const entries = await file.load([
    answerOf('visibility', visibility(1, 2)),
    answerOf('prompts', documentedBodies['prompts']),
    answerOf('sentiment', visibility(3)),
  ]);
  expect(Object.fromEntries(entries.map(({ slice, status }) => [slice.endpoint, status]))).toEqual({
    visibility: 'loaded',
    prompts: 'failed',
    sentiment: 'loaded',
  });
  for (const [table, rows] of [
    ['visibility', 2],
    ['sentiment', 1],
    ['prompts', 0],
    ['monitors', 0],
  ] as const) {
    expect(await file.contents(table)).toHaveLength(rows);
  }
  expect(await file.rows('select endpoint, status from meta.slices order by 1')).toEqual([
    { endpoint: 'prompts', status: 'failed' },
    { endpoint: 'sentiment', status: 'loaded' },
    { endpoint: 'visibility', status: 'loaded' },
  ]);
});

test('a row that is refused again in another window leaves the reject of the first window open', async () => {
  await using file = await WarehouseFile.open();
  const refused = { timeSeries: [], overallAverageRank: 'n/a' };
  const ofMonth = (start: string, end: string): ArchivedAnswer =>
    answerOf('citation_rank_totals', refused, { slice: { windowKind: 'month', window: days(start, end) } });
  await file.load([ofMonth('2026-01-01', '2026-01-31')], { runId: 'run-1' });
  await file.load([ofMonth('2026-02-01', '2026-02-27')], { runId: 'run-2' });
  await file.load([ofMonth('2026-02-01', '2026-02-28')], { runId: 'run-3' });
  expect(await file.rows('select run_id, window_start from meta.rejects order by run_id')).toEqual([
    { run_id: 'run-1', window_start: '2026-01-01' },
    { run_id: 'run-3', window_start: '2026-02-01' },
  ]);
});
