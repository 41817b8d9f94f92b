import type { Effects } from '../../effects.ts';
import { messageOf } from '../../errors.ts';
import type { Log, Redact } from '../../log.ts';
import type { QueueState } from '../../scale/queue/queue-state.ts';
import { readJournal, type KnownQuota } from '../../run/journal.ts';
import type { DaemonState } from './daemon-state.ts';
import { openHttpServer, text, type HttpServer, type Reply, type Route } from './http-server.ts';
import { queueMetrics, type Metrics } from './metrics.ts';
import { readPublishedFacts, type PublishedFacts } from './published-facts.ts';
import { cachedReport, drawApart, type ReportSource } from './report-page.ts';
import { statusPage } from './status-page.ts';

export interface ServiceOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  report: ReportSource;
  state: DaemonState;
  metrics: Metrics;
  /** What the queue does; left out where all the work is done in this process. */
  queue?: (() => Promise<QueueState>) | undefined;
  effects: Effects;
  log: Log;
  redact: Redact;
}

/** Health, metrics and the status page over HTTP. @throws AnswerlakeError 'configuration' when the port is taken */
export async function openService(options: ServiceOptions): Promise<HttpServer> {
  const { host, port, state, metrics, effects, log } = options;
  const { path: published } = options.report;
  const startedMs = effects.now();
  const report = cachedReport(published, drawApart(options.report));
  const redacted =
    (route: Route): Route =>
    async (query) => {
      const reply = await route(query);
      return { ...reply, body: options.redact(reply.body) };
    };
  return await openHttpServer({
    host,
    port,
    log,
    routes: {
      '/healthz': redacted(async () => healthReply(livenessOf(state, startedMs, effects.now()))),
      '/readyz': redacted(async () => {
        const { problem } = await readFacts(published);
        const queueProblem = await readQueueProblems(options.queue);
        const question = { state, fileProblem: problem, queueProblems: queueProblem, nowMs: effects.now() };
        return healthReply(readinessOf(question));
      }),
      '/metrics': redacted(async () => {
        const { facts } = await readFacts(published);
        const quotas = facts === null ? [] : await readQuotas(published, facts.baseUrl);
        const own = await metrics.text({ state, facts, quotas, nowMs: effects.now() });
        const body = own + (await readQueueMetrics(options.queue));
        return { status: 200, contentType: metrics.contentType, body };
      }),
      '/': redacted(async (query) => {
        const { facts, problem } = await readFacts(published);
        const projectId = query.get('project') ?? undefined;
        if (projectId !== undefined && facts?.freshness.every((one) => one.projectId !== projectId) === true)
          return text(404, 'The published file has no such project.');
        const nowMs = effects.now();
        const drawn = facts === null ? null : await tryDraw(() => report({ nowMs, projectId }), log);
        return statusPage({ state, facts, report: drawn, problem, nowMs, projectId });
      }),
    },
  });
}

async function readQueueProblems(queue: ServiceOptions['queue']): Promise<string[]> {
  if (queue === undefined) return [];
  try {
    const { queueProblems } = await import('../../scale/queue/queue-state.ts');
    return queueProblems(await queue());
  } catch (error) {
    return [messageOf(error)];
  }
}

async function readQueueMetrics(queue: ServiceOptions['queue']): Promise<string> {
  if (queue === undefined) return '';
  return await queueMetrics(await queue().catch(() => null));
}

interface Reading {
  facts: PublishedFacts | null;
  problem: string | null;
}

async function readFacts(path: string): Promise<Reading> {
  try {
    const facts = await readPublishedFacts(path);
    return { facts, problem: facts === null ? 'nothing is published yet' : null };
  } catch (error) {
    return { facts: null, problem: messageOf(error) };
  }
}

/** Quotas of the server that the data comes from. */
async function readQuotas(path: string, baseUrl: string | null): Promise<KnownQuota[]> {
  const { quotas } = await readJournal(path);
  return quotas.filter((quota) => quota.base_url === baseUrl);
}

async function tryDraw(draw: () => Promise<string>, log: Log): Promise<string | null> {
  try {
    return await draw();
  } catch (error) {
    log.warn('http.report_failed', { error });
    return null;
  }
}

function healthReply({ ok, problems }: Health): Reply {
  const body = `${JSON.stringify(ok ? { status: 'ok' } : { status: 'failing', problems })}\n`;
  return { status: ok ? 200 : 503, contentType: 'application/json; charset=utf-8', body };
}

/** The answer to a probe. */
export interface Health {
  ok: boolean;
  /** What is wrong; empty when nothing is. */
  problems: string[];
}

/** A tick this late was lost, and so were the timers. */
const TICK_TOLERANCE_MS = 90_000;
const START_TOLERANCE_MS = 120_000;

/** Whether the scheduler's clocks still strike. */
export function livenessOf(state: DaemonState, startedMs: number, nowMs: number): Health {
  const { readyMs } = state;
  if (readyMs === null) {
    const isSlow = nowMs - startedMs > START_TOLERANCE_MS;
    return healthOf(isSlow ? ['the scheduler has not started'] : []);
  }
  if (state.isStopping) return healthOf([]);
  return healthOf(
    state.jobs.flatMap((job) => {
      const due = job.previousTicks(nowMs - TICK_TOLERANCE_MS, 1)[0];
      const struck = state.of(job.name).lastTickMs ?? readyMs;
      return due === undefined || due <= struck ? [] : [`job ${job.name} missed its tick`];
    }),
  );
}

export interface ReadinessQuestion {
  state: DaemonState;
  /** Why the published file cannot be read; null when it can. */
  fileProblem: string | null;
  /** Problems of the queue; left out without a queue. */
  queueProblems?: readonly string[];
  nowMs: number;
}

/** Whether readers find a published file, and a run that is not older than two ticks of the busiest job. */
export function readinessOf({ state, fileProblem, queueProblems, nowMs }: ReadinessQuestion): Health {
  const problems: string[] = [...(queueProblems ?? [])];
  if (state.readyMs === null || state.isStopping) problems.push('the scheduler is not running');
  if (fileProblem !== null) problems.push(fileProblem);
  const lastEndMs = newestEnd(state, nowMs);
  const oldestMs = Math.max(
    ...state.jobs.map((job) => job.previousTicks(nowMs - TICK_TOLERANCE_MS, 2)[1] ?? 0),
    0,
  );
  if (lastEndMs !== null && lastEndMs < oldestMs) {
    problems.push(`the last run ended ${new Date(lastEndMs).toISOString()}, two ticks ago or more`);
  }
  return healthOf(problems);
}

/** A run at work counts as one that ends now; without any run the start of the scheduler counts. */
function newestEnd(state: DaemonState, nowMs: number): number | null {
  const jobs = state.jobs.map(({ name }) => state.of(name));
  if (jobs.some(({ runningSinceMs }) => runningSinceMs !== null)) return nowMs;
  const ends = jobs.flatMap(({ lastEndMs }) => lastEndMs ?? []);
  return ends.length === 0 ? state.readyMs : Math.max(...ends);
}

function healthOf(problems: string[]): Health {
  return { ok: problems.length === 0, problems };
}
