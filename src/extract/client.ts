import type { Config } from '../config/config.ts';
import type { Secret } from '../secret.ts';
import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import { createRedactor } from '../redact.ts';
import type { ApiClient, RequestTotals } from './api-client.ts';
import { openCalls } from './call.ts';
import type { CallContext } from './call-context.ts';
import { openCircuit } from './circuit.ts';
import type { Gate } from './gate.ts';
import { openKeyPause } from './key-pause.ts';
import type { Quota } from './quota.ts';
import { type RequestLog, silentLog } from './request-log.ts';
import { openRetryBudget } from './retry-budget.ts';
import type { Throttle } from './throttle.ts';
import { openTransport } from './transport.ts';

/** Long texts that equal the key can only be an echo of it; a short one may be ordinary data. */
const SHORTEST_ECHO = 16;

export type { ApiAnswer, ApiClient, GetRequest, PostRequest, RequestTotals } from './api-client.ts';

export interface ApiClientOptions {
  /** Name of the account, for messages and logs. */
  account: string;
  /** Origin only. */
  baseUrl: string;
  key: Secret | null;
  config: Config['api'];
  effects: Effects;
  quota: Quota;
  throttle: Throttle;
  gate: Gate;
  log?: RequestLog | undefined;
  userAgent: string;
}

/** @throws AnswerlakeError of class `configuration` for a key or an address that cannot be sent safely */
export function openApiClient(options: ApiClientOptions): ApiClient {
  const { account, config, effects, key, gate } = options;
  const origin = originOf(options.baseUrl);
  if (key !== null) assertSendable(key);
  const clean = createRedactor(key === null ? [] : [key]);
  const sink = options.log ?? silentLog;
  const log: RequestLog = (event, fields) => sink(event, { account, ...fields });
  const transport = openTransport({
    origin,
    connections: config.concurrency,
    timeoutMs: config.timeoutMs,
    maxBodyBytes: config.maxBodyBytes,
    clean,
  });
  const totals: RequestTotals = { requests: 0, retries: 0, bytes: 0 };
  const context: CallContext = {
    account,
    origin,
    key,
    userAgent: options.userAgent,
    attempts: config.attempts,
    maxBodyBytes: config.maxBodyBytes,
    effects,
    transport,
    gate,
    throttle: options.throttle,
    quota: options.quota,
    circuit: openCircuit(effects, log),
    pause: openKeyPause(effects, log),
    budget: openRetryBudget(),
    totals,
    closed: false,
    clean,
    cleanBody: key !== null && key.reveal().length >= SHORTEST_ECHO ? clean : (text) => text,
    log,
  };
  const call = openCalls(context);
  return {
    get: (request) => call({ ...request, method: 'GET', body: null }),
    post: ({ body, ...request }) =>
      call({ ...request, method: 'POST', query: [], withKey: true, body: JSON.stringify(body) }),
    useQuota: (quota) => {
      if (quota === context.quota) return;
      quota.restore(context.quota.snapshot());
      context.quota = quota;
    },
    get quota() {
      return context.quota;
    },
    totals,
    [Symbol.asyncDispose]: async () => {
      context.closed = true;
      await transport[Symbol.asyncDispose]();
    },
  };
}

/** True when a validation answer says that the key is worth nothing: by status or by body. */
export function isInvalidKeyAnswer(answer: { status: number; body: unknown }): boolean {
  if (answer.status === 401) return true;
  const { body } = answer;
  return typeof body === 'object' && body !== null && (body as { valid?: unknown }).valid === false;
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isPlain = url !== null && url.pathname === '/' && url.search === '' && url.username === '';
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new AnswerlakeError('api.base_url must be an http(s) origin without path or credentials', {
      class: 'configuration',
    });
  }
  return url.origin;
}

function assertSendable(key: Secret): void {
  if (/^[\u0021-\u007e]+$/.test(key.reveal())) return;
  throw new AnswerlakeError(
    `the API key from ${key.origin} is empty or holds blanks, line breaks or non-ASCII characters: set it again`,
    { class: 'configuration', scope: 'key' },
  );
}
