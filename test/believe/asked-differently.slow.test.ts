import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { silentLog } from '../../src/log.ts';
import { runSync } from '../../src/run/sync.ts';
import { syncRequest, type RunReport, type SyncRequest } from '../../src/run/sync-request.ts';
import { toDay } from '../../src/day.ts';
import { openNights, PROJECT_ONLY, withSync, type Nights } from './nights.ts';

type Change = (config: Config) => Config;

/** A night with another configuration of the same warehouse. */
async function nightWith(
  nights: Nights,
  { day, change, ...request }: Partial<SyncRequest> & { day: string; change: Change },
): Promise<RunReport> {
  const { config, effects, simulator } = nights.rig;
  // Closes the reader of the published file and moves the clock.
  await nights.night(day, { endpoints: ['validate'] });
  simulator.resetRequests();
  const context = { config: change(config), effects, log: silentLog, version: '0.0.0' };
  return await runSync(syncRequest({ ...request, today: toDay(day), maxWaitMs: 0 }), {
    ...context,
    signal: new AbortController().signal,
  });
}

const DOMAINS = { endpoints: ['domain_citations', 'domain_citation_totals'] };
const PATH = '/citations/domains-over-time';

function limited(limit: number): Change {
  return (config) => ({
    ...config,
    sync: {
      ...config.sync,
      scopes: {},
      windows: ['month'],
      endpoints: { domain_citations: { limit }, domain_citation_totals: { limit } },
    },
  });
}

it('a raised limit owes the truncated slices again, and they hold the truth afterwards', async () => {
  await using nights = await openNights({ ...PROJECT_ONLY, startDate: '2026-02-01', change: limited(3) });
  expect(await nights.night('2026-07-14', DOMAINS)).toMatchObject({ exit_code: 0 });
  const truncated = `select count(*) as slices from meta.slices where endpoint = 'domain_citations' and status = 'truncated'`;
  const [before] = await nights.rows(truncated);
  expect(Number(before?.['slices'])).toBeGreaterThan(1);
  const report = await nightWith(nights, { ...DOMAINS, day: '2026-07-15', change: limited(50) });
  expect(report).toMatchObject({ exit_code: 0, failures: [] });
  await using plain = await openNights({ ...PROJECT_ONLY, startDate: '2026-02-01', change: limited(50) });
  await plain.night('2026-07-15', DOMAINS);
  for (const table of ['domain_citations', 'domain_citation_totals', 'citation_totals']) {
    const sql = `select * exclude (_run_id, _changed_at) from core.${table} order by all`;
    expect(await nights.rows(sql), table).toEqual(await plain.rows(sql));
  }
  await nightWith(nights, { ...DOMAINS, day: '2026-07-16', change: limited(50) });
  // The running month and the look-back, no old slice.
  expect(nights.asked(PATH).length).toBeLessThanOrEqual(4);
});

it.each<[string, Change]>([
  [
    'another path',
    (config) => ({
      ...config,
      sync: {
        ...config.sync,
        endpoints: { crawler_requests: { path: '/api/v1/analytics/visitors/trend' } },
      },
    }),
  ],
  ['another zone', withSync({ scopes: {}, timezone: 'Asia/Tokyo' })],
])('%s owes all slices of the endpoint again, once', async (_, change) => {
  await using nights = await openNights({ ...PROJECT_ONLY, startDate: '2026-03-01' });
  const request = { endpoints: ['crawler_requests'] };
  await nights.night('2026-07-14', request);
  const first = nights.rig.simulator.requests.filter(({ path }) => path.endsWith('/trend')).length;
  await nightWith(nights, { ...request, day: '2026-07-15', change });
  expect(nights.rig.simulator.requests.filter(({ path }) => path.endsWith('/trend'))).toHaveLength(first);
  // Rows of the earlier path go when three nights lack them all.
  for (const day of ['2026-07-16', '2026-07-17', '2026-07-18'])
    await nightWith(nights, { ...request, day, change });
  expect(nights.rig.simulator.requests.filter(({ path }) => path.endsWith('/trend'))).toHaveLength(1);
});
