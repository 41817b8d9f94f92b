export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What the organization's hour has left, as an answer's headers tell it. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Epoch milliseconds; null when the header is missing or makes no sense. */
  resetAt: number | null;
}

const LONGEST_WINDOW_MS = 2 * 3_600_000;
/** An answer of the last second of an hour is read in the next one. */
const LATEST_ANSWER_MS = 60_000;
/** Smaller numbers cannot be Unix seconds of our time: they are seconds from now. */
const SMALLEST_UNIX_SECONDS = 100_000_000;

export function headerOf(headers: AnswerHeaders, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** Reads `X-RateLimit-*`; null when there are none. */
export function readRateLimit(headers: AnswerHeaders, nowMs: number): RateLimit | null {
  const limit = countOf(headerOf(headers, 'x-ratelimit-limit'));
  const remaining = countOf(headerOf(headers, 'x-ratelimit-remaining'));
  if (limit === null || remaining === null || limit === 0) return null;
  return { limit, remaining, resetAt: readReset(headerOf(headers, 'x-ratelimit-reset'), nowMs) };
}

function readReset(text: string | null, nowMs: number): number | null {
  const seconds = countOf(text);
  if (seconds === null) return null;
  const resetAt = seconds < SMALLEST_UNIX_SECONDS ? nowMs + seconds * 1000 : seconds * 1000;
  return resetAt >= nowMs - LATEST_ANSWER_MS && resetAt <= nowMs + LONGEST_WINDOW_MS ? resetAt : null;
}

/** `Retry-After` as milliseconds from now (seconds or an HTTP date); null when missing or unreadable. */
export function parseRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const trimmed = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Math.ceil(Number(trimmed) * 1000);
  // Date.parse takes nearly anything for a date; an HTTP date starts with a weekday.
  const instant = /^[A-Z][a-z]{2,8},? /.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isFinite(instant) ? Math.max(0, instant - nowMs) : null;
}

function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}(?:\.\d+)?$/.test(text.trim()) ? Math.floor(Number(text)) : null;
}
