import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig, PROJECT_ONLY, SMALL, withSync, type Rig } from './rig.ts';

const NIGHT = { endpoints: ['brand_visibility', 'domain_citations', 'domain_citation_totals'] };
/** Lists of domains that end after `limit`. */
const cutAfter = (limit: number, more: Parameters<typeof withSync>[0] = {}) =>
  withSync({ endpoints: { domain_citations: { limit }, domain_citation_totals: { limit } }, ...more });
/** The names in each request that asks by name. */
const named = ({ simulator }: Rig): string[][] =>
  simulator.requests
    .map(({ query }) => query.flatMap(([name, value]) => (name === 'domains' ? [value] : [])))
    .filter((names) => names.length > 0);

const MATTERING = `select lower(domain) as domain from core.brands where relation in ('SELF', 'DIRECT_COMPETITOR')`;
const FIGURES = [
  `select domain, date, citations from core.domain_citations where domain in (${MATTERING}) order by all`,
  `select domain, window_kind, window_start, total, average_rank from core.domain_citation_totals
   where domain in (${MATTERING}) order by all`,
  'select window_kind, window_start, total_citations from core.citation_totals order by all',
];
const STALE = `select domain from main.domain_citation_trend where domain in (${MATTERING}) and last_told_on is not null`;

it('after a cut list of domains, one request asks for those of the brand and its competitors', async () => {
  await using rig = await openRig({ ...SMALL, startDate: '2026-07-01', change: cutAfter(4) });
  await using truth = await openRig({ ...SMALL, startDate: '2026-07-01', change: cutAfter(50) });
  expect(await rig.sync(NIGHT)).toMatchObject({ exit_code: 0, rows_rejected: 0 });
  // The series, the month and the last 28 days, each with one request more.
  expect(rig.asked('/citations/domains-over-time')).toHaveLength(6);
  expect(named(rig)).toHaveLength(3);
  const mattering = (await rig.workingRows(MATTERING)).map(({ domain }) => domain);
  expect(mattering).toEqual(expect.arrayContaining(named(rig).flat()));
  await truth.pull(NIGHT);
  expect(named(truth)).toEqual([]);
  for (const figures of FIGURES)
    expect(await rig.workingRows(figures)).toEqual(await truth.workingRows(figures));
  rig.simulator.setToday(toDay('2026-07-15'));
  await rig.effects.sleep(86_400_000);
  const { requests } = await rig.plan(NIGHT);
  expect(await rig.night('2026-07-15', NIGHT)).toMatchObject({ exit_code: 0, rows_deleted: 0, requests });
  expect(named(rig)).toHaveLength(3);
  expect(await rig.rows(STALE)).toEqual([]);
});

it('a raised limit owes the truncated slices again, and they hold the truth afterwards', async () => {
  const tables = ['domain_citations', 'domain_citation_totals', 'citation_totals'];
  const request = { endpoints: tables.slice(0, 2) };
  const limited = (limit: number) => cutAfter(limit, { scopes: {}, windows: ['month'] });
  await using rig = await openRig({ ...PROJECT_ONLY, startDate: '2026-02-01', change: limited(3) });
  expect(await rig.night('2026-07-14', request)).toMatchObject({ exit_code: 0 });
  const truncated = `select * from meta.slices where endpoint = 'domain_citations' and status = 'truncated'`;
  expect((await rig.rows(truncated)).length).toBeGreaterThan(1);
  Object.assign(rig.config, limited(50)(rig.config));
  expect(await rig.night('2026-07-15', request)).toMatchObject({ exit_code: 0, failures: [] });
  await rig.expectTruth(tables, { change: limited(50) });
  await rig.night('2026-07-16', request);
  // The running month and the look-back, no old slice.
  expect(rig.asked('/citations/domains-over-time').length).toBeLessThanOrEqual(4);
});
