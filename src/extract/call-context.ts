import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import { createRedactor } from '../redact.ts';
import type { Secret } from '../secret.ts';
import { Access } from './access.ts';
import { openLimiter, type Throttle } from './pace.ts';
import type { Quota } from './quota.ts';
import { buildWireRequest, openTransport, type Call } from './transport.ts';

export interface ApiClientBounds {
  /** Maximum concurrent requests. */
  concurrency: number;
  /** Total deadline of one request. */
  timeoutMs: number;
  /** Total attempts of a GET. */
  attempts: number;
  maxBodyBytes: number;
}

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

/** The state that all calls of a client share. */
export type CallContext = ReturnType<typeof openContext>;

export function openContext(options: ApiClientOptions) {
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
export async function validates(
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
