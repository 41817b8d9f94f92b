import { expect, it } from 'vitest';
import { expectHealed, openNights, PROJECT_ONLY, type Nights } from './nights.ts';
import { SERIES } from './series-bodies.ts';

const OLD = { ...PROJECT_ONLY, startDate: '2026-05-05' } as const;
const ALL = { endpoints: SERIES.map(({ endpoint }) => endpoint) };
const TABLES = SERIES.map(({ table }) => table);
const PATHS = SERIES.map(({ path }) => path);
const COLUMNAR = ['/citations/domains-over-time', '/analytics/crawlers/trend', '/analytics/visitors/trend'];

function nothingOf(path: string): unknown {
  if (COLUMNAR.includes(path))
    return { dates: [], series: [], ...(path.includes('domains') ? { totalCitations: 0 } : {}) };
  return path.includes('rank') ? { timeSeries: [], overallAverageRank: null } : [];
}

function answerNothing(nights: Nights): void {
  for (const path of PATHS) nights.answer(path, () => ({ status: 200, body: nothingOf(path) }));
}

it('a first night without a row is exit 0, unconfirmed and no gap; the next brings the whole history', async () => {
  await using nights = await openNights(OLD);
  answerNothing(nights);
  expect(await nights.night('2026-07-14', ALL)).toMatchObject({ exit_code: 0, failures: [] });
  expect(await nights.gaps()).toEqual([]);
  const status = 'select distinct endpoint, status from main.sync_coverage where endpoint in';
  const names = SERIES.map(({ endpoint }) => `'${endpoint}'`).join(', ');
  expect(await nights.rows(`${status} (${names}) order by all`)).toEqual(
    SERIES.map(({ endpoint }) => endpoint)
      .toSorted()
      .map((endpoint) => ({ endpoint, status: 'unconfirmed' })),
  );
  await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: TABLES, request: ALL });
});

it('an empty series is settled by a later day, and owes its whole history when rows first come', async () => {
  await using nights = await openNights(OLD);
  answerNothing(nights);
  for (const day of ['2026-07-14', '2026-07-15', '2026-07-16', '2026-07-17'])
    expect(await nights.night(day, ALL), day).toMatchObject({ exit_code: 0 });
  for (const path of PATHS) expect(nights.asked(path), path).toHaveLength(1);
  expect(await nights.gaps()).toEqual([]);
  nights.repair();
  await nights.night('2026-07-25', ALL);
  expect(await nights.night('2026-07-26', ALL)).toMatchObject({ exit_code: 0 });
  expect(await nights.gaps()).toEqual([]);
  await nights.expectTruth(TABLES, ALL);
});
