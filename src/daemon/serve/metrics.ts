import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { dayNumber, dayOf } from '../../day.ts';
import { readTexts } from '../../config/yaml.ts';
import { landingProblems, type QueueState } from '../../scale/queue/queue-state.ts';
import type { NotifyState } from '../notify/decide-notifications.ts';
import type { DaemonState } from '../schedule/jobs.ts';
import type { KnownQuota } from '../../run/journal.ts';
import type { PublishedFacts } from './published-facts.ts';
import { SLICE_STATUSES } from '../../believe/terms.ts';
import type { RunReport } from '../../run/run-to-end.ts';
import { NO_TOTALS, type RunTotals } from '../../run/sync-request.ts';

/** The source of the figures. */
export interface Measured {
  state: DaemonState;
  /** Null when the published file cannot be read. */
  facts: PublishedFacts | null;
  quotas: readonly KnownQuota[];
  /** The fate of the newest message to the webhook; null before the first one. */
  delivery: NotifyState['delivery'];
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/** The meaning of each figure; a figure without one is refused. */
const HELP = readTexts('metrics.yaml');

const DURATION_BUCKETS = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400];

export type Metrics = ReturnType<typeof openMetrics>;

/** The figures of `/metrics`; all names begin with `answerlake_`, all units are in the name. */
export function openMetrics(version: string) {
  const registry = new Registry();
  const process = processRegistry();
  const counter = <Label extends string>(name: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ ...described(name), labelNames, registers: [registry] });
  const requests = counter('requests_total', 'job');
  const retries = counter('retries_total', 'job');
  const rows = counter('rows_total', 'kind');
  const slices = counter('run_slices_total', 'outcome');
  const runs = counter('runs_total', 'job', 'exit_code');
  const overruns = counter('overruns_total', 'job');
  const duration = new Histogram({
    ...described('run_duration_seconds'),
    labelNames: ['job'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const add = (totals: RunTotals): void => {
    for (const [name, count] of Object.entries(totals)) {
      const [, of, what = ''] = /^(rows|slices)_(.*)/.exec(name) ?? [];
      if (of === 'rows') rows.inc({ kind: what }, count);
      if (of === 'slices') slices.inc({ outcome: what }, count);
    }
  };
  add(NO_TOTALS);
  return {
    contentType: registry.contentType,
    /** Counts a run that gave a report. */
    measured: (job: string, run: RunTotals & Pick<RunReport, 'requests' | 'retries'>): void => {
      requests.inc({ job }, run.requests);
      retries.inc({ job }, run.retries);
      add(run);
    },
    /** Counts a run of a job that ended, with or without a report. */
    ended: (job: string, exitCode: number, durationMs: number): void => {
      runs.inc({ job, exit_code: String(exitCode) });
      duration.observe({ job }, durationMs / 1000);
    },
    overrun: (job: string): void => overruns.inc({ job }),
    /** The text of `/metrics`. */
    text: async (measured: Measured): Promise<string> => {
      for (const { name: job } of measured.state.jobs)
        for (const counted of [requests, retries, overruns]) counted.inc({ job }, 0);
      const parts = [registry, currentFigures(measured, version), process];
      return (await Promise.all(parts.map(async (part) => await part.metrics()))).join('');
    },
  };
}

/** Name and meaning of a figure. */
function described(name: string) {
  return { name: `answerlake_${name}`, help: HELP[name] ?? '' };
}

/** Memory, processor time and event loop of this process. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'answerlake_' });
  return registry;
}

/** Figures that are read for one answer only. */
function openFigures() {
  const registry = new Registry();
  const gauges = new Map<string, Gauge>();
  /** An unknown figure is left out. */
  const set = (name: string, value: number | null, labels: Readonly<Record<string, string>> = {}): void => {
    if (value === null) return;
    const labelNames = Object.keys(labels);
    const gauge = gauges.get(name) ?? new Gauge({ ...described(name), labelNames, registers: [registry] });
    gauges.set(name, gauge);
    gauge.set(labels, value);
  };
  return { registry, set };
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000;
}

/** The current state of jobs, published file and quotas. */
function currentFigures({ state, facts, quotas, delivery, nowMs }: Measured, version: string): Registry {
  const figures = openFigures();
  for (const job of state.jobs) {
    const labels = { job: job.name };
    figures.set('job_lateness_seconds', seconds(job.lastLatenessMs), labels);
    figures.set('job_running', job.runningSinceMs === null ? 0 : 1, labels);
    figures.set('last_exit_code', job.lastExitCode, labels);
    figures.set('last_run_timestamp_seconds', seconds(job.lastEndMs), labels);
    figures.set('last_success_timestamp_seconds', seconds(job.lastSuccessMs), labels);
    const sinceMs = job.lastSuccessMs ?? job.knownSinceMs;
    const dueMs = sinceMs && job.maxSuccessAgeMs && sinceMs + job.maxSuccessAgeMs;
    figures.set('job_success_due_timestamp_seconds', seconds(dueMs), labels);
  }
  if (delivery !== null) figures.set('webhook_failing', delivery.problem === null ? 0 : 1);
  if (facts !== null) {
    for (const status of SLICE_STATUSES) figures.set('slices', 0, { status });
    for (const { status, slices } of facts.slices) figures.set('slices', slices, { status });
  }
  const today = dayNumber(dayOf(nowMs));
  for (const { projectId: project, endpoint, lastCoveredDay: day, lastSuccessMs } of facts?.freshness ?? []) {
    const labels = { project, endpoint };
    figures.set('freshness_days', day === null ? null : today - dayNumber(day), labels);
    figures.set('endpoint_last_success_timestamp_seconds', seconds(lastSuccessMs), labels);
  }
  const age = facts?.age ?? null;
  figures.set('newest_answer_age_seconds', seconds(age?.ageMs ?? null));
  figures.set('stale', age === null ? null : age.isStale ? 1 : 0);
  figures.set('stale_endpoints', age?.stale.length ?? null);
  for (const { organization_id: organization, quota_limit: limit, ...seen } of quotas) {
    const isOver = seen.quota_reset_at !== null && Date.parse(seen.quota_reset_at) <= nowMs;
    figures.set('quota_limit', limit, { organization });
    figures.set('quota_remaining', isOver ? limit : seen.quota_remaining, { organization });
  }
  figures.set('published_timestamp_seconds', seconds(facts?.publishedMs ?? null));
  figures.set('published_bytes', facts?.bytes ?? null);
  figures.set('published_readable', facts === null ? 0 : 1);
  figures.set('build_info', 1, { version });
  return figures.registry;
}

/** The figures of the queue for `/metrics`, in addition to the schedule's. @param state text if PostgreSQL is unavailable */
export async function queueMetrics(state: QueueState | string): Promise<string> {
  const figures = openFigures();
  const isAway = typeof state === 'string';
  figures.set('queue_reachable', isAway ? 0 : 1);
  if (isAway) return await figures.registry.metrics();
  const { processes, organizations } = state;
  const alive = processes.filter((one) => one.is_alive);
  for (const kind of ['worker', 'loader', 'standby'])
    figures.set('queue_processes', alive.filter((one) => one.kind === kind).length, { kind });
  for (const what of ['under way', 'waiting', 'parked', 'tried again']) {
    const count = organizations.filter((one) => one.state === what).length;
    figures.set('queue_organizations', count, { state: what });
  }
  figures.set('queue_runs', state.runs.length);
  figures.set('queue_dead_letters', state.deadLetters.length);
  figures.set('queue_paused', state.isPaused ? 1 : 0);
  figures.set('landing_problems', landingProblems(processes).length);
  for (const { kind, host, process_id: process, seen_at: seenAt } of processes)
    figures.set('queue_heartbeat_timestamp_seconds', seenAt.getTime() / 1000, { kind, host, process });
  const detail = alive.find((one) => one.kind === 'loader')?.detail;
  for (const name of ['parts_waiting', 'parts_repeated', 'parts_refused'] as const) {
    const count = detail?.[name];
    if (typeof count === 'number') figures.set(`landing_${name}`, count);
  }
  return await figures.registry.metrics();
}
