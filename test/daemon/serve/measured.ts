import { toDay } from '../../../src/day.ts';
import { openState } from '../../../src/daemon/schedule/jobs.ts';
import { openMetrics } from '../../../src/daemon/serve/metrics.ts';
import type { PublishedFacts } from '../../../src/daemon/serve/published-facts.ts';
import type { KnownQuota } from '../../../src/run/journal.ts';
import type { QueueState } from '../../../src/scale/queue/queue-state.ts';
import { job } from '../jobs.ts';

export const NOW = Date.parse('2025-03-05T12:00:00Z');
export const FRESHNESS: PublishedFacts['freshness'][number] = {
  projectId: 'p"1\n',
  projectName: 'Acme',
  endpoint: 'visibility',
  status: 'behind',
  lastSuccessMs: NOW - 5000,
  lastCoveredDay: toDay('2025-03-02'),
  lastError: null,
};
export const FACTS: PublishedFacts = {
  outdated: null,
  publishedMs: NOW - 60_000,
  bytes: 4096,
  slices: [
    { status: 'loaded', slices: 30 },
    { status: 'failed', slices: 2 },
  ],
  age: { newestMs: NOW - 5000, ageMs: 5000, isStale: false, stale: [] },
  events: [],
  baseUrl: 'http://127.0.0.1:9',
  freshness: [FRESHNESS],
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
const QUOTAS = [quota('o1', 40, NOW + 1), quota('o2', 3, NOW)];
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

/** Metrics of two runs of a job, with all that the other figures are read from. */
export function measured() {
  const metrics = openMetrics('1.2.3');
  const state = openState([job('nightly', '17 2 * * *')]);
  for (let run = 0; run < 2; run += 1) metrics.measured('nightly', RUN);
  metrics.ended('nightly', 0, 2000);
  const end = { lastEndMs: NOW - 3000, lastSuccessMs: NOW - 3000, lastExitCode: 0 } as const;
  Object.assign(state.jobs[0] ?? {}, { ...end, lastLatenessMs: 1500, maxSuccessAgeMs: 4000 });
  const delivery = { at: '', problem: 'answered 404', not_before: null };
  const page = { state, facts: FACTS, quotas: QUOTAS, delivery, nowMs: NOW };
  return { metrics, page };
}

/** A worker and a loader that wait for the landing zone, and a worker that is gone. */
export function queueState(): QueueState {
  const process = {
    kind: 'worker',
    host: 'a',
    process_id: '1',
    is_alive: true,
    seen_at: new Date(NOW),
    detail: { landing_problem: 'is away', parts_waiting: 7, parts_repeated: 1, parts_refused: 0 },
  };
  return {
    isPaused: true,
    processes: [process, { ...process, is_alive: false }, { ...process, kind: 'loader', process_id: '2' }],
    runs: [{}],
    organizations: [{ state: 'parked' }, { state: 'parked' }, { state: 'waiting' }],
    deadLetters: [],
  } as unknown as QueueState;
}
