import pRetry from 'p-retry';
import { AnswerlakeError } from '../errors.ts';
import { apiErrorOf } from './api-error.ts';
import { validates, type CallContext } from './call-context.ts';
import { unavailable } from './circuit.ts';
import { dateOf } from './headers.ts';
import type { Slot } from './pace.ts';
import type { QuotaNews, QuotaPermit } from './quota.ts';
import { hourOf, isGood, readAnswer } from './read-answer.ts';
import { earnRetry, type Fault, type Verdict, verdictOf } from './retry.ts';
import { buildWireRequest, type Call, connectionsReused, type Transport } from './transport.ts';

const SLOW_MS = 10_000;

export interface ApiAnswer {
  status: number;
  body: unknown;
  /** Epoch milliseconds. */
  fetchedAt: number;
  /** Requests that were sent for it, retries included. */
  requests: number;
  /** Size of the body, unpacked. */
  bytes: number;
}

/** A failed attempt on its way through the retry loop. */
class FailedAttempt extends Error {
  readonly fault: Fault;
  readonly verdict: Verdict;

  constructor(fault: Fault, verdict: Verdict) {
    super(fault.message);
    this.fault = fault;
    this.verdict = verdict;
  }
}

/** Sends a call until it has a usable answer or is given up. @throws as `ApiClient.get` says */
export async function runCall(context: CallContext, call: Call): Promise<ApiAnswer> {
  const { account, effects, log } = context;
  const { signal } = call;
  const attempts = call.method === 'POST' ? 1 : context.attempts;
  const progress = { attempts, attempt: 0, unreadable: 0 };
  try {
    return await pRetry((attempt) => attemptOnce(context, call, Object.assign(progress, { attempt })), {
      // The verdict counts the attempts.
      retries: Infinity,
      // Its timers take no clock of ours, so the delay of the verdict is slept here.
      minTimeout: 0,
      shouldRetry: async ({ error }) => {
        if (!(error instanceof FailedAttempt) || !error.verdict.again) return false;
        const { delayMs } = error.verdict;
        log.info('request.retried', { ...factsOf(call, error.fault), attempt: progress.attempt, delayMs });
        if (delayMs > 0) await effects.sleep(delayMs, signal);
        return true;
      },
    });
  } catch (error) {
    if (!(error instanceof FailedAttempt)) throw error;
    signal?.throwIfAborted();
    const { fault } = error;
    const { consequence } = error.verdict;
    const requests = progress.attempt;
    log.info('request.failed', { ...factsOf(call, fault), requests, class: consequence.class });
    throw apiErrorOf({ call, fault, consequence, account, requests });
  }
}

interface Progress {
  attempts: number;
  attempt: number;
  unreadable: number;
}

/** Sends a call once, as soon as nothing holds it back. @throws FailedAttempt */
async function attemptOnce(context: CallContext, call: Call, progress: Progress): Promise<ApiAnswer> {
  const wire = buildWireRequest(context, call);
  const slot = await context.limiter.request();
  if (progress.attempt === 1) context.savedRetries = earnRetry(context.savedRetries);
  try {
    const permit = await passGuards(context, call);
    context.totals.requests += 1;
    if (progress.attempt > 1) context.totals.retries += 1;
    context.log.debug('request.sent', { ...factsOf(call), query: call.query, attempt: progress.attempt });
    let news: QuotaNews | null = { kind: 'silence', good: false };
    const fail = (fault: Fault, isOfPath: boolean): FailedAttempt =>
      new FailedAttempt(fault, judge(context, { call, slot, progress, fault, isOfPath }));
    try {
      const sent = await sendAndWatch(context, call, wire);
      if ('fault' in sent) {
        if (sent.fault.neverSent === true) news = null;
        throw fail(sent.fault, false);
      }
      const { answer } = sent;
      const nowMs = context.effects.now();
      // The next request does not depend on the body of a good answer.
      if (isGood(answer, call.method)) {
        permit?.settle(hourOf(answer, nowMs));
        slot.release();
        await connectionsReused();
      }
      const reading = readAnswer(answer, { ...context, ...call, nowMs });
      news = reading.news;
      if ('fault' in reading) {
        const isOfPath = await context.limitedPaths.isOwn(call, reading.fault, {
          attempt: progress.attempt,
          isUsedUp: context.quota.isUsedUp(),
          validates: (path) => validates(context, path, call.signal),
        });
        if (isOfPath) news = { kind: 'silence', good: false };
        throw fail(reading.fault, isOfPath);
      }
      slot.succeeded();
      context.circuit.succeeded();
      const { status, headers } = answer;
      const dateMs = dateOf(headers);
      if (dateMs !== null) context.serverAheadMs = dateMs - nowMs;
      return {
        status,
        body: reading.body,
        fetchedAt: nowMs,
        requests: progress.attempt,
        bytes: reading.bytes,
      };
    } finally {
      if (news === null) permit?.cancel();
      else permit?.settle(news);
    }
  } finally {
    slot.release();
  }
}

/** Says so when an answer takes long. */
async function sendAndWatch(
  { transport, log }: CallContext,
  call: Call,
  wire: Parameters<Transport['send']>[0],
): ReturnType<Transport['send']> {
  const timer = setTimeout(() => log.info('request.slow', { ...factsOf(call), waitedMs: SLOW_MS }), SLOW_MS);
  try {
    return await transport.send(wire);
  } finally {
    clearTimeout(timer);
  }
}

interface Failure {
  call: Call;
  slot: Slot;
  progress: Progress;
  fault: Fault;
  isOfPath: boolean;
}

/** Judges a fault and applies what follows for the whole key, before the next request can pass. */
function judge(context: CallContext, { call, slot, progress, fault, isOfPath }: Failure): Verdict {
  const { circuit, effects, pause, savedRetries } = context;
  if (fault.kind === 'unreadable') progress.unreadable += 1;
  const random = effects.random();
  const { projectId } = call;
  const verdict = verdictOf({ ...progress, fault, isOfPath, savedRetries, projectId, random });
  context.savedRetries = verdict.savedRetries;
  if (verdict.isOverloaded) slot.overloaded();
  pause.extend(verdict.pauseMs);
  if (verdict.origin === 'up') circuit.succeeded();
  if (verdict.origin === 'down' && !verdict.again) circuit.failed(call.path, fault.neverSent === true);
  return verdict;
}

/** Waits for everything that may hold a request back; null when it costs no quota. */
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
    if (circuit.isOpen()) throw unavailable(context.origin);
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
