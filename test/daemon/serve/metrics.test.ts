import { expect, it } from 'vitest';
import { queueMetrics } from '../../../src/daemon/serve/metrics.ts';
import { measured, NOW, queueState } from './measured.ts';

it('the metrics page adds up runs and shows the newest state', async () => {
  const { metrics, page } = measured();
  const lines = (await metrics.text(page)).split('\n');
  for (const line of [
    'build_info{version="1.2.3"} 1',
    'requests_total{job="nightly"} 24',
    'retries_total{job="nightly"} 2',
    'overruns_total{job="nightly"} 0',
    'rows_total{kind="inserted"} 180',
    'run_slices_total{outcome="loaded"} 20',
    'rows_total{kind="rejected"} 2',
    'runs_total{job="nightly",exit_code="0"} 1',
    'run_duration_seconds_sum{job="nightly"} 2',
    'job_lateness_seconds{job="nightly"} 1.5',
    'job_running{job="nightly"} 0',
    'last_exit_code{job="nightly"} 0',
    `last_run_timestamp_seconds{job="nightly"} ${(NOW - 3000) / 1000}`,
    `last_success_timestamp_seconds{job="nightly"} ${(NOW - 3000) / 1000}`,
    `job_success_due_timestamp_seconds{job="nightly"} ${(NOW + 1000) / 1000}`,
    'webhook_failing 1',
    'slices{status="loaded"} 30',
    'slices{status="suspicious"} 0',
    `endpoint_last_success_timestamp_seconds{project="p\\"1\\n",endpoint="visibility"} ${(NOW - 5000) / 1000}`,
    'quota_limit{organization="o1"} 1000',
    'quota_remaining{organization="o1"} 40',
    'quota_remaining{organization="o2"} 500',
    'published_bytes 4096',
    'published_readable 1',
    String.raw`freshness_days{project="p\"1\n",endpoint="visibility"} 3`,
  ]) {
    expect(lines).toContain(`answerlake_${line}`);
  }
  const names = lines.filter((line) => /^[a-z]/.test(line));
  expect(names.filter((name) => !name.startsWith('answerlake_'))).toEqual([]);
});

it('the metrics page keeps nothing of a file that cannot be read', async () => {
  const { metrics, page } = measured();
  await metrics.text(page);
  const text = await metrics.text({ ...page, facts: null, quotas: [] });
  expect(text).toContain('answerlake_published_readable 0');
  expect(text).not.toMatch(/answerlake_(freshness_days|quota_remaining|slices)\{/);
  expect(text).toContain('answerlake_requests_total{job="nightly"} 24');
});

it('the metrics of the queue count processes that are alive, and organizations by state', async () => {
  const lines = (await queueMetrics(queueState())).split('\n');
  for (const line of [
    'queue_reachable 1',
    'queue_processes{kind="worker"} 1',
    'queue_processes{kind="standby"} 0',
    'queue_organizations{state="parked"} 2',
    'queue_organizations{state="under way"} 0',
    'queue_runs 1',
    'queue_paused 1',
    'landing_problems 2',
    `queue_heartbeat_timestamp_seconds{kind="loader",host="a",process="2"} ${NOW / 1000}`,
    'landing_parts_waiting 7',
    'landing_parts_refused 0',
  ]) {
    expect(lines).toContain(`answerlake_${line}`);
  }
  expect(await queueMetrics('PostgreSQL is away')).toMatch(/answerlake_queue_reachable 0\n$/);
});
