import pLimit from 'p-limit';
import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';

const WINDOW_MS = 60_000;
/** Shorter waits are part of an even pace. */
const LONG_THROTTLE_MS = 2_000;
const SUCCESSES_TO_GROW = 10;

/** What came of a request that was sent, for the limiter that sent it. */
export interface Slot {
  succeeded(): void;
  /** After 429, 503 or a timeout. Requests that were under way together halve the concurrency once. */
  overloaded(): void;
}

export type Limiter = ReturnType<typeof openLimiter>;

/** What one key has under way at the same time: fewer requests when the server is overloaded, again more one by one. @param max while the server bears it */
export function openLimiter(max: number) {
  const limit = pLimit(max);
  let sent = 0;
  let sentWhenHalved = 0;
  let successes = 0;
  const openSlot = (): Slot => {
    sent += 1;
    const number = sent;
    return {
      succeeded: () => {
        successes += 1;
        if (successes < SUCCESSES_TO_GROW || limit.concurrency >= max) return;
        limit.concurrency += 1;
        successes = 0;
      },
      overloaded: () => {
        successes = 0;
        if (number <= sentWhenHalved) return;
        limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
        sentWhenHalved = sent;
      },
    };
  };
  return {
    get concurrency(): number {
      return limit.concurrency;
    },
    /** Sends a request when there is room for one more, in the order of the calls. */
    run: async <Sent>(send: (slot: Slot) => Promise<Sent>): Promise<Sent> =>
      await limit(() => send(openSlot())),
  };
}

export type WaitBudget = ReturnType<typeof openWaitBudget>;

/** How long one run may stand still in all (`--max-wait`); waits that overlap count once. @param waitsMs less than `maxWaitMs` where another process waits */
export function openWaitBudget(maxWaitMs: number, waitsMs = maxWaitMs) {
  let leftMs = waitsMs;
  let bookedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    maxWaitMs,
    /** Books a wait from now until then; false when that is more than is left, and nothing is booked. */
    book: (nowMs: number, untilMs: number): boolean => {
      const costMs = Math.max(0, untilMs - Math.max(nowMs, bookedUntilMs));
      if (costMs > leftMs) return false;
      leftMs -= costMs;
      bookedUntilMs = Math.max(bookedUntilMs, untilMs);
      return true;
    },
  };
}

export type Throttle = ReturnType<typeof openThrottle>;

/** Our own ceiling of requests in any 60 seconds, shared by all accounts. @param requestsPerMinute 0 = no ceiling */
export function openThrottle(requestsPerMinute: number, effects: Effects, log: Log) {
  const sentAt: number[] = [];
  let announcedUntilMs = 0;
  return {
    /** Resolves when one more request may be sent; rejects with the signal's reason. */
    acquire: async (signal?: AbortSignal): Promise<void> => {
      if (requestsPerMinute === 0) return;
      const nowMs = effects.now();
      const blocking = sentAt.length < requestsPerMinute ? undefined : sentAt.shift();
      const waitMs = blocking === undefined ? 0 : Math.max(0, blocking + WINDOW_MS - nowMs);
      const atMs = nowMs + waitMs;
      sentAt.push(atMs);
      if (waitMs === 0) return;
      if (waitMs >= LONG_THROTTLE_MS && nowMs >= announcedUntilMs) {
        announcedUntilMs = atMs;
        log.info('throttle.waiting', { requestsPerMinute, until: new Date(atMs).toISOString() });
      }
      await effects.sleep(waitMs, signal);
    },
  };
}
