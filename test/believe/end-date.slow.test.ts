import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import type { RunReport } from '../../src/run/sync-request.ts';
import { JULY, openNights } from './nights.ts';

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
const TABLES = ALL.endpoints;

function setting(endDate: 'inclusive' | 'exclusive'): (config: Config) => Config {
  return (config) => ({
    ...config,
    api: { ...config.api, endDate },
    sync: { ...config.sync, scopes: {}, windows: ['month', 'last_7_days'] },
  });
}

const MAY = { ...JULY, startDate: '2026-05-20' } as const;

function said({ failures, warnings }: RunReport): string {
  return [...failures.map(({ message }) => message), ...warnings].join('\n');
}

it('a server that leaves out endDate holds the truth when the setting says so', async () => {
  await using nights = await openNights({ ...MAY, endDateInclusive: false, change: setting('exclusive') });
  await using plain = await openNights({ ...MAY, change: setting('inclusive') });
  for (const day of ['2026-07-14', '2026-07-15']) {
    expect(await nights.night(day, ALL), day).toMatchObject({ exit_code: 0, failures: [], warnings: [] });
    expect(await plain.night(day, ALL), day).toMatchObject({ exit_code: 0, failures: [], warnings: [] });
  }
  for (const table of TABLES) {
    const sql = `select * exclude (_run_id, _changed_at) from core.${table} order by all`;
    expect(await nights.rows(sql), table).toEqual(await plain.rows(sql));
  }
  expect(nights.rig.simulator.requests.length).toBe(plain.rig.simulator.requests.length);
});

it('a server that leaves out endDate contradicts the default: exit 3 names the setting', async () => {
  await using nights = await openNights({ ...MAY, endDateInclusive: false, change: setting('inclusive') });
  const first = await nights.night('2026-07-14', ALL);
  expect(first).toMatchObject({ exit_code: 3 });
  expect(said(first)).toContain('end_date');
  // Series overlap at their seams: every closed day is there all the same.
  const days = `select count(*) as days from core.response_sentiment where date < '2026-07-14'`;
  expect(await nights.rows(days)).toEqual([{ days: 55 }]);
});

it.each([
  { series: 'response_sentiment', summary: 'response_summary' },
  { series: 'share_of_voice', summary: 'share_of_voice_comparison' },
])(
  '$summary of a closed month shows by $series that its last day is left out',
  async ({ series, summary }) => {
    await using nights = await openNights({ ...MAY, endDateInclusive: false, change: setting('inclusive') });
    const first = await nights.night('2026-07-14', { endpoints: [series, summary] });
    expect(first).toMatchObject({ exit_code: 3 });
    expect(said(first)).toContain('end_date');
  },
);
