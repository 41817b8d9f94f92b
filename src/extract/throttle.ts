import type { Effects } from '../effects.ts';

const WINDOW_MS = 60_000;

/** Our own ceiling of requests in any 60 seconds, shared by all accounts. */
export interface Throttle {
  /** Resolves when one more request may be sent; rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<void>;
}

/** @param requestsPerMinute 0 = no ceiling */
export function openThrottle(requestsPerMinute: number, effects: Effects): Throttle {
  const sentAt: number[] = [];
  return {
    acquire: async (signal) => {
      if (requestsPerMinute === 0) return;
      const nowMs = effects.now();
      const blocking = sentAt.length < requestsPerMinute ? undefined : sentAt.shift();
      const atMs = blocking === undefined ? nowMs : Math.max(nowMs, blocking + WINDOW_MS);
      sentAt.push(atMs);
      if (atMs > nowMs) await effects.sleep(atMs - nowMs, signal);
    },
  };
}
