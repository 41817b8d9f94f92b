import { hostname } from 'node:os';
import type { Config } from '../../config/config.ts';
import { secretsOf } from '../../config/file.ts';
import { messageOf, usageError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createRedactor } from '../../redact.ts';
import { readJournal } from '../../run/journal.ts';
import type { SyncContext } from '../../run/sync-request.ts';
import { landingProblems, queueProblems, watchQueue } from '../../scale/queue/queue-state.ts';
import type { QueueState } from '../../scale/queue/queue-state.ts';
import type { Secret } from '../../secret.ts';
import { notifyStatePath, readNotifyState } from '../notify/decide-notifications.ts';
import { previousTicks, type DaemonState } from '../schedule/jobs.ts';
import { openHttpServer, textReply, type HttpServer, type Reply } from './http-server.ts';
import { processRegistry, queueMetrics, type Metrics } from './metrics.ts';
import { staleWords } from '../../warehouse/freshness.ts';
import { readPublishedFacts } from './published-facts.ts';
import { cachedReport, drawApart } from './report-page.ts';
import { statusPage } from './status-page.ts';

interface Served extends Pick<SyncContext, 'config' | 'effects' | 'log'> {
  /** Enters the runs of other processes into the state; left out where no other process runs jobs. */
  lookAgain?: (() => Promise<void>) | undefined;
}

/** Health, metrics and the status page on `http.port`; null if that is 0. @throws AnswerlakeError 'configuration' if the port is taken */
export async function openService(state: DaemonState, metrics: Metrics, context: Served) {
  const { config, effects, log } = context;
  const { host, port, hosts } = config.http;
  if (port === 0) return null;
  const { path } = config.warehouse;
  const { url } = config.queue;
  const { maxAge: maxAgeMs } = config.freshness;
  /** The facts, or the reason why they cannot be read. */
  const readFacts = async () => {
    await context.lookAgain?.();
    try {
      const facts = await readPublishedFacts(path, { now: effects.now(), maxAgeMs });
      return { facts, problem: facts === null ? 'nothing is published yet' : null };
    } catch (error) {
      return { facts: null, problem: messageOf(error) };
    }
  };
  const startedMs = effects.now();
  const report = cachedReport(path, drawApart({ path, ...config.report }));
  return await openHttpServer({
    host,
    port,
    hosts,
    guarded: ['/'],
    log,
    redact: createRedactor(secretsOf(config)),
    routes: {
      '/healthz': async () => healthReply(livenessOf(state, startedMs, effects.now())),
      '/readyz': async () => {
        const { facts: known, problem } = await readFacts();
        const stale = known?.age?.isStale === true ? staleWords(known.age) : null;
        const queue = url === null ? null : await lookAtQueue(url);
        const away = typeof queue === 'string' ? [queue] : queue === null ? [] : queueProblems(queue);
        const problems = [...away, ...readinessOf(state, effects.now())];
        return healthReply([...problems, ...[problem, stale].filter((one) => one !== null)]);
      },
      '/metrics': async () => {
        const { facts: known } = await readFacts();
        const all = known === null ? [] : (await readJournal(path)).quotas;
        // Only events of the server that the data comes from.
        const quotas = all.filter((quota) => quota.base_url === known?.baseUrl);
        const { delivery } = readNotifyState(notifyStatePath(path));
        const own = await metrics.text({ state, facts: known, quotas, delivery, nowMs: effects.now() });
        const body = own + (url === null ? '' : await queueMetrics(await lookAtQueue(url)));
        return { status: 200, contentType: metrics.contentType, body };
      },
      '/': async (query) => {
        const { facts: known, problem } = await readFacts();
        const projectId = query.get('project') ?? undefined;
        if (projectId !== undefined && known?.freshness.every((one) => one.projectId !== projectId) === true)
          return textReply(404, 'The published file has no such project.');
        const nowMs = effects.now();
        const isDrawable = known !== null && known.outdated === null;
        const drawing = isDrawable ? report({ now: nowMs, projectId, maxAgeMs }) : Promise.resolve(null);
        const drawn = await drawing.catch((error: unknown) => {
          log.warn('http.report_failed', { error });
          return null;
        });
        const why = known?.outdated ?? 'The charts could not be drawn: see the log.';
        const shown = problem ?? (drawn === null ? why : null);
        return statusPage({ state, facts: known, report: drawn, problem: shown, nowMs, projectId });
      },
    },
  });
}

interface ProcessParts {
  config: { http: Pick<Config['http'], 'host' | 'port'> };
  log: Log;
}

/** Health and metrics of a worker or a loader. @throws AnswerlakeError (configuration) without `http.port`, or when it is taken */
export async function openProcessService(url: Secret, { config, log }: ProcessParts): Promise<HttpServer> {
  const { host, port } = config.http;
  if (port === 0)
    throw usageError('--http needs http.port in the configuration, for example http: { port: 9464 }.');
  const registry = processRegistry();
  return await openHttpServer({
    host,
    port,
    log,
    routes: {
      '/healthz': async () => textReply(200, 'ok'),
      '/readyz': async () => {
        const queue = await lookAtQueue(url);
        if (typeof queue === 'string') return textReply(503, queue);
        const here = landingProblems(queue.processes).find(({ host }) => host === hostname());
        return here === undefined ? textReply(200, 'ok') : textReply(503, here.problem);
      },
      '/metrics': async () => {
        const body = (await registry.metrics()) + (await queueMetrics(await lookAtQueue(url)));
        return { status: 200, contentType: registry.contentType, body };
      },
    },
  });
}

/** The state of the queue, or why it cannot be read. */
async function lookAtQueue(url: Secret): Promise<QueueState | string> {
  return await watchQueue(url).catch(messageOf);
}

/** The answer to a probe: the problems, or `ok`. */
function healthReply(problems: readonly string[]): Reply {
  const isOk = problems.length === 0;
  const body = `${JSON.stringify(isOk ? { status: 'ok' } : { status: 'failing', problems })}\n`;
  return { status: isOk ? 200 : 503, contentType: 'application/json; charset=utf-8', body };
}

/** A later tick was lost, and so were the timers. */
const TICK_TOLERANCE_MS = 90_000;
const START_TOLERANCE_MS = 120_000;

/** Why the scheduler's timers do not fire; empty while they do. */
export function livenessOf(state: DaemonState, startedMs: number, nowMs: number): string[] {
  const { readyMs, isStopping, jobs } = state;
  if (readyMs === null)
    return nowMs - startedMs > START_TOLERANCE_MS ? ['the scheduler has not started'] : [];
  if (isStopping) return [];
  return jobs.flatMap((job) => {
    const due = previousTicks(job, nowMs - TICK_TOLERANCE_MS, 1)[0];
    const isMissed = due !== undefined && due > (job.lastTickMs ?? readyMs);
    return isMissed ? [`job ${job.name} missed its tick`] : [];
  });
}

/** Why the figures may be too old: no scheduler, or no run since the last but one tick of the busiest job. */
export function readinessOf({ readyMs, isStopping, jobs }: DaemonState, nowMs: number): string[] {
  const problems: string[] = [];
  if (readyMs === null || isStopping) problems.push('the scheduler is not running');
  // A run in progress counts as ending now.
  if (jobs.some(({ runningSinceMs }) => runningSinceMs !== null)) return problems;
  const ends = jobs.flatMap(({ lastEndMs }) => lastEndMs ?? []);
  // Without any run, the start of the scheduler counts.
  const lastEndMs = ends.length === 0 ? readyMs : Math.max(...ends);
  const ticks = jobs.map((job) => previousTicks(job, nowMs - TICK_TOLERANCE_MS, 2)[1] ?? 0);
  if (lastEndMs !== null && lastEndMs < Math.max(...ticks, 0))
    problems.push(`the last run ended ${new Date(lastEndMs).toISOString()}, two ticks ago or more`);
  return problems;
}
