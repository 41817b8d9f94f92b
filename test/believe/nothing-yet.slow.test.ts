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

function answerNothing(nights: Nights, status = 200): void {
  for (const path of PATHS) nights.answer(path, () => ({ status, body: nothingOf(path) }));
}

it('a first night with status 202 is no answer: everything is asked again and arrives', async () => {
  await using nights = await openNights(OLD);
  answerNothing(nights, 202);
  const first = await nights.night('2026-07-14', ALL);
  expect(first).toMatchObject({ exit_code: 3 });
  expect(await nights.rows(`select distinct status from meta.slices where endpoint = 'visibility'`)).toEqual([
    { status: 'failed' },
  ]);
  expect(await nights.gaps()).toHaveLength(SERIES.length * 70);
  await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: TABLES, request: ALL });
});

it('a first night without any row is exit 0, unconfirmed and no gap; the next night brings the whole history', async () => {
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

it('an empty series is settled by a later day, costs one request a night from then on, and owes its whole history when rows first come', async () => {
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

it('the first window of a long history that is empty is no gap, and comes when the server has it', async () => {
  await using nights = await openNights({ ...PROJECT_ONLY, startDate: '2026-01-01' });
  const request = { endpoints: ['visibility'] };
  nights.alter('/v1/visibility-time-series', (body, { endDate = '' }) =>
    endDate < '2026-06-01' ? [] : body,
  );
  expect(await nights.night('2026-07-14', request)).toMatchObject({ exit_code: 0 });
  expect(await nights.gaps()).toEqual([]);
  nights.repair();
  // Time before the beginning of a series is empty at once: only a look at it brings it.
  expect(await nights.night('2026-07-15', { ...request, full: true })).toMatchObject({ exit_code: 0 });
  await nights.expectTruth(['visibility'], request);
});

it('days behind the end of a series stay owed until a later day says that they are empty', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  const request = { endpoints: ['visibility'] };
  nights.alter('/v1/visibility-time-series', (body) =>
    (body as { date: string }[]).filter(({ date }) => date < '2026-07-01'),
  );
  await nights.night('2026-07-14', request);
  await nights.night('2026-07-15', request);
  expect(nights.asked('/v1/visibility-time-series')).toMatchObject([
    { startDate: expect.stringMatching(/^2026-06-30$|^2026-07-01$/) as string },
  ]);
  // Two sync days agree: from now on only the look-back is asked.
  await nights.night('2026-07-16', request);
  expect(nights.asked('/v1/visibility-time-series')).toHaveLength(1);
  expect(await nights.gaps()).toEqual([]);
  nights.repair();
  await nights.night('2026-07-17', request);
  expect(await nights.night('2026-07-18', { ...request, full: true })).toMatchObject({ exit_code: 0 });
  await nights.expectTruth(['visibility'], request);
});
