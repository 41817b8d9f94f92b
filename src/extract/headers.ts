export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An organization's remaining requests of the hour, from the headers of an answer. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Epoch milliseconds; null if the header is missing or invalid. */
  resetAt: number | null;
}

/** A quota is hourly: longer requested waits are clamped to this. */
export const LONGEST_WAIT_MS = 3_600_000;
/** Latest plausible reset if the two clocks differ by an hour. */
export const LATEST_RESET_MS = 2 * 3_600_000;
/** Clocks differ slightly; a request a moment too early would waste a 429. */
export const RESET_CUSHION_MS = 1_000;
/** A reset within this time may end a minute, not the hour. */
export const SOON_MS = 120_000;
/** More requests than any plan allows: larger numbers are invalid. */
const LARGEST_COUNT = 1_000_000_000;
/** An answer from the last second of an hour is read in the next one. */
const LATEST_ANSWER_MS = 60_000;
/** Smaller numbers are no current Unix seconds: they are seconds from now. */
const SMALLEST_UNIX_SECONDS = 100_000_000;
/** Larger numbers are no current Unix seconds: they are milliseconds. */
const LARGEST_UNIX_SECONDS = 100_000_000_000;

/** Converts a number into a wait in milliseconds from `nowMs`: by its size, it is seconds from now, Unix seconds or Unix milliseconds. */
export function waitOf(count: number, nowMs: number): number {
  if (count < SMALLEST_UNIX_SECONDS) return count * 1000;
  return (count < LARGEST_UNIX_SECONDS ? count * 1000 : count) - nowMs;
}

/** 2 for success, 3 for redirects, 5 for server failures. */
export function statusClass(status: number): number {
  return Math.floor(status / 100);
}

export function headerOf(headers: AnswerHeaders, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** The server's clock, epoch milliseconds; null if the answer has no date, or a cached one (`Age`). */
export function serverDateOf(headers: AnswerHeaders): number | null {
  const dateMs = Date.parse(headerOf(headers, 'date') ?? '');
  return Number.isFinite(dateMs) && headerOf(headers, 'age') === null ? dateMs : null;
}

/** Our clock is rarely further behind; if only one server's clock is further ahead, that one is wrong. */
const LARGEST_LEAD_MS = 3_600_000;

/** The more credible of two clocks: the later one, unless it alone is more than an hour ahead of ours. Milliseconds ahead of ours; null if unknown. */
export function rightClock(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  const [early, late] = one < other ? [one, other] : [other, one];
  return late > LARGEST_LEAD_MS && early <= LARGEST_LEAD_MS ? early : late;
}

/** Reads `X-RateLimit-*`; null if missing. */
export function readRateLimit(headers: AnswerHeaders, nowMs: number): RateLimit | null {
  const limit = countOf(headerOf(headers, 'x-ratelimit-limit'));
  const remaining = countOf(headerOf(headers, 'x-ratelimit-remaining'));
  if (limit === null || remaining === null || limit === 0) return null;
  return {
    limit: plausibleCount(limit),
    remaining: plausibleCount(remaining),
    resetAt: readReset(headers, nowMs),
  };
}

/** True if waiting for it is a short pause, as with limits per minute. */
export function isSoon(resetAt: number, nowMs: number): boolean {
  return resetAt - nowMs <= SOON_MS;
}

/** A request count, clamped to the plausible maximum. */
export function plausibleCount(count: number): number {
  return Math.min(LARGEST_COUNT, Math.floor(count));
}

/** The reset, at most an hour ahead by the server's clock; null if missing or past. */
function readReset(headers: AnswerHeaders, nowMs: number): number | null {
  const told = countOf(headerOf(headers, 'x-ratelimit-reset'));
  if (told === null) return null;
  const resetAt = nowMs + waitOf(told, nowMs);
  if (resetAt < nowMs - LATEST_ANSWER_MS) return null;
  const aheadMs = Math.max(0, (serverDateOf(headers) ?? nowMs) - nowMs);
  return Math.min(resetAt, nowMs + LATEST_RESET_MS, nowMs + aheadMs + LONGEST_WAIT_MS);
}

/** `Retry-After` as milliseconds from now (seconds, an instant in seconds or milliseconds, or an HTTP date); null if missing or unreadable. @param nowMs by the server's clock */
export function parseRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const trimmed = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Math.max(0, Math.ceil(waitOf(Number(trimmed), nowMs)));
  // Date.parse accepts nearly anything as a date; an HTTP date starts with a weekday.
  const instant = /^[A-Z][a-z]{2,8},? /.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isFinite(instant) ? Math.max(0, instant - nowMs) : null;
}

function countOf(text: string | null): number | null {
  if (text === null || !/^\d{1,15}(?:\.\d+)?$/.test(text.trim())) return null;
  return Math.floor(Number(text));
}
