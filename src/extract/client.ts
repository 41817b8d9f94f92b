import { setMaxListeners } from 'node:events';
import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import { type Log, createRedactor } from '../log.ts';
import type { Secret } from '../secret.ts';
import { type ApiAnswer, type CallContext, type RequestTotals, runCall } from './call.ts';
import { openCircuit, LimitedPaths } from './circuit.ts';
import { openKeyPause, openLimiter, type ReleaseWhile, type Throttle } from './pace.ts';
import { INITIAL_RETRIES } from './retry.ts';
import type { Quota } from './quota.ts';
import { openTransport, buildWireRequest, type Call } from './transport.ts';

export type GetRequest = Omit<Call, 'method' | 'body'>;

export interface PostRequest {
  path: string;
  body: unknown;
  projectId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A client, or a task of it. */
export interface Asker {
  /**
   * Asks until there is a usable answer or no hope of one.
   * @throws ApiError · AnswerlakeError of class `quota`, `transient` or `stopped` · the signal's reason
   */
  get(request: GetRequest): Promise<ApiAnswer>;
}

/** Several requests in a row, such as the pages of a slice. */
export interface Task extends Asker {
  /** Waits for something, such as the answer to another task, while other tasks use the slot. */
  releaseWhile: ReleaseWhile;
}

/** The API, asked with the key of one account. */
export interface ApiClient extends Asker, AsyncDisposable {
  /** Starts `work` in the order of the calls, when few enough tasks are under way. */
  task<T>(work: (task: Task) => Promise<T>): Promise<T>;
  /** Sends once, whatever happens. @throws as `get`; `ApiError.outcomeUnknown` says whether it may have had its effect */
  post(request: PostRequest): Promise<ApiAnswer>;
  /** Joins the quota of the organization that the key turned out to belong to. */
  useQuota(quota: Quota): void;
  readonly quota: Quota;
  /** Requests at the same time at present: fewer after the server was overloaded. */
  readonly concurrency: number;
  readonly totals: Readonly<RequestTotals>;
  /** Milliseconds that the server's clock is ahead of ours, by its last good answer; null when none had a date. */
  readonly serverAheadMs: number | null;
  /** What the server said that was not believed, as sentences for the run's report. */
  readonly warnings: ReadonlySet<string>;
}

export interface ApiClientBounds {
  /** Requests under way at the same time. */
  concurrency: number;
  /** Total deadline of one request. */
  timeoutMs: number;
  /** Attempts a GET gets in all. */
  attempts: number;
  maxBodyBytes: number;
}

export interface ApiClientOptions {
  /** Name of the account, for messages and logs. */
  account: string;
  /** Origin and path prefix, as the configuration keeps it. */
  baseUrl: string;
  key: Secret | null;
  bounds: ApiClientBounds;
  effects: Effects;
  quota: Quota;
  throttle: Throttle;
  /** Path of the key validation, asked after a 429 to see whether the limit is the key's; left out: it is. */
  validatePath?: string | undefined;
  log: Log;
  userAgent: string;
}

/** @throws AnswerlakeError of class `configuration` for a key or an address that cannot be sent safely */
export function openApiClient(options: ApiClientOptions): ApiClient {
  const { account, effects, key, bounds, userAgent, validatePath } = options;
  const { attempts, concurrency, maxBodyBytes, timeoutMs } = bounds;
  const { origin, prefix } = addressOf(options.baseUrl);
  if (key !== null) assertSendable(key);
  const redact = createRedactor(key === null ? [] : [key]);
  const log = options.log.child({ account });
  const context: CallContext = {
    account,
    origin,
    prefix,
    key,
    userAgent,
    attempts,
    maxBodyBytes,
    effects,
    limiter: openLimiter(concurrency),
    transport: openTransport({ origin, connections: concurrency, timeoutMs, maxBodyBytes, redact }),
    throttle: options.throttle,
    quota: options.quota,
    circuit: openCircuit(effects, log),
    pause: openKeyPause(effects, log),
    savedRetries: INITIAL_RETRIES,
    totals: { requests: 0, retries: 0, bytes: 0 },
    warnings: new Set(),
    serverAheadMs: null,
    limitedPaths: new LimitedPaths({
      effects,
      log,
      validates:
        validatePath === undefined
          ? null
          : { path: validatePath, ask: (signal) => validates(context, validatePath, signal) },
    }),
    isClosed: false,
    redact,
    log,
  };
  const send = (call: Call): Promise<ApiAnswer> => {
    // One signal stops every call of a run; Node warns of a leak from the eleventh listener on.
    if (call.signal !== undefined) setMaxListeners(0, call.signal);
    return runCall(context, call);
  };
  const get = (request: GetRequest): Promise<ApiAnswer> => send({ ...request, method: 'GET', body: null });
  return {
    get,
    task: (work) => context.limiter.task((releaseWhile) => work({ get, releaseWhile })),
    post: ({ body, ...request }) =>
      send({ ...request, method: 'POST', query: [], withKey: true, body: JSON.stringify(body) }),
    useQuota: (quota) => {
      if (quota === context.quota) return;
      quota.takeOver(context.quota);
      context.quota = quota;
    },
    get quota() {
      return context.quota;
    },
    get concurrency() {
      return context.limiter.concurrency;
    },
    totals: context.totals,
    get serverAheadMs() {
      return context.serverAheadMs;
    },
    warnings: context.warnings,
    [Symbol.asyncDispose]: async () => {
      context.isClosed = true;
      await context.transport[Symbol.asyncDispose]();
    },
  };
}

/** Sent beside the quota and the pause, which the answer is to judge. */
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

function addressOf(baseUrl: string): { origin: string; prefix: string } {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || url.search !== '' || url.username !== '' || !/^https?:$/.test(url.protocol)) {
    throw new AnswerlakeError('api.base_url must be an http(s) address without query or credentials', {
      class: 'configuration',
    });
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

function assertSendable(key: Secret): void {
  if (/^[\u0021-\u007e]+$/.test(key.reveal())) return;
  throw new AnswerlakeError(
    `the API key from ${key.origin} is empty or holds blanks, line breaks or non-ASCII characters: set it again`,
    { class: 'configuration', scope: 'key' },
  );
}
