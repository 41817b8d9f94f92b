import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { dayNumber, dayOf } from '../../day.ts';
import type { QueueState } from '../../scale/queue/queue-state.ts';
import type { DaemonState } from './daemon-state.ts';
import type { KnownQuota } from '../../run/journal.ts';
import type { PublishedFacts } from './published-facts.ts';
import { SLICE_STATUSES } from '../../believe/terms.ts';
import type { RunReport, RunTotals } from '../../run/sync-request.ts';

/** What metrics count of a run; a run's own report has all of it. */
export type MeasuredRun = RunTotals & Pick<RunReport, 'requests' | 'retries'>;

/** What the figures are read from. */
export interface Measured {
  state: DaemonState;
  /** Null when the published file cannot be read. */
  facts: PublishedFacts | null;
  quotas: readonly KnownQuota[];
  /** Milliseconds since the epoch. */
  nowMs: number;
}

const ROW_KINDS = [
  'received',
  'inserted',
  'updated',
  'deleted',
  'unchanged',
  'rejected',
  'deduplicated',
] as const;
const DURATION_BUCKETS = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400];

/** The figures of `/metrics`; all names begin with `answerlake_`, all units are in the name. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('requests_total', 'Requests sent to the API.', ['job']);
  readonly #retries = this.#counter('retries_total', 'Requests that were repeated.', ['job']);
  readonly #rows = this.#counter('rows_total', 'Rows by what became of them.', ['kind']);
  readonly #slicesAsked = this.#counter('run_slices_total', 'Slices by how their loading ended.', [
    'outcome',
  ]);
  readonly #runs = this.#counter('runs_total', 'Runs that ended, by exit code.', ['job', 'exit_code']);
  readonly #overruns = this.#counter('overruns_total', 'Ticks left out because the job still ran.', ['job']);
  readonly #duration = new Histogram({
    name: 'answerlake_run_duration_seconds',
    help: 'How long runs took.',
    labelNames: ['job'],
    buckets: DURATION_BUCKETS,
    registers: [this.#registry],
  });
  readonly #lastDuration = this.#gauge('last_run_duration_seconds', 'How long the newest run took.', ['job']);
  readonly #lateness = this.#gauge(
    'job_lateness_seconds',
    'How long after its tick the newest run of a job began.',
    ['job'],
  );
  readonly #running = this.#gauge('job_running', '1 while the job runs.', ['job']);
  readonly #exitCode = this.#gauge('last_exit_code', 'Exit code of the newest run of a job.', ['job']);
  readonly #lastRun = this.#gauge('last_run_timestamp_seconds', 'When the newest run of a job ended.', [
    'job',
  ]);
  readonly #lastSuccess = this.#gauge(
    'last_success_timestamp_seconds',
    'When the newest run of a job that ended with exit code 0 ended.',
    ['job'],
  );
  readonly #slices = this.#gauge('slices', 'Slices of the ledger by their newest outcome.', ['status']);
  readonly #freshness = this.#gauge(
    'freshness_days',
    'Days from the last covered day to today (UTC), by project and endpoint.',
    ['project', 'endpoint'],
  );
  readonly #answerSuccess = this.#gauge(
    'endpoint_last_success_timestamp_seconds',
    'When an answer of the endpoint was last stored and published.',
    ['project', 'endpoint'],
  );
  readonly #quotaLimit = this.#gauge('quota_limit', 'Requests that the organization has in an hour.', [
    'organization',
  ]);
  readonly #quotaRemaining = this.#gauge(
    'quota_remaining',
    'Requests left in the hour, as the newest run heard; the limit once the hour is over.',
    ['organization'],
  );
  readonly #quotaLowest = this.#gauge(
    'quota_remaining_lowest',
    'Fewest requests left of any organization, as the newest answers said.',
    [],
  );
  readonly #published = this.#gauge('published_timestamp_seconds', 'When the file was last published.', []);
  readonly #bytes = this.#gauge('published_bytes', 'Size of the published file.', []);
  readonly #readable = this.#gauge('published_readable', '1 when the published file opens.', []);

  constructor(version: string) {
    this.#gauge('build_info', 'The version, as a label.', ['version']).set({ version }, 1);
    collectDefaultMetrics({ register: this.#registry, prefix: 'answerlake_' });
    for (const kind of ROW_KINDS) this.#rows.inc({ kind }, 0);
    for (const outcome of ['loaded', 'failed']) this.#slicesAsked.inc({ outcome }, 0);
  }

  /** Counts a run that gave a report. */
  measured(job: string, run: MeasuredRun): void {
    this.#requests.inc({ job }, run.requests);
    this.#retries.inc({ job }, run.retries);
    for (const kind of ROW_KINDS) this.#rows.inc({ kind }, run[`rows_${kind}`]);
    this.#slicesAsked.inc({ outcome: 'loaded' }, run.slices_loaded);
    this.#slicesAsked.inc({ outcome: 'failed' }, run.slices_failed);
  }

  /** Counts a run of a job that ended, with or without a report. */
  ended(job: string, end: { exitCode: number; durationMs: number; latenessMs: number }): void {
    this.#runs.inc({ job, exit_code: String(end.exitCode) });
    this.#duration.observe({ job }, end.durationMs / 1000);
    this.#lastDuration.set({ job }, end.durationMs / 1000);
    this.#lateness.set({ job }, end.latenessMs / 1000);
  }

  overrun(job: string): void {
    this.#overruns.inc({ job });
  }

  /** The text of `/metrics`. */
  async text({ state, facts, quotas, nowMs }: Measured): Promise<string> {
    this.#setJobs(state);
    this.#setPublished(facts, nowMs);
    this.#setQuotas(quotas, nowMs);
    return await this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #setJobs(state: DaemonState): void {
    for (const { name: job } of state.jobs) {
      const { runningSinceMs, lastEndMs, lastSuccessMs, lastExitCode } = state.of(job);
      this.#running.set({ job }, runningSinceMs === null ? 0 : 1);
      this.#requests.inc({ job }, 0);
      this.#retries.inc({ job }, 0);
      this.#overruns.inc({ job }, 0);
      if (lastEndMs !== null) this.#lastRun.set({ job }, lastEndMs / 1000);
      if (lastSuccessMs !== null) this.#lastSuccess.set({ job }, lastSuccessMs / 1000);
      if (lastExitCode !== null) this.#exitCode.set({ job }, lastExitCode);
    }
    if (state.quotaRemaining === null) this.#quotaLowest.reset();
    else this.#quotaLowest.set(state.quotaRemaining);
  }

  #setPublished(facts: PublishedFacts | null, nowMs: number): void {
    // What the file no longer speaks of must not stay as it was.
    for (const gauge of [this.#slices, this.#freshness, this.#answerSuccess]) gauge.reset();
    for (const gauge of [this.#published, this.#bytes]) gauge.reset();
    this.#readable.set(facts === null ? 0 : 1);
    if (facts === null) return;
    this.#published.set(facts.publishedMs / 1000);
    this.#bytes.set(facts.bytes);
    for (const status of SLICE_STATUSES) this.#slices.set({ status }, 0);
    for (const { status, slices } of facts.slices) this.#slices.set({ status }, slices);
    const today = dayNumber(dayOf(nowMs));
    for (const { projectId: project, endpoint, lastCoveredDay, lastSuccessMs } of facts.freshness) {
      const labels = { project, endpoint };
      if (lastCoveredDay !== null) this.#freshness.set(labels, today - dayNumber(lastCoveredDay));
      if (lastSuccessMs !== null) this.#answerSuccess.set(labels, lastSuccessMs / 1000);
    }
  }

  #setQuotas(quotas: readonly KnownQuota[], nowMs: number): void {
    for (const gauge of [this.#quotaLimit, this.#quotaRemaining]) gauge.reset();
    for (const { organization_id: organization, quota_limit: limit, ...seen } of quotas) {
      this.#quotaLimit.set({ organization }, limit);
      const isOver = seen.quota_reset_at !== null && Date.parse(seen.quota_reset_at) <= nowMs;
      const remaining = isOver ? limit : seen.quota_remaining;
      if (remaining !== null) this.#quotaRemaining.set({ organization }, remaining);
    }
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name: `answerlake_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name: `answerlake_${name}`, help, labelNames, registers: [this.#registry] });
  }
}

const STATES = ['under way', 'waiting', 'parked', 'tried again'] as const;
const PROCESSES = ['worker', 'loader', 'standby'] as const;

const PARTS = [
  ['parts_waiting', 'Landed parts that are not loaded yet.'],
  ['parts_repeated', 'Parts that the loader skipped since its start: their content was loaded before.'],
  ['parts_refused', 'Parts that the loader does not load, because they are torn, altered or newer.'],
] as const;

/** The figures of the queue for `/metrics`, beside those of the schedule. @param state null when PostgreSQL is away */
export async function queueMetrics(state: QueueState | null): Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Gauge<Label> => new Gauge({ name: `answerlake_${name}`, help, labelNames, registers: [registry] });
  gauge('queue_reachable', '1 when PostgreSQL serves the queue.', []).set(state === null ? 0 : 1);
  if (state === null) return await registry.metrics();
  const processes = gauge('queue_processes', 'Workers, loaders and standby loaders that are alive.', [
    'kind',
  ]);
  for (const kind of PROCESSES) {
    processes.set({ kind }, state.processes.filter((one) => one.kind === kind && one.is_alive).length);
  }
  const organizations = gauge('queue_organizations', 'Organizations by what the queue does with them.', [
    'state',
  ]);
  for (const one of STATES) {
    organizations.set({ state: one }, state.organizations.filter(({ state: own }) => own === one).length);
  }
  gauge('queue_runs', 'Runs that wait or are under way.', []).set(state.runs.length);
  gauge('queue_dead_letters', 'Organizations that were given up.', []).set(state.deadLetters.length);
  gauge('queue_paused', '1 while people keep the queue from handing out.', []).set(state.isPaused ? 1 : 0);
  const { landingProblems } = await import('../../scale/queue/queue-state.ts');
  gauge('landing_problems', 'Workers and loaders that wait for the landing zone.', []).set(
    landingProblems(state.processes).length,
  );
  const heartbeat = gauge(
    'queue_heartbeat_timestamp_seconds',
    'When a process was last heard of, by the clock of PostgreSQL.',
    ['kind', 'host', 'process'],
  );
  for (const { kind, host, process_id: process, seen_at: seenAt } of state.processes) {
    heartbeat.set({ kind, host, process }, seenAt.getTime() / 1000);
  }
  const loader = state.processes.find((one) => one.kind === 'loader' && one.is_alive);
  for (const [name, help] of PARTS) {
    const count = loader?.detail[name];
    if (typeof count === 'number') gauge(`landing_${name}`, help, []).set(count);
  }
  return await registry.metrics();
}
