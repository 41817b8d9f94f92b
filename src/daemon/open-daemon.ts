import type { Config } from '../config/config.ts';
import { secretsOf } from '../config/file.ts';
import { parseInstant } from '../day.ts';
import type { Effects } from '../effects.ts';
import { type Log, createRedactor } from '../log.ts';
import type { QueueState } from '../scale/queue/queue-state.ts';
import { finishedRuns, readJournal, type Journal } from '../run/journal.ts';
import { previousTicks, type Job } from './schedule/job-file.ts';
import { DaemonState } from './serve/daemon-state.ts';
import type { HttpServer } from './serve/http-server.ts';
import { Metrics } from './serve/metrics.ts';
import { openService } from './serve/service.ts';

/** What the daemon works with. */
export interface DaemonParts {
  config: Config;
  effects: Effects;
  log: Log;
  /** Ends the daemon. */
  signal: AbortSignal;
  version: string;
}

/** What `schedule` shows of itself. */
export interface Daemon {
  state: DaemonState;
  metrics: Metrics;
}

/** The state of the jobs, with the runs of earlier processes. */
export async function openDaemon(
  jobs: readonly Job[],
  { config, log, version }: Pick<DaemonParts, 'config' | 'log' | 'version'>,
): Promise<Daemon> {
  const state = new DaemonState(
    jobs.map((job) => ({
      name: job.name,
      schedule: job.schedule,
      timezone: job.timezone,
      previousTicks: (nowMs, count) => previousTicks(job, nowMs, count),
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
export async function lastSuccessOf(job: string, config: Config): Promise<number | null> {
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
export async function openDaemonHttp(
  daemon: Daemon,
  { config, effects, log }: DaemonParts,
): Promise<HttpServer | null> {
  const { host, port } = config.http;
  if (port === 0) return null;
  const { url } = config.queue;
  const queue = async (): Promise<QueueState> => {
    const { watchQueue } = await import('../scale/queue/queue-state.ts');
    if (url === null) throw new RangeError('no queue is configured');
    return await watchQueue(url);
  };
  return await openService({
    host,
    port,
    published: config.warehouse.path,
    ...daemon,
    ...(url === null ? {} : { queue }),
    effects,
    log,
    redact: createRedactor(secretsOf(config)),
  });
}
