import { expect, test } from 'vitest';
import { answerOf, days } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

/** Mentions of the month until a day of March. */
function month(end: string, ...names: readonly string[]) {
  const body = names.map((competitor) => ({ competitor, count: 1, percentage: 10 }));
  const slice = { windowKind: 'month', window: days('2026-03-01', `2026-03-${end}`) } as const;
  return answerOf('competitor_mentions', body, { slice });
}

test('a window that is not over is replaced by its newer answer', async () => {
  await using file = await WarehouseFile.open();
  await file.answered(1, month('10', 'a', 'b', 'c'));
  const entry = await file.answered(2, month('11', 'b', 'd'));
  // Of the row that stays only the end of the window moved.
  expect(entry.counts).toMatchObject({ inserted: 1, updated: 1, deleted: 2, held: 0 });
  expect(await file.column('select competitor from core.competitor_mentions order by 1')).toEqual(['b', 'd']);
});

test('a window that grows moves its end, and that alone restates nothing', async () => {
  await using file = await WarehouseFile.open();
  await file.load([month('10', 'a', 'b')]);
  const [entry] = await file.load([month('11', 'a', 'b')], { runId: 'run-2' });
  expect(entry?.counts).toMatchObject({ inserted: 0, updated: 2, deleted: 0 });
  const windows = 'select distinct window_start as start, window_end as last from core.competitor_mentions';
  expect(await file.rows(windows)).toEqual([{ start: '2026-03-01', last: '2026-03-11' }]);
  expect(await file.rows('select * from meta.restatements')).toEqual([]);
  expect(await file.column('select window_end from meta.slices')).toEqual(['2026-03-11']);
});

test('a window of another kind with the same start is left alone', async () => {
  await using file = await WarehouseFile.open();
  const slice = { windowKind: 'last_7_days', window: days('2026-03-01', '2026-03-07') } as const;
  const other = answerOf('competitor_mentions', [{ competitor: 'b', count: 1, percentage: 10 }], { slice });
  await file.load([month('10', 'a'), other]);
  const [entry] = await file.load([month('11', 'a')]);
  expect(entry?.counts).toMatchObject({ updated: 1, deleted: 0 });
  expect(await file.column('select count(*) from core.competitor_mentions')).toEqual([2]);
});

test.each([
  ['domain_citation_totals', 'citation_rank_totals', false],
  ['citation_rank_totals', 'domain_citation_totals', false],
  ['citation_rank_totals', 'domain_citation_totals', true],
])('a window of %s keeps the totals of %s (in one batch: %s)', async (...[first, second, together]) => {
  await using file = await WarehouseFile.open();
  const [one, other] = [first, second].map((name) => answerOf(name, documentedBodies[name]));
  if (one === undefined || other === undefined) throw new Error('two answers');
  const batches = together ? [[one, other]] : [[one], [other]];
  const updated: number[] = [];
  for (const batch of batches) updated.push(...(await file.load(batch)).map(({ counts }) => counts.updated));
  // Nothing that was known is another figure now.
  expect(updated).toEqual([0, 0]);
  await file.load([one], { runId: 'run-2' });
  const totals =
    'select total_citations as total, overall_average_rank as rank, _run_id as run from core.citation_totals';
  expect(await file.rows(totals)).toEqual([{ total: 8, rank: 2.5, run: 'run-1' }]);
});
