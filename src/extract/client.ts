import { setMaxListeners } from 'node:events';
import pRetry from 'p-retry';
import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createRedactor } from '../redact.ts';
import { type Secret, withSecret } from '../secret.ts';
import { Access } from './access.ts';
import { ApiError, apiErrorOf } from './api-error.ts';
import { rightClock, serverDateOf } from './headers.ts';
import { openLimiter, type Slot, type Throttle } from './pace.ts';
import type { Quota, QuotaEvent, QuotaPermit } from './quota.ts';
import type { Attempts, Fault, Verdict } from './retry.ts';
import { buildWireRequest, type Call, openTransport } from './transport.ts';
import { readWireAnswer } from './wire-answer.ts';

export type ApiAnswer = Awaited<ReturnType<typeof sendOnce>>;

export type ApiClientBounds = Pick<Config['api'], 'concurrency' | 'timeoutMs' | 'attempts' | 'maxBodyBytes'>;

export interface ApiClientOptions {
  /** Name of the account, for messages and logs. */
  account: string;
  /** Origin and path prefix, as configured. */
  baseUrl: string;
  key: Secret | null;
  bounds: ApiClientBounds;
  effects: Effects;
  quota: Quota;
  throttle: Throttle;
  /** Path of the key validation, requested after a 429 to see whether the limit belongs to the key; left out: it does. */
  validatePath?: string | undefined;
  log: Log;
  userAgent: string;
}

type PostRequest = Pick<Call, 'path' | 'projectId' | 'signal'> & { body: unknown };

/** The API, with the key of one account. */
export type ApiClient = ReturnType<typeof openApiClient>;

export function openApiClient(options: ApiClientOptions) {
  const context = openContext(options);
  return {
    /**
     * Repeats the request until an answer is usable or further attempts are pointless.
     * @throws ApiError · AnswerlakeError of class `quota`, `transient` or `stopped` · the signal's reason
     */
    get: (request: Omit<Call, 'method' | 'body'>): Promise<ApiAnswer> =>
      runCall(context, { ...request, method: 'GET', body: null }),
    /** Sends exactly once. @throws as `get`; `ApiError.outcomeUnknown` means that it may have had its effect */
    post: ({ body, ...request }: PostRequest): Promise<ApiAnswer> =>
      runCall(context, { ...request, method: 'POST', query: [], withKey: true, body: JSON.stringify(body) }),
    /** Joins the quota of the key's organization, once known. */
    useQuota: (quota: Quota): void => {
      if (quota === context.quota) return;
      quota.takeOver(context.quota);
      context.quota = quota;
    },
    get quota(): Quota {
      return context.quota;
    },
    /** Decides whether a request may be sent (again) with the key. */
    access: context.access,
    totals: context.totals,
    /** Milliseconds by which the server's clock is ahead of ours, according to its good answers so far; null if none has a date. */
    get serverAheadMs(): number | null {
      return context.serverAheadMs;
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      context.isClosed = true;
      await context.transport[Symbol.asyncDispose]();
    },
  };
}

/** The state that all calls of a client share. */
type CallContext = ReturnType<typeof openContext>;

function openContext(options: ApiClientOptions) {
  const { account, bounds, effects, key, validatePath = null } = options;
  const { concurrency, maxBodyBytes, timeoutMs } = bounds;
  // Precedes each path on the wire; '' for most servers.
  const { origin, pathname } = new URL(options.baseUrl);
  const redact = createRedactor(key === null ? [] : [key]);
  const log = options.log.child({ account });
  return {
    ...options,
    ...bounds,
    origin,
    prefix: pathname.replace(/\/+$/, ''),
    limiter: openLimiter(concurrency),
    transport: openTransport({ origin, connections: concurrency, timeoutMs, maxBodyBytes, redact }),
    access: new Access({ effects, log, origin, validatePath }),
    /** Statistics since the client was opened. */
    totals: { requests: 0, retries: 0 },
    /** Milliseconds by which the server's clock is ahead of ours, according to its good answers (`rightClock`); null if none has a date. */
    serverAheadMs: null as number | null,
    isClosed: false,
    redact,
    log,
  };
}

/** Whether the key validation is answered; bypasses the quota and the pause, because its answer judges them. */
async function validates(
  context: CallContext,
  path: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  await context.throttle.acquire(signal);
  context.totals.requests += 1;
  const call: Call = { method: 'GET', path, query: [], withKey: true, body: null, signal };
  const sent = await context.transport.send(buildWireRequest(context, call));
  return 'answer' in sent && sent.answer.status === 200;
}

const SLOW_MS = 10_000;

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
async function runCall(context: CallContext, call: Call): Promise<ApiAnswer> {
  const { key } = context;
  // One signal stops every call of a run; Node warns of a leak from the eleventh listener on.
  if (call.signal !== undefined) setMaxListeners(0, call.signal);
  const send = () => sendUntilAnswered(context, call);
  return key === null || !call.withKey ? await send() : await withSecret(key, refusalOf, send);
}

/** Why the server refused the key; null for any other error. */
function refusalOf(error: unknown): string | null {
  const isOfKey = error instanceof ApiError && error.class === 'auth' && error.scope === 'key';
  return isOfKey ? `${error.path} answered ${String(error.status)}` : null;
}

async function sendUntilAnswered(context: CallContext, call: Call): Promise<ApiAnswer> {
  const { account, effects, limiter, log } = context;
  const { signal } = call;
  const attempts = call.method === 'POST' ? 1 : context.attempts;
  const progress = { attempts, attempt: 0, unreadable: 0 };
  try {
    const send = (attempt: number): Promise<ApiAnswer> => {
      progress.attempt = attempt;
      return limiter.run((slot) => sendOnce(context, call, { progress, slot }));
    };
    return await pRetry(send, {
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
    throw apiErrorOf(call, fault, { consequence, account, requests });
  }
}

/** Sends a call once and applies what its answer means for the key. @throws FailedAttempt */
async function sendOnce(
  context: CallContext,
  call: Call,
  { progress, slot }: { progress: Attempts; slot: Slot },
) {
  const { access } = context;
  const wire = buildWireRequest(context, call);
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
    // Logs a request that takes long.
    const watch = setTimeout(
      () => context.log.info('request.slow', { ...factsOf(call), waitedMs: SLOW_MS }),
      SLOW_MS,
    );
    const sent = await context.transport.send(wire).finally(() => clearTimeout(watch));
    if ('fault' in sent) {
      if (sent.fault.neverSent === true) news = null;
      throw fail(sent.fault, false);
    }
    const { answer } = sent;
    const nowMs = context.effects.now();
    const reading = readWireAnswer(answer, { ...context, ...call, nowMs });
    news = reading.news;
    if (!('fault' in reading)) {
      slot.succeeded();
      access.answered();
      const dateMs = serverDateOf(answer.headers);
      if (dateMs !== null) context.serverAheadMs = rightClock(context.serverAheadMs, dateMs - nowMs);
      /** `fetchedAt`: epoch milliseconds; `requests`: retries included; `bytes`: size of the unpacked body. */
      const { body, bytes } = reading;
      return { status: answer.status, body, fetchedAt: nowMs, requests: progress.attempt, bytes };
    }
    const isOfPath = await access.isOfPath(call, reading.fault, {
      ...progress,
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
