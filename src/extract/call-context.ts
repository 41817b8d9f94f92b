import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import { createRedactor } from '../redact.ts';
import type { Secret } from '../secret.ts';
import { Access } from './access.ts';
import { openLimiter, type Throttle } from './pace.ts';
import type { Quota } from './quota.ts';
import { buildWireRequest, openTransport, type Call } from './transport.ts';

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

/** What all calls of one client share. */
export type CallContext = ReturnType<typeof openContext>;

export function openContext(options: ApiClientOptions) {
  const { account, bounds, effects, key, validatePath = null } = options;
  const { concurrency, maxBodyBytes, timeoutMs } = bounds;
  // The prefix comes before each path on the wire; '' for most servers.
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
    /** What the client has done since it was opened. */
    totals: { requests: 0, retries: 0 },
    /** Milliseconds that the server's clock is ahead of ours, by the good answers so far (`rightClock`); null when none told the time. */
    serverAheadMs: null as number | null,
    isClosed: false,
    redact,
    log,
  };
}

/** Whether the key validation is answered; sent beside the quota and the pause, which the answer is to judge. */
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
