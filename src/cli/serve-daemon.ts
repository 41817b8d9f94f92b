import type { Config } from '../config/config.ts';
import { secretsOf } from '../config/file.ts';
import { parseInstant } from '../day.ts';
import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import { readRunsFile, runsFilePath } from '../daemon/notify/runs-file.ts';
import { createRedactor } from '../redact.ts';
import { previousTicks } from '../daemon/schedule/cron-pattern.ts';
import type { Job } from '../daemon/schedule/job-file.ts';
import { DaemonState } from '../daemon/serve/daemon-state.ts';
import type { HttpServer } from '../daemon/serve/http-server.ts';
import { Metrics } from '../daemon/serve/metrics.ts';
import { readPublishedFacts } from '../daemon/serve/published-facts.ts';
import { openService } from '../daemon/serve/service.ts';
import { readVersion } from '../version.ts';

/** What `schedule` shows of itself. */
export interface Daemon {
  state: DaemonState;
  metrics: Metrics;
}

/** The state of the jobs, with what the runs file remembers of earlier processes. */
export function openDaemon(config: Config, jobs: readonly Job[]): Daemon {
  const state = new DaemonState(
    jobs.map((job) => ({
      name: job.name,
      schedule: job.schedule,
      timezone: job.timezone,
      previousTicks: (nowMs, count) => previousTicks(job, nowMs, count),
    })),
  );
  const memory = readRunsFile(runsFilePath(config.warehouse.path));
  for (const { name } of jobs) {
    const known = memory.jobs[name];
    if (known === undefined) continue;
    const job = state.of(name);
    job.lastEndMs = parseInstant(known.finished_at) ?? null;
    job.lastSuccessMs = known.exit_code === 0 ? job.lastEndMs : null;
  }
  return { state, metrics: new Metrics(readVersion()) };
}

/** Start of the last success of each job: the runs file knows runs that published nothing, the published file the rest. */
export async function lastSuccessOf(job: string, config: Config): Promise<number | null> {
  const { path } = config.warehouse;
  const remembered = readRunsFile(runsFilePath(path)).jobs[job]?.last_success_at ?? null;
  const published = (await readPublishedFacts(path))?.runs.find(
    (run) => run.job === job && (run.status === 'ok' || run.status === 'partial'),
  );
  const instants = [remembered, published?.started_at ?? null].flatMap((text) =>
    text === null ? [] : (parseInstant(text) ?? []),
  );
  return instants.length === 0 ? null : Math.max(...instants);
}

export interface DaemonHttpParts {
  config: Config;
  daemon: Daemon;
  effects: Effects;
  log: Log;
}

/** Listens on `http.port`; null when that is 0. */
export async function openDaemonHttp(parts: DaemonHttpParts): Promise<HttpServer | null> {
  const { config, daemon, effects, log } = parts;
  const { host, port } = config.http;
  if (port === 0) return null;
  return await openService({
    host,
    port,
    published: config.warehouse.path,
    ...daemon,
    effects,
    log,
    redact: createRedactor(secretsOf(config)),
  });
}
