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

const MATTERING = `select lower(domain) as domain from core.brands where relation in ('SELF', 'DIRECT_COMPETITOR') order by domain`;
const UNTOLD = `select b.domain, d.day from (${MATTERING}) b, (select distinct date as day from core.domain_citations) d
  where not exists (from core.domain_citations c where c.domain = b.domain and c.date = d.day)`;

it('a list of domains that is cut off is followed by one request for the own domains and direct competitors that it lacks', async () => {
  await using rig = await openRig({ ...RIG, change: cutAfter(4) });
  const report = await rig.pull({ endpoints: ENDPOINTS });
  expect(report).toMatchObject({ exitCode: 0, totals: { rows_rejected: 0 } });
  const { requests } = rig.simulator;
  // The series and two windows, each with one request more.
  expect(requests.filter(({ path }) => path === PATH)).toHaveLength(6);
  expect(named(requests)).toHaveLength(3);
  const mattering = (await rig.workingRows(MATTERING)).map(({ domain }) => domain);
  expect(mattering.length).toBeGreaterThan(3);
  expect(
    named(requests)
      .flat()
      .every((name) => mattering.includes(name)),
  ).toBe(true);
  expect(await rig.workingRows(UNTOLD)).toEqual([]);
  const truth = await openRig({ ...RIG, change: cutAfter(50) });
  await truth.pull({ endpoints: ENDPOINTS });
  const rows = `select domain, date, citations from core.domain_citations where domain in (${mattering.map((name) => `'${String(name)}'`).join()}) order by all`;
  expect(await rig.workingRows(rows)).toEqual(await truth.workingRows(rows));
  const totals = `select domain, window_kind, window_start, total, average_rank from core.domain_citation_totals where domain in (${mattering.map((name) => `'${String(name)}'`).join()}) order by all`;
  expect(await rig.workingRows(totals)).toEqual(await truth.workingRows(totals));
  const whole = 'select window_kind, window_start, total_citations from core.citation_totals order by all';
  expect(await rig.workingRows(whole)).toEqual(await truth.workingRows(whole));
  expect(named(truth.simulator.requests)).toEqual([]);
  await truth[Symbol.asyncDispose]();
});

it('a list of domains that is cut off has no figure of these domains go stale the next night', async () => {
  await using rig = await openRig({ ...RIG, change: cutAfter(4) });
  await rig.pull({ endpoints: ENDPOINTS });
  rig.simulator.setToday(toDay('2026-07-15'));
  rig.simulator.resetRequests();
  const night = await rig.sync({ endpoints: ENDPOINTS });
  expect(night).toMatchObject({ exit_code: 0, rows_deleted: 0 });
  expect(named(rig.simulator.requests)).toHaveLength(3);
  const stale = await rig.rows(
    `select domain from main.domain_citation_trend where domain in (${MATTERING}) and last_told_on is not null`,
  );
  expect(stale).toEqual([]);
});

it('a list of domains that is cut off stands as it came where the server refuses `domains`, and the run is good', async () => {
  await using rig = await openRig({
    ...RIG,
    change: cutAfter(4),
    faults: ({ query }) =>
      query.some(([name]) => name === 'domains') ? { kind: 'status', status: 400 } : undefined,
  });
  const report = await rig.pull({ endpoints: ENDPOINTS });
  expect(report).toMatchObject({
    exitCode: 0,
    requests: rig.simulator.requests.length,
    totals: { slices_failed: 0 },
  });
  expect((await rig.workingRows('select distinct domain from core.domain_citations')).length).toBeGreaterThan(
    1,
  );
});

it('a list of domains that is cut off stays owed where the request by name comes to nothing', async () => {
  await using rig = await openRig({
    ...RIG,
    change: cutAfter(4),
    faults: ({ query }) =>
      query.some(([name]) => name === 'domains') ? { kind: 'status', status: 500 } : undefined,
  });
  const report = await rig.pull({ endpoints: ENDPOINTS });
  expect(report.exitCode).not.toBe(0);
  expect(
    await rig.workingRows(
      "select 1 from meta.slices where endpoint = 'domain_citations' and status <> 'failed'",
    ),
  ).toEqual([]);
});
