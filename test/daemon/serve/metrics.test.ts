import { expect, it } from 'vitest';
import { toDay } from '../../../src/day.ts';
import { DaemonState } from '../../../src/daemon/serve/daemon-state.ts';
import { Metrics } from '../../../src/daemon/serve/metrics.ts';
import type { KnownQuota } from '../../../src/run/journal.ts';
import type { PublishedFacts } from '../../../src/daemon/serve/published-facts.ts';

const NOW = Date.parse('2025-03-05T12:00:00Z');
const FACTS: PublishedFacts = {
  publishedMs: NOW - 60_000,
  bytes: 4096,
  lookbackDays: 7,
  slices: [
    { status: 'loaded', slices: 30 },
    { status: 'failed', slices: 2 },
  ],
  events: [],
  baseUrl: 'http://127.0.0.1:9',
  freshness: [
    {
      projectId: 'p"1\n',
      projectName: 'Acme',
      endpoint: 'visibility',
      status: 'behind',
      lastSuccessAt: null,
      lastSuccessMs: NOW - 5000,
      lastCoveredDay: toDay('2025-03-02'),
      lastError: null,
      isExpected: true,
    },
  ],
};
function quota(organization: string, remaining: number, resetMs: number): KnownQuota {
  return {
    base_url: 'http://127.0.0.1:9',
    organization_id: organization,
    quota_limit: organization === 'o1' ? 1000 : 500,
    quota_remaining: remaining,
    quota_reset_at: new Date(resetMs).toISOString(),
    seen_at: new Date(NOW).toISOString(),
  };
}
const QUOTAS = [quota('o1', 40, NOW + 1), quota('o2', 3, NOW - 1)];
const RUN = {
  status: 'ok',
  requests: 12,
  retries: 1,
  rows_received: 100,
  rows_inserted: 90,
  rows_updated: 4,
  rows_deleted: 1,
  rows_unchanged: 5,
  rows_rejected: 1,
  rows_deduplicated: 0,
  slices_loaded: 10,
  slices_failed: 1,
};

function measured() {
  const metrics = new Metrics('1.2.3');
  const state = new DaemonState([
    {
      name: 'nightly',
      schedule: '17 2 * * *',
      timezone: 'UTC',
      previousTicks: () => [],
      nextTick: () => null,
    },
  ]);
  const end = { exitCode: 0, startedAt: NOW - 5000, finishedAt: NOW - 3000 } as const;
  for (let run = 0; run < 2; run += 1) metrics.measured('nightly', RUN);
  metrics.ended('nightly', { exitCode: 0, durationMs: 2000, latenessMs: 1500 });
  state.ended('nightly', end);
  return { metrics, state };
}

it('the metrics page adds up runs and shows the newest state', async () => {
  const { metrics, state } = measured();
  state.quotaRemaining = 17;
  const lines = (await metrics.text({ state, facts: FACTS, quotas: QUOTAS, nowMs: NOW })).split('\n');
  for (const line of [
    'answerlake_build_info{version="1.2.3"} 1',
    'answerlake_requests_total{job="nightly"} 24',
    'answerlake_retries_total{job="nightly"} 2',
    'answerlake_rows_total{kind="inserted"} 180',
    'answerlake_rows_total{kind="rejected"} 2',
    'answerlake_runs_total{job="nightly",exit_code="0"} 1',
    'answerlake_last_run_duration_seconds{job="nightly"} 2',
    'answerlake_job_lateness_seconds{job="nightly"} 1.5',
    `answerlake_last_success_timestamp_seconds{job="nightly"} ${(NOW - 3000) / 1000}`,
    'answerlake_slices{status="loaded"} 30',
    'answerlake_slices{status="suspicious"} 0',
    'answerlake_quota_limit{organization="o1"} 1000',
    'answerlake_quota_remaining{organization="o1"} 40',
    'answerlake_quota_remaining_lowest 17',
    'answerlake_published_readable 1',
    String.raw`answerlake_freshness_days{project="p\"1\n",endpoint="visibility"} 3`,
  ]) {
    expect(lines).toContain(line);
  }
});

it('the metrics page gives a whole hour back once it has begun', async () => {
  const { metrics, state } = measured();
  expect(await metrics.text({ state, facts: FACTS, quotas: QUOTAS, nowMs: NOW })).toContain(
    'answerlake_quota_remaining{organization="o2"} 500',
  );
});

it('the metrics page keeps nothing of a file that cannot be read', async () => {
  const { metrics, state } = measured();
  await metrics.text({ state, facts: FACTS, quotas: QUOTAS, nowMs: NOW });
  const text = await metrics.text({ state, facts: null, quotas: [], nowMs: NOW });
  expect(text).toContain('answerlake_published_readable 0');
  expect(text).not.toMatch(/answerlake_(freshness_days|quota_remaining|slices)\{/);
  expect(text).toContain('answerlake_requests_total{job="nightly"} 24');
});

it('the metrics page names every figure answerlake_', async () => {
  const { metrics, state } = measured();
  const names = (await metrics.text({ state, facts: FACTS, quotas: QUOTAS, nowMs: NOW }))
    .split('\n')
    .filter((line) => /^[a-z]/.test(line));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !name.startsWith('answerlake_'))).toEqual([]);
});
