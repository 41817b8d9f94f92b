import pRetry from 'p-retry';
import { AnswerlakeError } from '../errors.ts';
import { ApiError, apiErrorOf } from './api-error.ts';
import { validates, type CallContext } from './call-context.ts';
import type { Attempts } from './access.ts';
import { rightClock, serverDateOf } from './headers.ts';
import type { Slot } from './pace.ts';
import type { QuotaEvent, QuotaPermit } from './quota.ts';
import { hourOf, isGood, readWireAnswer, type WireReading } from './wire-answer.ts';
import type { Fault, Verdict } from './retry.ts';
import { withSecret } from '../secret.ts';
import {
  buildWireRequest,
  type Call,
  connectionsReused,
  type Transport,
  type WireAnswer,
  type WireRequest,
} from './transport.ts';

const SLOW_MS = 10_000;

export interface ApiAnswer {
  status: number;
  body: unknown;
  /** Epoch milliseconds. */
  fetchedAt: number;
  /** Number of requests, retries included. */
  requests: number;
  /** Size of the unpacked body. */
  bytes: number;
}

/** A failed attempt inside the retry loop. */
class FailedAttempt extends Error {
  readonly fault: Fault;
  readonly verdict: Verdict;

  constructor(fault: Fault, verdict: Verdict) {
    super(fault.message);
    this.fault = fault;
    this.verdict = verdict;
  }
}

/** Sends a call until it has a usable answer or is abandoned; if the key was refused and its file has changed, sends it again with the new key. @throws as `ApiClient.get` */
export async function runCall(context: CallContext, call: Call): Promise<ApiAnswer> {
  const { key } = context;
  const send = () => sendUntilAnswered(context, call);
  return key === null || !call.withKey ? await send() : await withSecret(key, refusalOf, send);
}

/** Why the server refused the key; null for any other error. */
function refusalOf(error: unknown): string | null {
  const isOfKey = error instanceof ApiError && error.class === 'auth' && error.scope === 'key';
  return isOfKey ? `${error.path} answered ${String(error.status)}` : null;
}

async function sendUntilAnswered(context: CallContext, call: Call): Promise<ApiAnswer> {
  const { account, effects, log } = context;
  const { signal } = call;
  const attempts = call.method === 'POST' ? 1 : context.attempts;
  const progress = { attempts, attempt: 0, unreadable: 0 };
  try {
    return await pRetry((attempt) => attemptOnce(context, call, Object.assign(progress, { attempt })), {
      retries: attempts - 1,
      // p-retry does not use our clock, so a hook sleeps for the delay.
      minTimeout: 0,
      onFailedAttempt: async ({ error, attemptNumber }) => {
        if (!(error instanceof FailedAttempt) || !error.verdict.again) return;
        const { delayMs } = error.verdict;
        log.info('request.retried', { ...factsOf(call, error.fault), attempt: attemptNumber, delayMs });
        if (delayMs > 0) await effects.sleep(delayMs, signal);
      },
      shouldRetry: ({ error }) => error instanceof FailedAttempt && error.verdict.again,
    });
  } catch (error) {
    if (!(error instanceof FailedAttempt)) throw error;
    signal?.throwIfAborted();
    const { fault } = error;
    const { consequence } = error.verdict;
    const requests = progress.attempt;
    log.debug('request.failed', { ...factsOf(call, fault), requests, class: consequence.class });
    throw apiErrorOf({ call, fault, consequence, account, requests });
  }
}

/** Sends a call once, as soon as no limit holds it back. @throws FailedAttempt */
async function attemptOnce(context: CallContext, call: Call, progress: Attempts): Promise<ApiAnswer> {
  const { access, limiter } = context;
  const wire = buildWireRequest(context, call);
  const sent = await limiter.run(async (slot) => ({
    ...(await sendOnce(context, { call, wire, progress, slot })),
    slot,
  }));
  const { answer, nowMs } = sent;
  let { reading } = sent;
  if (reading === null) {
    await connectionsReused();
    reading = readWireAnswer(answer, { ...context, ...call, nowMs });
  }
  if ('fault' in reading) {
    const { fault } = reading;
    throw new FailedAttempt(fault, access.failed(call, progress, { fault, isOfPath: false }));
  }
  sent.slot.succeeded();
  access.answered();
  const dateMs = serverDateOf(answer.headers);
  if (dateMs !== null) context.serverAheadMs = rightClock(context.serverAheadMs, dateMs - nowMs);
  const { body, bytes } = reading;
  return { status: answer.status, body, fetchedAt: nowMs, requests: progress.attempt, bytes };
}

interface Attempt {
  call: Call;
  wire: WireRequest;
  progress: Attempts;
  slot: Slot;
}

interface SentOnce {
  answer: WireAnswer;
  /** Epoch milliseconds of its arrival. */
  nowMs: number;
  /** Null while a good answer is unread: the next request does not depend on its body. */
  reading: WireReading | null;
}

/** Applies the effects of an attempt that the next request depends on. @throws FailedAttempt */
async function sendOnce(context: CallContext, { call, wire, progress, slot }: Attempt): Promise<SentOnce> {
  const { access } = context;
  access.began(progress);
  const permit = await passGuards(context, call);
  context.totals.requests += 1;
  if (progress.attempt > 1) context.totals.retries += 1;
  context.log.debug('request.sent', { ...factsOf(call), query: call.query, attempt: progress.attempt });
  let news: QuotaEvent | null = { kind: 'silence', good: false };
  const fail = (fault: Fault, isOfPath: boolean): FailedAttempt => {
    const verdict = access.failed(call, progress, { fault, isOfPath });
    if (verdict.isOverloaded) slot.overloaded();
    return new FailedAttempt(fault, verdict);
  };
  try {
    const sent = await sendAndWatch(context, call, wire);
    if ('fault' in sent) {
      if (sent.fault.neverSent === true) news = null;
      throw fail(sent.fault, false);
    }
    const { answer } = sent;
    const nowMs = context.effects.now();
    if (isGood(answer, call.method)) {
      news = hourOf(answer, nowMs);
      return { answer, nowMs, reading: null };
    }
    const reading = readWireAnswer(answer, { ...context, ...call, nowMs });
    news = reading.news;
    if (!('fault' in reading)) return { answer, nowMs, reading };
    const isOfPath = await access.isOfPath(call, reading.fault, {
      attempt: progress.attempt,
      isUsedUp: context.quota.isUsedUp(),
      validates: (path) => validates(context, path, call.signal),
    });
    if (isOfPath) news = { kind: 'silence', good: false };
    throw fail(reading.fault, isOfPath);
  } finally {
    if (news === null) permit?.cancel();
    else permit?.settle(news);
  }
}

/** Logs a request that takes long. */
async function sendAndWatch(
  { transport, log }: CallContext,
  call: Call,
  wire: WireRequest,
): ReturnType<Transport['send']> {
  const timer = setTimeout(() => log.info('request.slow', { ...factsOf(call), waitedMs: SLOW_MS }), SLOW_MS);
  try {
    return await transport.send(wire);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for everything that can hold a request back; null if it costs no quota. */
async function passGuards(context: CallContext, call: Call): Promise<QuotaPermit | null> {
  const { access, quota } = context;
  await access.pass(call, quota.waitBudget);
  const permit = call.withKey ? await quota.acquire(call.signal) : null;
  try {
    await context.throttle.acquire(call.signal);
    await access.pass(call, quota.waitBudget);
    call.signal?.throwIfAborted();
    if (context.isClosed) {
      throw new AnswerlakeError(`the client of account ${context.account} is closed`, { class: 'stopped' });
    }
    return permit;
  } catch (error) {
    permit?.cancel();
    throw error;
  }
}

/** The log fields of a call and its fault. */
function factsOf({ method, path, projectId }: Call, fault?: Fault): Record<string, unknown> {
  const where = { method, path, projectId: projectId ?? null };
  if (fault === undefined) return where;
  const { kind, status = null, code = null, message } = fault;
  return { ...where, fault: kind, status, code, reason: message };
}
