import type { Config } from '../config/config.ts';
import type { ExitCode } from '../errors.ts';
import { type Log, createRedactor } from '../log.ts';
import type { Secret } from '../secret.ts';
import type { DueJob } from '../scale/queue/run-request.ts';
import { syncRequest, type SyncContext, type SyncRequest } from '../run/sync-request.ts';
import { type Job, nextTick, previousTicks } from './schedule/jobs.ts';
import { type JobCall, type ScheduleRequest, runSchedule } from './schedule/schedule.ts';
import { runWithNotification } from './notify/run-with-notification.ts';
import { stopCode } from '../effects.ts';
import { secretsOf } from '../config/file.ts';
import { parseInstant } from '../day.ts';
import { finishedRuns, readJournal, type Journal } from '../run/journal.ts';
import { DaemonState } from './serve/daemon-state.ts';
import type { HttpServer } from './serve/http-server.ts';
import { Metrics } from './serve/metrics.ts';
import { openService } from './serve/service.ts';

/** Jobs by cron with health, metrics and notifications, until the signal, or until no job runs after `reload`; the exit code. */
export async function runDaemon(
  jobs: readonly Job[],
  { reload, ...parts }: SyncContext & { reload?: AbortSignal },
): Promise<ExitCode> {
  const { config, effects, log, signal } = parts;
  const daemon = await openDaemon(jobs, parts);
  await using http = await openDaemonHttp(daemon, parts);
  if (http !== null) log.info('http.listening', { url: http.url });
  await runSchedule({
    jobs,
    effects,
    log,
    signal,
    ...(reload === undefined ? {} : { reload }),
    state: { lastSuccess: (job) => lastSuccessOf(job, config) },
    run: jobRunner(daemon, parts),
    ...hooksOf(daemon, parts),
  });
  return stopCode(signal);
}

function jobRunner(daemon: Daemon, { config, effects, log, version }: SyncContext): ScheduleRequest['run'] {
  return async (job: Job, call: JobCall) => {
    const request = jobRequest(job, config, call.gapDays);
    if (config.queue.url !== null) {
      const { tickMs } = call;
      const { dueOfMissed } = await import('../scale/queue/run-request.ts');
      const dueMs = call.reason === 'catch_up' ? dueOfMissed(tickMs, effects.now()) : tickMs;
      return await enqueue(request, { due: { job: job.name, dueMs }, url: config.queue.url, log });
    }
    const { runSync } = await import('../run/sync.ts');
    const parts = { config, effects, log: log.child({ job: job.name }), signal: call.signal };
    const report = await runWithNotification(request, parts, () =>
      runSync(request, {
        ...parts,
        version,
        onProgress: ({ quotaRemaining }) => {
          daemon.state.quotaRemaining = quotaRemaining;
        },
      }),
    );
    daemon.metrics.measured(job.name, report);
    return report.exit_code;
  };
}

/** Workers and loader do the run; schedules on several hosts enqueue it once. */
async function enqueue(
  request: SyncRequest,
  { due, url, log }: { due: DueJob; url: Secret; log: Log },
): Promise<ExitCode> {
  const { openJobs } = await import('../scale/queue/jobs.ts');
  const { enqueueRun } = await import('../scale/queue/run-request.ts');
  await using jobs = await openJobs(url);
  const { id, isNew } = await enqueueRun(jobs, request, { due });
  log.info('job.queued', { job: due.job, id, is_new: isNew });
  return 0;
}

type Hooks = Pick<ScheduleRequest, 'onReady' | 'onTick' | 'onStart' | 'onOverrun' | 'onEnd'>;

function hooksOf({ state, metrics }: Daemon, { effects, signal }: SyncContext): Hooks {
  signal.addEventListener('abort', () => {
    state.isStopping = true;
  });
  return {
    onReady: () => {
      state.readyMs = effects.now();
    },
    onTick: (job, tickMs) => {
      state.of(job.name).lastTickMs = tickMs;
    },
    onStart: (job) => {
      state.of(job.name).runningSinceMs = effects.now();
    },
    onOverrun: (job) => metrics.overrun(job.name),
    onEnd: (end) => {
      state.ended(end.job, end);
      metrics.ended(end.job, { ...end, durationMs: end.finishedAt - end.startedAt });
    },
  };
}

/** What a job of the schedule asks for; days of downtime lengthen its look-back. */
function jobRequest(job: Job, config: Config, gapDays: number): SyncRequest {
  return syncRequest({
    job: job.name,
    projects: job.projects,
    endpoints: job.endpoints,
    maxWaitMs: job.maxWaitMs,
    lookbackDays: gapDays === 0 ? job.lookbackDays : (job.lookbackDays ?? config.sync.lookbackDays) + gapDays,
  });
}

/** What `schedule` shows of itself. */
interface Daemon {
  state: DaemonState;
  metrics: Metrics;
}

/** The state of the jobs, with the runs of earlier processes. */
async function openDaemon(jobs: readonly Job[], { config, log, version }: SyncContext): Promise<Daemon> {
  const state = new DaemonState(
    jobs.map((job) => ({
      name: job.name,
      schedule: job.schedule,
      timezone: job.timezone,
      previousTicks: (nowMs, count) => previousTicks(job, nowMs, count),
      nextTick: (nowMs) => nextTick(job, nowMs),
    })),
  );
  const journal = await readQuietly(config, log);
  for (const { name } of jobs) {
    const runs = finishedRuns(journal, name);
    const job = state.of(name);
    job.lastEndMs = instantOf(runs[0]?.finished_at);
    job.lastSuccessMs = instantOf(runs.find((run) => run.exit_code === 0)?.finished_at);
  }
  return { state, metrics: new Metrics(version) };
}

/** Start of the newest run of a job that finished; null before the first. */
async function lastSuccessOf(job: string, config: Config): Promise<number | null> {
  const runs = finishedRuns(await readJournal(config.warehouse.path), job);
  return instantOf(runs.find(({ status }) => status === 'ok' || status === 'partial')?.started_at);
}

/** A published file that cannot be read is reported by the readiness probe; the jobs run all the same. */
async function readQuietly(config: Config, log: Log): Promise<Journal> {
  try {
    return await readJournal(config.warehouse.path);
  } catch (error) {
    log.warn('journal.unreadable', { error });
    return { runs: [], quotas: [] };
  }
}

function instantOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : (parseInstant(text) ?? null);
}

/** Listens on `http.port`; null when that is 0. */
async function openDaemonHttp(
  daemon: Daemon,
  { config, effects, log }: SyncContext,
): Promise<HttpServer | null> {
  const { host, port } = config.http;
  if (port === 0) return null;
  const { url } = config.queue;
  return await openService({
    host,
    port,
    report: { path: config.warehouse.path, ...config.report },
    ...daemon,
    queue:
      url === null
        ? undefined
        : async () => {
            const { watchQueue } = await import('../scale/queue/queue-state.ts');
            return await watchQueue(url);
          },
    effects,
    log,
    redact: createRedactor(secretsOf(config)),
  });
}
