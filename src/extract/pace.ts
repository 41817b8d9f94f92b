import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Log } from '../log.ts';

const WINDOW_MS = 60_000;
/** Shorter pauses are part of ordinary repeating and not charged to `--max-wait`. */
const FREE_PAUSE_MS = 120_000;
/** Share of the requests that may be repeats. 10 % random errors need 11.1 %, so they never meet it. */
const RETRIES_PER_REQUEST = 0.13;
/** What a short run may spend before it has earned anything. */
const INITIAL_TOKENS = 30;
/** What a long good run may save for a bad minute. */
const MOST_TOKENS = 60;

/** How long one run may stand still in all (`--max-wait`); waits that overlap count once. */
export interface WaitBudget {
  readonly maxWaitMs: number;
  /** Books a wait from now until then; false when that is more than is left, and nothing is booked. */
  book(nowMs: number, untilMs: number): boolean;
}

/** @param waitsMs less than `maxWaitMs` where somebody else waits */
export function openWaitBudget(maxWaitMs: number, waitsMs = maxWaitMs): WaitBudget {
  let leftMs = waitsMs;
  let bookedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    maxWaitMs,
    book: (nowMs, untilMs) => {
      const costMs = Math.max(0, untilMs - Math.max(nowMs, bookedUntilMs));
      if (costMs > leftMs) return false;
      leftMs -= costMs;
      bookedUntilMs = Math.max(bookedUntilMs, untilMs);
      return true;
    },
  };
}

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

/** The silence a server asked for: it holds for every request of the key. */
export interface KeyPause {
  extend(pauseMs: number): void;
  /** @throws AnswerlakeError of class `transient` when the pause is longer than the run may wait */
  pass(signal: AbortSignal | undefined, budget: WaitBudget): Promise<void>;
}

export function openKeyPause(effects: Effects, log: Log): KeyPause {
  let untilMs = 0;
  return {
    extend: (pauseMs) => {
      const wantedMs = effects.now() + pauseMs;
      if (pauseMs <= 0 || wantedMs <= untilMs) return;
      untilMs = wantedMs;
      log.info('key.paused', { pauseMs, until: new Date(untilMs).toISOString() });
    },
    pass: async (signal, budget) => {
      while (effects.now() < untilMs) {
        const nowMs = effects.now();
        if (untilMs - nowMs > FREE_PAUSE_MS && !budget.book(nowMs, untilMs)) {
          throw new AnswerlakeError(
            `the server asked us to wait until ${new Date(untilMs).toISOString()}, longer than --max-wait allows; run again after that, and the sync continues where it stopped`,
            { class: 'transient', scope: 'key', waitUntilMs: untilMs },
          );
        }
        await effects.sleep(untilMs - nowMs, signal);
      }
    },
  };
}

/** Keeps repeats a small share of the requests, so that a half-dead server does not eat the quota. */
export interface RetryBudget {
  /** Counts a first attempt. */
  earn(): void;
  /** False when the retry must not happen. */
  spend(): boolean;
}

export function openRetryBudget(): RetryBudget {
  let tokens = INITIAL_TOKENS;
  return {
    earn: () => {
      tokens = Math.min(MOST_TOKENS, tokens + RETRIES_PER_REQUEST);
    },
    spend: () => {
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
