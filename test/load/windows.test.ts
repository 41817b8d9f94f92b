import { expect, test } from 'vitest';
import { answerOf, days } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const mentions = (...names: string[]): unknown =>
  names.map((competitor) => ({ competitor, count: 1, percentage: 10 }));
const month = (end: string) => ({ slice: { windowKind: 'month', window: days('2026-03-01', end) } }) as const;

test('a window that is not over is replaced by its newer answer', async () => {
  await using file = await WarehouseFile.open();
  await file.night(1, [answerOf('competitor_mentions', mentions('a', 'b', 'c'), month('2026-03-10'))]);
  const [entry] = await file.night(2, [
    answerOf('competitor_mentions', mentions('b', 'd'), month('2026-03-11')),
  ]);
  // Of the row that stays only the end of the window moved.
  expect(entry?.counts).toMatchObject({ inserted: 1, updated: 1, deleted: 2, held: 0 });
  const names = await file.rows('select competitor from core.competitor_mentions order by 1');
  expect(names.map(({ competitor }) => competitor)).toEqual(['b', 'd']);
});

test('a window that grows moves its end, and that alone restates nothing', async () => {
  await using file = await WarehouseFile.open();
  await file.load([answerOf('competitor_mentions', mentions('a', 'b'), month('2026-03-10'))]);
  const [entry] = await file.load(
    [answerOf('competitor_mentions', mentions('a', 'b'), month('2026-03-11'))],
    {
      runId: 'run-2',
    },
  );
  expect(entry?.counts).toMatchObject({ inserted: 0, updated: 2, deleted: 0 });
  const windows =
    'select distinct window_start as start, window_end as end_day from core.competitor_mentions';
  expect(await file.rows(windows)).toEqual([{ start: '2026-03-01', end_day: '2026-03-11' }]);
  expect(await file.rows('select * from meta.restatements')).toEqual([]);
  expect(await file.rows('select window_end from meta.slices')).toEqual([{ window_end: '2026-03-11' }]);
});

test('a window of another kind with the same start is left alone', async () => {
  await using file = await WarehouseFile.open();
  const window = days('2026-03-01', '2026-03-07');
  const other = { slice: { windowKind: 'last_7_days', window } } as const;
  await file.load([
    answerOf('competitor_mentions', mentions('a'), month('2026-03-10')),
    answerOf('competitor_mentions', mentions('b'), other),
  ]);
  const [entry] = await file.load([answerOf('competitor_mentions', mentions('a'), month('2026-03-11'))]);
  expect(entry?.counts).toMatchObject({ updated: 1, deleted: 0 });
  expect(await file.rows('select count(*) as n from core.competitor_mentions')).toEqual([{ n: 2 }]);
});

test.each([
  ['domain_citation_totals', 'citation_rank_totals'],
  ['citation_rank_totals', 'domain_citation_totals'],
])('a window of %s keeps what %s reports of the same totals', async (first, second) => {
  await using file = await WarehouseFile.open();
  await file.load([answerOf(first, documentedBodies[first])]);
  const [filled] = await file.load([answerOf(second, documentedBodies[second])]);
  // Nothing that was known is another figure now.
  expect(filled?.counts.updated).toBe(0);
  await file.load([answerOf(first, documentedBodies[first])], { runId: 'run-2' });
  const totals = 'select total_citations, overall_average_rank, _run_id from core.citation_totals';
  expect(await file.rows(totals)).toEqual([
    { total_citations: 8, overall_average_rank: 2.5, _run_id: 'run-1' },
  ]);
});

test('a window of both totals fills one row when they come in one batch', async () => {
  await using file = await WarehouseFile.open();
  const names = ['citation_rank_totals', 'domain_citation_totals'];
  await file.load(names.map((name) => answerOf(name, documentedBodies[name])));
  expect(await file.rows('select total_citations, overall_average_rank from core.citation_totals')).toEqual([
    { total_citations: 8, overall_average_rank: 2.5 },
  ]);
});
