import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import type { Config } from '../../src/config/config.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';
import { openRig } from './rig.ts';

const PATH = '/api/v1/citations/domains-over-time';
const ENDPOINTS = ['brand_visibility', 'domain_citations', 'domain_citation_totals'];
const RIG = { world: 'small', today: '2026-07-14', startDate: '2026-07-01' } as const;

/** Lists of domains that end after `limit`. */
const cutAfter =
  (limit: number) =>
  (config: Config): Config => ({
    ...config,
    sync: {
      ...config.sync,
      endpoints: { domain_citations: { limit }, domain_citation_totals: { limit } },
    },
  });

const named = (requests: readonly RequestRecord[]): string[][] =>
  requests
    .filter(({ path }) => path === PATH)
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
  await using rig = await openRig({ ...RIG, change: cutAfter(4) });
  await using truth = await openRig({ ...RIG, change: cutAfter(50) });
  const { requests } = rig.simulator;
  expect(await rig.sync({ endpoints: ENDPOINTS })).toMatchObject({ exit_code: 0, rows_rejected: 0 });
  // The series, the month and the last 28 days, each with one request more.
  expect(requests.filter(({ path }) => path === PATH)).toHaveLength(6);
  const mattering = (await rig.workingRows(MATTERING)).map(({ domain }) => domain);
  expect(named(requests)).toHaveLength(3);
  expect(
    named(requests)
      .flat()
      .filter((name) => !mattering.includes(name)),
  ).toEqual([]);
  await truth.pull({ endpoints: ENDPOINTS });
  expect(named(truth.simulator.requests)).toEqual([]);
  for (const figures of FIGURES)
    expect(await rig.workingRows(figures)).toEqual(await truth.workingRows(figures));
  rig.simulator.setToday(toDay('2026-07-15'));
  rig.simulator.resetRequests();
  await rig.effects.sleep(86_400_000);
  const planned = await rig.plan({ endpoints: ENDPOINTS });
  const night = await rig.sync({ endpoints: ENDPOINTS });
  expect(night).toMatchObject({ exit_code: 0, rows_deleted: 0, requests: planned.requests });
  expect(named(requests)).toHaveLength(3);
  expect(await rig.rows(STALE)).toEqual([]);
});
