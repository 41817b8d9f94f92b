import { LATEST_RESET_MS, RESET_CUSHION_MS, type RateLimit } from './headers.ts';

const HOUR_MS = 3_600_000;
/** Reset times of one window may differ by rounding. */
const SAME_WINDOW_MS = 60_000;
/** Share of the remaining requests that may be under way, because other clients use the same quota. */
const IN_FLIGHT_SHARE = 1 / 16;
/** First wait after a 429 that followed a wait for the reset. */
const REPEATED_LIMIT_MS = 60_000;

export interface QuotaState {
  known: QuotaSnapshot | null;
  /** True once an answer of the current window was seen; until then one request goes alone. */
  confirmed: boolean;
  /** Consecutive 429 answers. */
  refusalsInARow: number;
  /** Whether one request was sent although the headers of good answers reported an empty quota. */
  isProbed?: boolean;
  /** That request succeeded with the same headers: headers that always report an empty quota are ignored until a 429. */
  isDisbelieved?: boolean;
}

export const NOTHING_KNOWN: QuotaState = {
  known: null,
  confirmed: false,
  refusalsInARow: 0,
};

export type QuotaStep =
  | { kind: 'send'; isProbe?: boolean }
  /** Decide again after a request under way has been answered. */
  | { kind: 'after_answer' }
  /** The quota is empty until this instant. */
  | { kind: 'after_reset'; atMs: number; known: QuotaSnapshot };

/** False once the snapshot's hour is certainly over. */
export function isCurrent(known: QuotaSnapshot, nowMs: number): boolean {
  return nowMs < known.resetAt + RESET_CUSHION_MS;
}

/** False for an impossible snapshot, which is ignored. */
export function isPlausible(known: QuotaSnapshot, nowMs: number): boolean {
  return known.resetAt <= nowMs + LATEST_RESET_MS && known.limit > 0 && known.remaining >= 0;
}

/** The next step for a request. */
export function decideQuota(question: {
  state: QuotaState;
  inFlight: number;
  /** True once this run has sent a request: before that, the snapshot is from an earlier run and may be wrong. */
  hasSent: boolean;
  reserve: number;
  nowMs: number;
}): QuotaStep {
  const { state, inFlight, nowMs } = question;
  const isBelieved = state.isDisbelieved !== true;
  const known = state.known !== null && isBelieved && isCurrent(state.known, nowMs) ? state.known : null;
  const stale = !state.confirmed || (state.known !== null && isBelieved && known === null);
  if (known !== null) {
    const available = known.remaining - reservedRequests(known.limit, question.reserve);
    if (available <= 0) {
      if (inFlight > 0) return { kind: 'after_answer' };
      if (!question.hasSent) return { kind: 'send' };
      const isTold = known.remaining === 0 && state.confirmed && state.refusalsInARow === 0;
      if (isTold && state.isProbed !== true) return { kind: 'send', isProbe: true };
      return { kind: 'after_reset', atMs: known.resetAt + RESET_CUSHION_MS, known };
    }
    if (!stale && inFlight >= Math.max(1, Math.floor(available * IN_FLIGHT_SHARE))) {
      return { kind: 'after_answer' };
    }
  }
  return stale && inFlight > 0 ? { kind: 'after_answer' } : { kind: 'send' };
}

/** After an answer with quota headers, or a report from another key of the organization. */
export function learnHeaders(
  state: QuotaState,
  seen: (RateLimit | QuotaSnapshot) & { isGood?: boolean },
  nowMs: number,
): QuotaState {
  const { isGood = false, ...limit } = seen;
  const isContradicted =
    isGood && seen.remaining === 0 && state.isProbed === true && state.known?.remaining === 0;
  const learned = learnLimit(state, limit, nowMs);
  return { ...state, ...learned, isDisbelieved: state.isDisbelieved === true || isContradicted };
}

function learnLimit(state: QuotaState, seen: RateLimit | QuotaSnapshot, nowMs: number): QuotaState {
  const resetAt = seen.resetAt ?? endOfHour(nowMs);
  const { known } = state;
  const fresh: QuotaSnapshot = { ...seen, resetAt };
  const settled = { confirmed: true, refusalsInARow: 0 };
  if (known === null || !isCurrent(known, nowMs) || known.limit !== fresh.limit || !state.confirmed) {
    return { ...settled, known: fresh };
  }
  if (Math.abs(resetAt - known.resetAt) > SAME_WINDOW_MS) {
    // A late answer of the previous window does not count for this one.
    return { ...settled, known: resetAt > known.resetAt ? fresh : known };
  }
  // Answers overtake each other: the lowest count is the newest.
  return { ...settled, known: { ...fresh, remaining: Math.min(known.remaining, fresh.remaining) } };
}

/** After an answer without quota headers, or without any answer: the request may have been counted. */
export function learnSilence(state: QuotaState, good: boolean, nowMs: number): QuotaState {
  const refusalsInARow = good ? 0 : state.refusalsInARow;
  const { known } = state;
  if (known === null || (!isCurrent(known, nowMs) && !good)) {
    return { ...state, confirmed: known === null && good, refusalsInARow };
  }
  if (isCurrent(known, nowMs)) {
    return { ...state, known: { ...known, remaining: Math.max(0, known.remaining - 1) }, refusalsInARow };
  }
  // For a server that mentions its limit only in 429 bodies, count requests from now on if the limit is hourly.
  const estimate = { limit: known.limit, remaining: known.limit - 1, resetAt: endOfHour(nowMs) };
  const isCounted = hourOnly(known) !== null && isFullHour(known.resetAt);
  return { ...state, known: isCounted ? estimate : null, confirmed: true, refusalsInARow };
}

/** After a 429 of the hourly quota. */
export function learnRefusal(
  state: QuotaState,
  seen: { limit: number | null; retryAfterMs: number | null; resetAt: number | null },
  nowMs: number,
): QuotaState {
  const refusalsInARow = state.refusalsInARow + 1;
  const told = seen.retryAfterMs === null ? (seen.resetAt ?? endOfHour(nowMs)) : nowMs + seen.retryAfterMs;
  const atLeastMs =
    refusalsInARow === 1 ? 0 : Math.min(HOUR_MS, REPEATED_LIMIT_MS * 4 ** (refusalsInARow - 2));
  const limit = seen.limit ?? hourOnly(state.known)?.limit ?? null;
  const used = { remaining: 0, resetAt: Math.max(told, nowMs + atLeastMs) };
  return {
    ...state,
    isDisbelieved: false,
    // If the server names no limit, use 1.
    known: limit === null ? { limit: 1, ...used, isHourly: false } : { limit, ...used },
    confirmed: true,
    refusalsInARow,
  };
}

/** The initial state of a run, from the snapshot of an earlier one. */
export function recall(seen: QuotaSnapshot, nowMs: number): QuotaState {
  return { ...NOTHING_KNOWN, known: isCurrent(seen, nowMs) ? { ...seen } : null };
}

/** A reset off the full hour does not predict the next one. */
function isFullHour(resetAt: number): boolean {
  return Math.abs(resetAt - Math.round(resetAt / HOUR_MS) * HOUR_MS) <= SAME_WINDOW_MS;
}

function endOfHour(nowMs: number): number {
  return (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
}

/** The last seen quota of an organization. */
export interface QuotaSnapshot {
  /** Requests per hour. */
  limit: number;
  remaining: number;
  /** Epoch milliseconds. */
  resetAt: number;
  /** False if the limit is a substitute because no answer named one. */
  isHourly?: boolean | undefined;
}

/** The snapshot to store as an organization's quota; null if unknown. */
export function hourOnly(seen: QuotaSnapshot | null): QuotaSnapshot | null {
  return seen?.isHourly === false ? null : seen;
}

/** Requests per hour that are left to other clients; at least one request stays ours. @param share 0..1 */
export function reservedRequests(limit: number, share: number): number {
  return Math.max(0, Math.min(Math.ceil(limit * share), limit - 1));
}
