import { LATEST_RESET_MS, RESET_CUSHION_MS, type RateLimit } from './headers.ts';

const HOUR_MS = 3_600_000;
/** Reset times of one window may differ by rounding. */
const SAME_WINDOW_MS = 60_000;
/** Requests under way may use at most this part of the remaining requests, because other people use the same hour. */
const IN_FLIGHT_SHARE = 1 / 16;
/** First wait after a 429 that came although we had waited for the reset. */
const REPEATED_LIMIT_MS = 60_000;

export interface QuotaState {
  known: QuotaSnapshot | null;
  /** True once an answer of the present window was seen; until then one request goes alone. */
  confirmed: boolean;
  /** Answers 429 since the last good one. */
  refusalsInARow: number;
  /** Whether one request went out although the headers of good answers said that none is left. */
  isProbed?: boolean;
  /** It was answered well, and told the same: headers that say so on every answer are not believed until a 429. */
  isDisbelieved?: boolean;
}

export const NOTHING_KNOWN: QuotaState = {
  known: null,
  confirmed: false,
  refusalsInARow: 0,
};

export type QuotaStep =
  | { kind: 'send'; isProbe?: boolean }
  /** Decide again when a request under way has been answered. */
  | { kind: 'after_answer' }
  /** Nothing is left before this instant. */
  | { kind: 'after_reset'; atMs: number; known: QuotaSnapshot };

/** False once the hour that a snapshot speaks of is surely over. */
export function isCurrent(known: QuotaSnapshot, nowMs: number): boolean {
  return nowMs < known.resetAt + RESET_CUSHION_MS;
}

/** False for a snapshot that no hour can have left behind: what was remembered of it teaches nothing. */
export function isPlausible(known: QuotaSnapshot, nowMs: number): boolean {
  return known.resetAt <= nowMs + LATEST_RESET_MS && known.limit > 0 && known.remaining >= 0;
}

/** What the next request has to do. */
export function decideQuota(question: {
  state: QuotaState;
  inFlight: number;
  /** True once this run has sent a request: before that, the snapshot is of an earlier run and may be wrong. */
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

/** After an answer with quota headers, or what another key of the organization was told. */
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
    // A late answer of the window before does not count for this one.
    return { ...settled, known: resetAt > known.resetAt ? fresh : known };
  }
  // Answers overtake each other: the lowest count is the newest.
  return { ...settled, known: { ...fresh, remaining: Math.min(known.remaining, fresh.remaining) } };
}

/** After an answer without quota headers, or none: it may have been counted all the same. */
export function learnSilence(state: QuotaState, good: boolean, nowMs: number): QuotaState {
  const refusalsInARow = good ? 0 : state.refusalsInARow;
  const { known } = state;
  if (known === null || (!isCurrent(known, nowMs) && !good)) {
    return { ...state, confirmed: known === null && good, refusalsInARow };
  }
  if (isCurrent(known, nowMs)) {
    return { ...state, known: { ...known, remaining: Math.max(0, known.remaining - 1) }, refusalsInARow };
  }
  // A server that speaks of its limit in 429 bodies only: we count for it from now on, if it counts by the hour.
  const estimate = { limit: known.limit, remaining: known.limit - 1, resetAt: endOfHour(nowMs) };
  const isCounted = hourOnly(known) !== null && isFullHour(known.resetAt);
  return { ...state, known: isCounted ? estimate : null, confirmed: true, refusalsInARow };
}

/** After the 429 of the hour. */
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
    // Without a limit from the server, 1 stands in.
    known: limit === null ? { limit: 1, ...used, isHourly: false } : { limit, ...used },
    confirmed: true,
    refusalsInARow,
  };
}

/** What a run knows before its first request, by what an earlier one has seen. */
export function recall(seen: QuotaSnapshot, nowMs: number): QuotaState {
  return { ...NOTHING_KNOWN, known: isCurrent(seen, nowMs) ? { ...seen } : null };
}

/** A reset at another time than a full hour does not show when the next one is. */
function isFullHour(resetAt: number): boolean {
  return Math.abs(resetAt - Math.round(resetAt / HOUR_MS) * HOUR_MS) <= SAME_WINDOW_MS;
}

function endOfHour(nowMs: number): number {
  return (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
}

/** An organization's hour, as last seen. */
export interface QuotaSnapshot {
  /** Requests an hour. */
  limit: number;
  remaining: number;
  /** Epoch milliseconds. */
  resetAt: number;
  /** False when the limit stands in because no answer named one. */
  isHourly?: boolean | undefined;
}

/** What may be remembered as an organization's hour; null when that is not known. */
export function hourOnly(seen: QuotaSnapshot | null): QuotaSnapshot | null {
  return seen?.isHourly === false ? null : seen;
}

/** Requests of an hour that are left to other people; at least one request stays ours. @param share 0..1 */
export function reservedRequests(limit: number, share: number): number {
  return Math.max(0, Math.min(Math.ceil(limit * share), limit - 1));
}
