import { expect, it } from 'vitest';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { expectHealed, openNights, PROJECT_ONLY, type Nights } from './nights.ts';

const OLD = { ...PROJECT_ONLY, startDate: '2026-05-05' } as const;
const SERIES = catalogue.filter(({ cut }) => cut.kind === 'series');
/** Each has a table of its own name. */
const TABLES = SERIES.map(({ name }) => name);
const ALL = { endpoints: TABLES };
const PATHS = SERIES.map(({ path }) => path);

function nothingOf(path: string): unknown {
  if (/domains|crawlers|visitors/.test(path)) return { dates: [], series: [], totalCitations: 0 };
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
  const names = TABLES.map((name) => `'${name}'`).join(', ');
  expect(await nights.rows(`${status} (${names}) order by all`)).toEqual(
    TABLES.toSorted().map((endpoint) => ({ endpoint, status: 'unconfirmed' })),
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
