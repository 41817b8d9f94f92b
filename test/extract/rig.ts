import type { Config } from '../../src/config/config.ts';
import type { Secret } from '../../src/secret.ts';
import type { Effects } from '../../src/effects.ts';
import type { ApiClient } from '../../src/extract/api-client.ts';
import { openApiClient } from '../../src/extract/client.ts';
import { type Gate, openGate } from '../../src/extract/gate.ts';
import { openQuota, type Quota, type QuotaSnapshot } from '../../src/extract/quota.ts';
import { openThrottle } from '../../src/extract/throttle.ts';
import { openWaitBudget } from '../../src/extract/wait-budget.ts';

export const KEY = 'pw_live/Canary+Key=7f3a9c "quoted" end'.replaceAll(' ', '-');
export const START_MS = Date.parse('2026-03-02T10:15:00Z');

/** A secret with this text. */
export function secretOf(text: string): Secret {
  return { origin: 'env:TEST_KEY', reveal: () => text };
}

export interface VirtualEffects extends Effects {
  /** Every sleep so far, milliseconds. */
  readonly slept: number[];
  advance(byMs: number): void;
}

/** Repeatable numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A clock that jumps over every sleep. */
export function virtualEffects(seed = 1): VirtualEffects {
  let nowMs = START_MS;
  const slept: number[] = [];
  return {
    slept,
    now: () => nowMs,
    random: seededRandom(seed),
    advance: (byMs) => {
      nowMs += byMs;
    },
    sleep: async (delayMs, signal) => {
      const wakeMs = nowMs + delayMs;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      slept.push(delayMs);
      nowMs = Math.max(nowMs, wakeMs);
    },
  };
}

export interface Rig extends AsyncDisposable {
  client: ApiClient;
  effects: VirtualEffects;
  quota: Quota;
  gate: Gate;
  events: { event: string; fields: Readonly<Record<string, unknown>> }[];
  named(event: string): Readonly<Record<string, unknown>>[];
}

export interface RigOptions {
  key?: string;
  api?: Partial<Config['api']>;
  maxWaitMs?: number;
  initialQuota?: QuotaSnapshot;
  effects?: VirtualEffects;
}

/** A client with everything around it, on a virtual clock. */
export function openRig(baseUrl: string, options: RigOptions = {}): Rig {
  const effects = options.effects ?? virtualEffects();
  const events: Rig['events'] = [];
  const log = (event: string, fields: Readonly<Record<string, unknown>>): void => {
    events.push({ event, fields });
  };
  const config: Config['api'] = {
    baseUrl,
    requestsPerMinute: 0,
    reserveQuota: 0.1,
    concurrency: 8,
    timeoutMs: 5_000,
    attempts: 5,
    maxBodyBytes: 1_000_000,
    ...options.api,
  };
  const quota = openQuota({
    reserve: config.reserveQuota,
    waitBudget: openWaitBudget(options.maxWaitMs ?? 7_200_000),
    effects,
    log,
    initial: options.initialQuota ?? null,
  });
  const gate = openGate(config.concurrency);
  const client = openApiClient({
    account: 'acme',
    baseUrl,
    key: secretOf(options.key ?? KEY),
    config,
    effects,
    quota,
    throttle: openThrottle(config.requestsPerMinute, effects),
    gate,
    log,
    userAgent: 'answerlake-test',
  });
  return {
    client,
    effects,
    quota,
    gate,
    events,
    named: (event) => events.filter((entry) => entry.event === event).map((entry) => entry.fields),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** What anything thrown gives away: message, stack, fields, causes. */
export function everythingOf(error: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    parts.push(
      current.message,
      current.stack ?? '',
      JSON.stringify(current, Object.getOwnPropertyNames(current)),
    );
  }
  return parts.join('\n');
}
