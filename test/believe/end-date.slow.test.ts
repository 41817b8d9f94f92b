import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { contentOf, JULY, openRig, withSync } from '../flow/rig.ts';

const SERIES = [
  'visibility',
  'response_sentiment',
  'share_of_voice',
  'domain_citations',
  'crawler_requests',
  'events',
];
const WINDOWS = ['response_summary', 'share_of_voice_comparison', 'domain_citation_totals', 'llm_sources'];
const ALL = { endpoints: [...SERIES, ...WINDOWS] };
const MAY = { ...JULY, startDate: '2026-05-20' } as const;

const setting = (endDate: 'inclusive' | 'exclusive') => ({
  change: (config: Config): Config =>
    withSync({ scopes: {}, windows: ['month', 'last_7_days'] })({
      ...config,
      api: { ...config.api, endDate },
    }),
});

it('a server that leaves out endDate holds the truth when the setting says so', async () => {
  await using rig = await openRig({ ...MAY, endDateInclusive: false, ...setting('exclusive') });
  await using plain = await openRig({ ...MAY, ...setting('inclusive') });
  for (const day of ['2026-07-14', '2026-07-15'])
    for (const { night } of [rig, plain])
      expect(await night(day, ALL), day).toMatchObject({ exit_code: 0, failures: [], warnings: [] });
  for (const table of ALL.endpoints)
    expect(await contentOf(rig.rows, table), table).toEqual(await contentOf(plain.rows, table));
  expect(rig.simulator.requests.length).toBe(plain.simulator.requests.length);
});

it('shares of a closed month show too that its last day is left out, and exit 3 names the setting', async () => {
  await using rig = await openRig({ ...MAY, endDateInclusive: false, ...setting('inclusive') });
  const endpoints = ['share_of_voice', 'share_of_voice_comparison'];
  const night = await rig.night('2026-07-14', { endpoints });
  expect(night).toMatchObject({ exit_code: 3 });
  expect(JSON.stringify(night.failures)).toContain('end_date');
  // Series overlap at their seams: every closed day is there all the same.
  const days = `select count(*) as days from core.share_of_voice where grain = 'day' and date < '2026-07-14'`;
  expect(await rig.rows(days)).toEqual([{ days: 55 }]);
});
