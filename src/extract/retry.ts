import type { Fault } from './fault.ts';

/** First ceiling of the full jitter, its growth and its cap (AWS builders' library, "Timeouts, retries and backoff with jitter"). */
const BASE_MS = 500;
const FACTOR = 2;
const CAP_MS = 30_000;
/** An answer that cannot be read is asked for again at most twice: it is more often a bug than an accident. */
const UNREADABLE_RETRIES = 2;
/** The per-address limit counts minutes. */
const MINUTE_LIMIT_PAUSE_MS = 60_000;

export interface RetryQuestion {
  fault: Fault;
  /** Attempts made so far, 1 or more. */
  attempt: number;
  /** Unreadable answers so far, this one counted. */
  unreadable: number;
  /** Attempts allowed in all. */
  attempts: number;
  /** Uniform in [0, 1). */
  random: number;
}

export interface RetryDecision {
  retry: boolean;
  /** Our own delay before the next attempt; the pause of the whole key comes on top. */
  delayMs: number;
  /** Whether the retry is charged to the retry budget. */
  charged: boolean;
}

const GIVE_UP: RetryDecision = { retry: false, delayMs: 0, charged: false };

/** Whether a failed attempt is repeated, and after which delay of our own. */
export function decideRetry(question: RetryQuestion): RetryDecision {
  const { fault, attempt } = question;
  if (attempt >= question.attempts) return GIVE_UP;
  switch (fault.kind) {
    case 'refused':
      return GIVE_UP;
    case 'unreadable':
      return question.unreadable > UNREADABLE_RETRIES ? GIVE_UP : afterJitter(question);
    case 'minute_limit':
    case 'hourly_limit':
      // The pause or the quota holds the next attempt back; the server asked for it, so it is not charged.
      return { retry: true, delayMs: 0, charged: false };
    case 'connection':
    case 'timeout':
    case 'server':
      return afterJitter(question);
    default:
      return fault.kind satisfies never;
  }
}

/** How long a fault silences the whole key; 0 when it does not. */
export function pauseOf(fault: Fault): number {
  if (fault.kind === 'hourly_limit' || fault.kind === 'refused') return 0;
  const fallbackMs = fault.kind === 'minute_limit' ? MINUTE_LIMIT_PAUSE_MS : 0;
  return fault.retryAfterMs ?? fallbackMs;
}

/** Full jitter: anywhere between nothing and the ceiling of this attempt, milliseconds. */
export function jitterMs(attempt: number, random: number): number {
  return Math.round(random * Math.min(CAP_MS, BASE_MS * FACTOR ** (attempt - 1)));
}

function afterJitter({ fault, attempt, random }: RetryQuestion): RetryDecision {
  const asked = fault.retryAfterMs ?? null;
  return { retry: true, delayMs: asked === null ? jitterMs(attempt, random) : 0, charged: true };
}
