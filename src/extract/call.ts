import { AnswerlakeError } from '../errors.ts';
import type { Effects } from '../effects.ts';
import type { Log, Redact } from '../log.ts';
import type { Secret } from '../secret.ts';
import { apiErrorOf } from './api-error.ts';
import { unavailable, type Circuit } from './circuit.ts';
import { type Fault, type Verdict, verdictOf } from './fault.ts';
import type { Place } from './gate.ts';
import { headerOf, readRateLimit, type RateLimit } from './headers.ts';
import type { LimitedPaths } from './limited-paths.ts';
import type { KeyPause, RetryBudget, Throttle } from './pace.ts';
import type { Quota, QuotaNews, QuotaPermit } from './quota.ts';
import { hourOf, isGood, readAnswer } from './read-answer.ts';
import type { WireAnswer } from './exchange.ts';
import { connectionsReused, type Transport } from './transport.ts';
import { buildWireRequest, type Call } from './wire-request.ts';

const MOST_WARNINGS = 20;

export interface ApiAnswer {
  status: number;
  body: unknown;
  /** Epoch milliseconds. */
  fetchedAt: number;
  /** Requests that were sent for it, repeats included. */
  requests: number;
  /** Size of the body, unpacked. */
  bytes: number;
  headers: {
    /** The server's clock, epoch milliseconds; null when it did not say. */
    serverTime: number | null;
    requestId: string | null;
    rateLimit: RateLimit | null;
  };
}

/** What a client has done since it was opened. */
export interface RequestTotals {
  requests: number;
  retries: number;
  bytes: number;
}

/** What all calls of one client share. */
export interface CallContext {
  account: string;
  origin: string;
  key: Secret | null;
  userAgent: string;
  attempts: number;
  maxBodyBytes: number;
  effects: Effects;
  transport: Transport;
  throttle: Throttle;
  quota: Quota;
  circuit: Circuit;
  pause: KeyPause;
  retryBudget: RetryBudget;
  totals: RequestTotals;
  /** What the server said that cannot be true; each sentence once. */
  warnings: Set<string>;
  /** Milliseconds that the server's clock is ahead of ours; null while no good answer told its time. */
  serverAheadMs: number | null;
  limitedPaths: LimitedPaths;
  isClosed: boolean;
  redact: Redact;
  log: Log;
}

interface Progress {
  attempt: number;
  isOfPath: boolean;
  unreadable: number;
}

/** Sends a call until there is a usable answer or no hope of one. @throws as `ApiClient.get` says */
export async function runCall(context: CallContext, place: Place, call: Call): Promise<ApiAnswer> {
  const progress: Progress = { attempt: 0, isOfPath: false, unreadable: 0 };
  context.retryBudget.earn();
  for (;;) {
    await place.ready();
    progress.attempt += 1;
    const outcome = await attemptOnce(context, { place, call, progress });
    if ('answer' in outcome) return outcome.answer;
    const { fault, verdict } = outcome;
    if (!verdict.again) {
      call.signal?.throwIfAborted();
      const { consequence } = verdict;
      const { account } = context;
      const { method, path, projectId } = call;
      const requests = progress.attempt;
      context.log.info('request.failed', { ...factsOf(call, fault), requests, class: consequence.class });
      throw apiErrorOf({ fault, consequence, method, path, account, projectId, requests });
    }
    const { delayMs } = verdict;
    context.log.info('request.retried', { ...factsOf(call, fault), attempt: progress.attempt, delayMs });
    if (delayMs > 0) await context.effects.sleep(delayMs, call.signal);
  }
}

interface Attempt {
  place: Place;
  call: Call;
  progress: Progress;
}

type Outcome = { answer: ApiAnswer } | { fault: Fault; verdict: Verdict };

/** Sends a call once, when everything that may hold it back lets it pass. */
async function attemptOnce(context: CallContext, attempt: Attempt): Promise<Outcome> {
  const { place, call, progress } = attempt;
  const { totals } = context;
  const wire = buildWireRequest(context, call);
  const permit = await passGuards(context, call);
  totals.requests += 1;
  if (progress.attempt > 1) totals.retries += 1;
  context.log.debug('request.sent', { ...factsOf(call), query: call.query, attempt: progress.attempt });
  let news: QuotaNews | null = { kind: 'silence', good: false };
  try {
    const sent = await context.transport.send(wire);
    if ('fault' in sent) {
      if (sent.fault.neverSent === true) news = null;
      return { fault: sent.fault, verdict: judge(context, attempt, sent.fault) };
    }
    totals.bytes += sent.answer.bytes.length;
    const nowMs = context.effects.now();
    // Its body tells nothing that the next request has to know.
    if (isGood(sent.answer, call.method)) {
      permit?.settle(hourOf(sent.answer, nowMs));
      place.release();
      await connectionsReused();
    }
    const reading = await readAnswer(sent.answer, { ...context, ...call, nowMs });
    news = reading.news;
    if (reading.warning !== null) warn(context, call, reading.warning);
    if ('fault' in reading) {
      const { fault } = reading;
      const isUsedUp = context.quota.isUsedUp();
      progress.isOfPath = await context.limitedPaths.isOwn(call, fault, { ...progress, isUsedUp });
      if (progress.isOfPath) news = { kind: 'silence', good: false };
      return { fault, verdict: judge(context, attempt, fault) };
    }
    place.succeeded();
    context.circuit.succeeded();
    const answer = toApiAnswer(sent.answer, { ...reading, nowMs, requests: progress.attempt });
    const { serverTime } = answer.headers;
    if (serverTime !== null) context.serverAheadMs = serverTime - nowMs;
    return { answer };
  } catch (error) {
    context.circuit.withdrew();
    throw error;
  } finally {
    if (news === null) permit?.cancel();
    else permit?.settle(news);
  }
}

/** Judges a fault and tells everybody who learns from it, before the next request can pass. */
function judge(context: CallContext, { place, call, progress }: Attempt, fault: Fault): Verdict {
  if (fault.kind === 'unreadable') progress.unreadable += 1;
  const wanted = verdictOf({
    ...progress,
    fault,
    attempts: call.method === 'POST' ? 1 : context.attempts,
    projectId: call.projectId,
    random: context.effects.random(),
  });
  const isAffordable = !wanted.again || !wanted.isCharged || context.retryBudget.spend();
  if (!isAffordable) context.log.info('request.retry_budget_spent', factsOf(call, fault));
  const verdict = { ...wanted, again: wanted.again && isAffordable };
  if (verdict.learned.isOverloaded) place.overloaded();
  context.pause.extend(verdict.pauseMs);
  switch (verdict.learned.origin) {
    case 'up':
      context.circuit.succeeded();
      break;
    case 'down':
      context.circuit.failed({
        path: call.path,
        final: !verdict.again,
        unreachable: fault.neverSent === true,
      });
      break;
    case 'unknown':
      context.circuit.withdrew();
      break;
    default:
      verdict.learned.origin satisfies never;
  }
  return verdict;
}

function warn({ account, log, warnings }: CallContext, call: Call, warning: string): void {
  const told = `account ${account}: ${warning}`;
  if (warnings.has(told) || warnings.size >= MOST_WARNINGS) return;
  warnings.add(told);
  log.warn('server.not_believed', { ...factsOf(call), reason: warning });
}

/** Everything that may hold a request back; null when it costs no quota. */
async function passGuards(context: CallContext, call: Call): Promise<QuotaPermit | null> {
  const { circuit, pause, quota, limitedPaths } = context;
  limitedPaths.assertOpen(call.path);
  if (circuit.isOpen()) throw unavailable(context.origin);
  await pause.pass(call.signal, quota.waitBudget);
  const permit = call.withKey ? await quota.acquire(call.signal) : null;
  try {
    await context.throttle.acquire(call.signal);
    await pause.pass(call.signal, quota.waitBudget);
    call.signal?.throwIfAborted();
    if (context.isClosed) {
      throw new AnswerlakeError(`the client of account ${context.account} is closed`, { class: 'stopped' });
    }
    limitedPaths.assertOpen(call.path);
    if (!circuit.allows()) throw unavailable(context.origin);
    return permit;
  } catch (error) {
    permit?.cancel();
    throw error;
  }
}

/** What a log line says about a call and its fault. */
function factsOf({ method, path, projectId }: Call, fault?: Fault): Record<string, unknown> {
  const where = { method, path, projectId: projectId ?? null };
  if (fault === undefined) return where;
  const { kind, status = null, code = null, message } = fault;
  return { ...where, fault: kind, status, code, reason: message };
}

function toApiAnswer(
  answer: WireAnswer,
  told: { body: unknown; bytes: number; nowMs: number; requests: number },
): ApiAnswer {
  const serverTime = Date.parse(headerOf(answer.headers, 'date') ?? '');
  return {
    status: answer.status,
    body: told.body,
    fetchedAt: told.nowMs,
    requests: told.requests,
    bytes: told.bytes,
    headers: {
      serverTime: Number.isFinite(serverTime) ? serverTime : null,
      requestId: headerOf(answer.headers, 'x-request-id'),
      rateLimit: readRateLimit(answer.headers, told.nowMs),
    },
  };
}
