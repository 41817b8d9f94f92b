import { expect, test } from 'vitest';
import { areTelling, figuresOf, type Figures } from '../../src/believe/figures.ts';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import type { OutputRow, Row } from '../../src/endpoints/table.ts';
import { sliceOf, SYNC_DAY, type SliceChanges } from '../support/answers.ts';

function figures(endpoint: string, rows: readonly OutputRow[], changes: SliceChanges = {}): Figures {
  return figuresOf(endpointNamed(endpoint), { slice: sliceOf(endpoint, changes), syncDay: SYNC_DAY }, rows);
}

const rowsOf = (table: string, ...rows: Row[]): OutputRow[] => rows.map((values) => ({ table, values }));
const points = (...rows: [day: string, citations: number | null][]): OutputRow[] =>
  rowsOf('domain_citations', ...rows.map(([date, citations]) => ({ date, domain: 'a', citations })));

/** The digest of rows of one day. */
function digest(...rows: Row[]): number | undefined {
  const date = '2026-03-02';
  const dated = rowsOf('domain_citations', ...rows.map((row) => ({ date, ...row })));
  return figures('domain_citations', dated).days.get(date)?.digest;
}

test('figures of a day are equal for equal rows in any order, and differ for other rows', () => {
  const [a, b] = [
    { domain: 'a', citations: 1 },
    { domain: 'b', citations: 2 },
  ];
  expect(digest(a, b)).toBe(digest(b, a));
  const others: Row[][] = [
    [],
    [a],
    [a, a],
    [a, b, b],
    [a, { ...b, citations: 3 }],
    [a, { ...b, citations: null }],
    [a, { ...b, domain: 'bb' }],
    [a, { ...b, domain: 'a' }],
    [
      { ...a, citations: 2 },
      { ...b, citations: 1 },
    ],
    [{ domain: 'ab', citations: '' }],
    [{ domain: 'a', citations: 'b' }],
  ];
  const digests = [[a, b], ...others].map((rows) => digest(...rows));
  expect(new Set(digests).size).toBe(digests.length);
});

test('figures of a day are up to two different numbers other than 0', () => {
  const rows = points(
    ['2026-03-02', 0],
    ['2026-03-02', 7],
    ['2026-03-02', 7],
    ['2026-03-02', 3],
    ['2026-03-02', 5],
  );
  const { days } = figures('domain_citations', [...rows, ...points(['2026-03-03', 1], ['2026-03-04', null])]);
  expect([...days].map(([date, { numbers }]) => [date, numbers])).toEqual([
    ['2026-03-02', [7, 3]],
    ['2026-03-03', [1]],
    ['2026-03-04', []],
  ]);
});

test('figures of a series are those of periods that are over', () => {
  const rows = points(['2026-03-03', 1], ['2026-03-04', 1], ['2026-03-09', 1], ['2026-03-10', 1]);
  const daysOf = (grain: 'day' | 'week'): string[] => [
    ...figures('domain_citations', rows, { grain }).days.keys(),
  ];
  expect(daysOf('day')).toEqual(['2026-03-03', '2026-03-04', '2026-03-09']);
  expect(daysOf('week')).toEqual(['2026-03-03']);
});

test('figures of a window are one entry, without numbers that only number the rows', () => {
  const rows = rowsOf(
    'competitor_heatmap',
    { competitor_rank: 1, visibility: 40 },
    { competitor_rank: 2, visibility: 40 },
  );
  const { days } = figures('competitor_heatmap', rows);
  expect([...days.values()]).toEqual([{ digest: expect.any(Number) as unknown, numbers: [40] }]);
});

test('figures are read from the first table alone, ids from each table whose ids have one project', () => {
  const rows = [
    ...rowsOf(
      'prompts',
      { prompt_id: 'p1', amount_of_responses: 1 },
      { prompt_id: 'p2' },
      { prompt_id: null },
    ),
    ...rowsOf('monitors', { monitor_id: 'm1' }),
    ...rowsOf('prompt_snapshots', { prompt_id: 'p3' }),
  ];
  const { ids, days } = figures('prompts', rows);
  expect([...ids]).toEqual([
    ['prompts', ['p1', 'p2']],
    ['monitors', ['m1']],
  ]);
  expect(days.size).toBe(0);
  const brands = rowsOf('brands', { brand_id: 'b', date: '2026-03-02' });
  expect(figures('brand_visibility', brands).days.size).toBe(0);
  const undated = rowsOf('brand_visibility', { brand_id: 'b', date: null });
  expect(figures('brand_visibility', undated).days.size).toBe(0);
});

test('figures tell something when two of them differ', () => {
  const tells = (...numbers: number[][]): boolean => areTelling(numbers.map((own) => ({ numbers: own })));
  expect([tells(), tells([1]), tells([1], [1]), tells([1], [2]), tells([1, 2])]).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});
