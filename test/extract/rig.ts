import { secretOf, type Secret } from '../../src/secret.ts';
import type { AnswerlakeErrorOptions } from '../../src/errors.ts';
import { Access } from '../../src/extract/access.ts';
import { ApiError, type ApiErrorFacts } from '../../src/extract/api-error.ts';
import type { Fault } from '../../src/extract/retry.ts';
import { openApiClient, type ApiClient } from '../../src/extract/client.ts';
import type { ApiClientBounds } from '../../src/extract/client.ts';
import { openThrottle, openWaitBudget } from '../../src/extract/pace.ts';
import { openQuota, type Quota } from '../../src/extract/quota.ts';
import type { QuotaSnapshot } from '../../src/extract/quota-state.ts';
import type { Log, LogFields } from '../../src/log.ts';
import { openScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { virtualEffects, type VirtualEffects } from '../support/virtual-effects.ts';

export const KEY = 'pw_live/Canary+Key=7f3a9c "quoted" end'.replaceAll(' ', '-');
/** Deadline of a request of a rig. */
export const TIMEOUT_MS = 60_000;
export const START_MS = Date.parse('2026-03-02T10:15:00Z');

/** A request of a path. */
export const ask = (path: string) => ({ path, query: [], withKey: true }) as const;
export const ASK = ask('/api/v1/x');

/** The headers of an answer that tells the hour. */
export function toldHour(limit: number, remaining: number, resetMs: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, remaining)),
    'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)),
  };
}

/** A request that a server refused. */
export function refusal(
  status: number,
  facts: Partial<ApiErrorFacts & AnswerlakeErrorOptions> = {},
): ApiError {
  return new ApiError(`answered ${String(status)}`, {
    class: 'contract',
    status,
    code: null,
    serverMessage: null,
    path: '/x',
    requests: 1,
    outcomeUnknown: false,
    ...facts,
  });
}

export interface Rig extends AsyncDisposable {
  client: ApiClient;
  effects: VirtualEffects;
  quota: Quota;
  events: { event: string; fields: LogFields }[];
  named(event: string): LogFields[];
}

export interface RigOptions {
  key?: string | Secret;
  api?: Partial<ApiClientBounds & { requestsPerMinute: number; reserveQuota: number }>;
  maxWaitMs?: number;
  initialQuota?: QuotaSnapshot;
  effects?: VirtualEffects;
  validatePath?: string;
}

/** A client with everything around it, on a virtual clock. */
export function openRig(baseUrl: string, options: RigOptions = {}): Rig {
  const effects = options.effects ?? virtualEffects(START_MS);
  const events: Rig['events'] = [];
  const log = recordingLog(events);
  const { key = KEY } = options;
  const api = {
    requestsPerMinute: 0,
    reserveQuota: 0.1,
    concurrency: 8,
    timeoutMs: TIMEOUT_MS,
    attempts: 5,
    maxBodyBytes: 1_000_000,
    ...options.api,
  };
  const quota = openQuota({
    reserve: api.reserveQuota,
    waitBudget: openWaitBudget(options.maxWaitMs ?? 7_200_000),
    effects,
    log,
    initial: options.initialQuota ?? null,
  });
  const client = openApiClient({
    account: 'acme',
    baseUrl,
    key: typeof key === 'string' ? secretOf('env:TEST_KEY', key) : key,
    bounds: api,
    effects,
    quota,
    throttle: openThrottle(api.requestsPerMinute, effects, log),
    validatePath: options.validatePath,
    log,
    userAgent: 'answerlake-test',
  });
  return {
    client,
    effects,
    quota,
    events,
    named: (event) => events.filter((entry) => entry.event === event).map((entry) => entry.fields),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** What may be asked at a server, and a clock that stands at `startMs`. */
export function openAccess(startMs = 0) {
  const effects = virtualEffects(startMs);
  const lines: Rig['events'] = [];
  const log = recordingLog(lines);
  const access = new Access({ effects, log, origin: 'https://api.example', validatePath: null });
  const fail = (path: string, fault: Fault, attempts = 1): void => {
    const progress = { attempts, attempt: 1, unreadable: 0 };
    access.failed({ ...ask(path), method: 'GET', body: null }, progress, { fault, isOfPath: false });
  };
  return { access, effects, lines, fail };
}

type Asked = Parameters<ApiClient['get']>[0];

export interface Served extends Rig {
  server: ScriptedServer;
  get(asked?: Asked): ReturnType<ApiClient['get']>;
  /** So many calls at the same time. */
  getAll(count: number): Promise<PromiseSettledResult<unknown>[]>;
  /** What a call is refused with. */
  failure(asked?: Asked): Promise<unknown>;
}

/** A client with a server that answers the n-th request with `script(n)`. */
export async function serve(
  script: Parameters<typeof openScriptedServer>[0] | ScriptedServer,
  options: RigOptions = {},
): Promise<Served> {
  const server = typeof script === 'function' ? await openScriptedServer(script) : script;
  const rig = openRig(server.origin, options);
  const get = (asked: Asked = ASK) => rig.client.get(asked);
  return {
    ...rig,
    server,
    get,
    getAll: (count) => Promise.allSettled(Array.from({ length: count }, () => get())),
    failure: (asked) =>
      get(asked).then(
        () => 'no failure',
        (error: unknown) => error,
      ),
    [Symbol.asyncDispose]: async () => {
      await rig[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A log that keeps its lines. */
export function recordingLog(lines: Rig['events'], own: LogFields = {}): Log {
  const write = (event: string, fields: LogFields = {}): void => {
    lines.push({ event, fields: { ...own, ...fields } });
  };
  return {
    debug: write,
    info: write,
    warn: write,
    error: write,
    child: (fields) => recordingLog(lines, { ...own, ...fields }),
  };
}

/** What anything thrown gives away: message, stack, fields, causes. */
export function everythingOf(error: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const { message, stack = '' } = current;
    parts.push(message, stack, JSON.stringify(current, Object.getOwnPropertyNames(current)));
  }
  return parts.join('\n');
}
