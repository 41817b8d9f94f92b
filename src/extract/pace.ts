import pLimit from 'p-limit';
import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';

const WINDOW_MS = 60_000;
/** Shorter waits are part of an even pace. */
const LONG_THROTTLE_MS = 2_000;
const SUCCESSES_TO_GROW = 10;

/** The result of a request, reported to its limiter. */
export interface Slot {
  succeeded(): void;
  /** After 429, 503 or a timeout. Requests that were under way together halve the concurrency once. */
  overloaded(): void;
}

export type Limiter = ReturnType<typeof openLimiter>;

/** Limits a key's concurrent requests: halves them when the server is overloaded, then adds one at a time. @param max upper limit */
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
    /** Sends a request as soon as a slot is free, in call order. */
    run: async <Sent>(send: (slot: Slot) => Promise<Sent>): Promise<Sent> =>
      await limit(() => send(openSlot())),
  };
}

export type WaitBudget = ReturnType<typeof openWaitBudget>;

/** The total time that a run may wait (`--max-wait`); overlapping waits count once. @param waitsMs less than `maxWaitMs` if another process does the waiting */
export function openWaitBudget(maxWaitMs: number, waitsMs = maxWaitMs) {
  let leftMs = waitsMs;
  let bookedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    maxWaitMs,
    /** Books a wait from now until then; false, and nothing booked, if that exceeds the rest. */
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

/** Our own limit of requests in any 60 seconds, shared by all accounts. @param requestsPerMinute 0 = no limit */
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
