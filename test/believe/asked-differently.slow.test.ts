import { expect, it } from 'vitest';
import { openRig, PROJECT_ONLY, withSync } from '../flow/rig.ts';

it('a raised limit owes the truncated slices again, and they hold the truth afterwards', async () => {
  const tables = ['domain_citations', 'domain_citation_totals', 'citation_totals'];
  const request = { endpoints: tables.slice(0, 2) };
  const limited = (limit: number) =>
    withSync({
      scopes: {},
      windows: ['month'],
      endpoints: { domain_citations: { limit }, domain_citation_totals: { limit } },
    });
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
