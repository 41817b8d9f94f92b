import { formatDuration } from '../text.ts';
import { type Redact, redactValue } from '../log.ts';
import { exhaustedError } from './api-error.ts';
import { type Fault, kindOfStatus } from './retry.ts';
import {
  headerOf,
  isSoon,
  LONGEST_WAIT_MS,
  oddReset,
  parseRetryAfter,
  plausibleCount,
  readRateLimit,
  RESET_CUSHION_MS,
  type RateLimit,
} from './headers.ts';
import type { QuotaNews } from './quota.ts';
import type { WireAnswer, Call } from './transport.ts';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';

const LONGEST_TEXT = 1_000;
const DAY_MS = 86_400_000;
const A_YEAR_MS = 365 * DAY_MS;

export interface ReadOptions {
  method: Call['method'];
  nowMs: number;
  /** Milliseconds that the server's clock is ahead of ours, by earlier answers; null when none told its time. */
  serverAheadMs: number | null;
  origin: string;
  maxBodyBytes: number;
  /** Statuses besides 2xx whose body is an answer. */
  answeredStatuses?: readonly number[] | undefined;
  withKey: boolean;
  redact: Redact;
}

/** A usable body, and its size before it was packed. */
interface ReadBody {
  body: unknown;
  bytes: number;
}

/** What an answer means: a usable body or a fault, and what it tells about the hour. */
export type Reading = (ReadBody | { fault: Fault }) & {
  news: QuotaNews;
  /** What the server said that cannot be true, and what was taken instead. */
  warning: string | null;
};

/** Whether the status promises an answer: 202, 204 or 206 to a reading call are no answers. */
export function isGood({ status }: WireAnswer, method: Call['method']): boolean {
  return method === 'POST' ? status >= 200 && status < 300 : status === 200;
}

/** What the headers tell about the hour; the body of a good answer tells no more. */
export function hourOf(answer: WireAnswer, nowMs: number): QuotaNews {
  const good = answer.status >= 200 && answer.status < 300;
  const seen = readRateLimit(answer.headers, nowMs);
  return seen === null ? { kind: 'silence', good } : { kind: 'headers', seen };
}

/** Reads the body of one answer and sorts it. */
export async function readAnswer(answer: WireAnswer, options: ReadOptions): Promise<Reading> {
  const { status, headers } = answer;
  const good = isGood(answer, options.method);
  const news = hourOf(answer, options.nowMs);
  const seen = news.kind === 'headers' ? news.seen : null;
  const warning = oddReset(headers, options.nowMs);
  if (status >= 300 && status < 400) return { fault: redirectFault(answer, options), news, warning };

  const decoded = await readBody(answer, options);
  if (good || options.answeredStatuses?.includes(status) === true) {
    if (decoded.ok) return { body: decoded.body, bytes: decoded.bytes, news, warning };
    if (good) {
      const fault: Fault = {
        kind: 'unreadable',
        status,
        message: `${String(status)} with ${decoded.problem}`,
      };
      return { fault, news, warning };
    }
  }
  const body = decoded.ok ? decoded.body : null;
  const askedMs = askedWaitOf(answer, { body, options });
  const fault = faultOf(answer, { body, options, askedMs, seen });
  const told = { fault, warning: oddWait(askedMs) ?? warning };
  if (fault.kind !== 'hourly_limit') return { ...told, news };
  const limit = countOf(body, 'limit');
  const limited: QuotaNews = {
    kind: 'limited',
    limit: limit === null ? (seen?.limit ?? null) : plausibleCount(limit),
    retryAfterMs: fault.retryAfterMs ?? null,
    resetAt: seen?.resetAt ?? null,
  };
  return { ...told, news: limited };
}

async function readBody(
  answer: WireAnswer,
  options: ReadOptions,
): Promise<(ReadBody & { ok: true }) | { ok: false; problem: string }> {
  const decoded = await decodeText({
    bytes: answer.bytes,
    encoding: headerOf(answer.headers, 'content-encoding'),
    maxBytes: options.maxBodyBytes,
  });
  if (!decoded.ok) return decoded;
  const parsed = parseJson(decoded.text, options.redact);
  return parsed.ok ? { ...parsed, bytes: decoded.length } : parsed;
}

/** An answer that is no good. */
interface FaultContext {
  body: unknown;
  options: ReadOptions;
  /** What the server asks us to wait, milliseconds. */
  askedMs: number | null;
  seen: RateLimit | null;
}

function faultOf({ status }: WireAnswer, context: FaultContext): Fault {
  const { body, askedMs, seen, options } = context;
  const retryAfterMs = askedMs === null ? null : Math.min(askedMs, LONGEST_WAIT_MS);
  const fault = {
    status,
    code: textOf(body, 'code'),
    serverMessage: textOf(body, 'message') ?? textOf(body, 'error'),
    details: detailsOf(body),
    message: `answered ${String(status)}`,
    retryAfterMs,
  };
  if (status === 429) {
    if (isHourly(context)) return { ...fault, kind: 'hourly_limit' };
    const resetAt = seen?.resetAt ?? null;
    // Where only the headers tell how long the minute lasts.
    const isTold = retryAfterMs === null && resetAt !== null && isSoon(resetAt, options.nowMs);
    const untilResetMs = isTold ? Math.max(0, resetAt - options.nowMs) + RESET_CUSHION_MS : retryAfterMs;
    return { ...fault, kind: 'minute_limit', retryAfterMs: untilResetMs };
  }
  const isOtherSuccess = status < 300;
  const message = isOtherSuccess ? `${fault.message}, and only 200 is an answer` : fault.message;
  return { ...fault, kind: kindOfStatus(status), message };
}

/** What the server asks us to wait, milliseconds: nobody has looked yet whether that can be meant. */
function askedWaitOf({ headers }: WireAnswer, told: { body: unknown; options: ReadOptions }): number | null {
  const { nowMs, serverAheadMs } = told.options;
  // A date is told by the server's clock.
  const dateMs = Date.parse(headerOf(headers, 'date') ?? '');
  const serverMs = Number.isFinite(dateMs) ? dateMs : nowMs + (serverAheadMs ?? 0);
  const inHeader = parseRetryAfter(headerOf(headers, 'retry-after'), serverMs);
  const seconds = countOf(told.body, 'retryAfter');
  return inHeader ?? (seconds === null ? null : seconds * 1000);
}

function oddWait(askedMs: number | null): string | null {
  if (askedMs === null || askedMs <= LONGEST_WAIT_MS) return null;
  const days = Math.round(askedMs / DAY_MS);
  const asked =
    askedMs > A_YEAR_MS ? 'more than a year' : days > 1 ? `${String(days)} days` : formatDuration(askedMs);
  return `the server asked us to wait ${asked}; ${formatDuration(LONGEST_WAIT_MS)} was taken instead, because its quota counts hours`;
}

/** The limit per address names itself; the organization's hour speaks of a limit and what remains. */
function isHourly({ body, options, seen }: FaultContext): boolean {
  if (!options.withKey || textOf(body, 'code') === 'RATE_LIMITED') return false;
  if (countOf(body, 'limit') !== null || countOf(body, 'remaining') !== null) return true;
  return seen?.remaining === 0;
}

function redirectFault(answer: WireAnswer, options: ReadOptions): Fault {
  const location = headerOf(answer.headers, 'location') ?? '';
  // A URL lower-cases its host, so an echoed key must be found before.
  const isClean = options.redact(location) === location;
  const url = isClean && URL.canParse(location, options.origin) ? new URL(location, options.origin) : null;
  return {
    kind: 'redirect',
    status: answer.status,
    message: `${String(answer.status)}, a redirect to ${url?.host ?? 'an address that cannot be told'}, which is never followed because the key would travel (is api.base_url right?)`,
  };
}

function textOf(body: unknown, name: string): string | null {
  const value = fieldOf(body, name);
  return typeof value === 'string' && value !== '' ? shownText(value) : null;
}

/** `details` of any shape, as one line. */
function detailsOf(body: unknown): string | null {
  const details = fieldOf(body, 'details');
  if (details === undefined || details === null || details === '') return null;
  return shownText(typeof details === 'string' ? details : JSON.stringify(details));
}

/** A server's text as a terminal may show it: bounded, one line, no escape sequences. */
function shownText(text: string): string {
  return text.slice(0, LONGEST_TEXT).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

function countOf(body: unknown, name: string): number | null {
  const value = fieldOf(body, name);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function fieldOf(body: unknown, name: string): unknown {
  return isRecord(body) && Object.hasOwn(body, name) ? body[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** No answer of this API nests deeper than eight. */
const DEEPEST = 100;
/** Entries of one list or object; the longest list of this API that may be asked for has 1,000. */
const MOST_ENTRIES = 200_000;
/** Entries of all lists and objects of one body together. */
const MOST_VALUES = 2_000_000;

const gunzipAsync = promisify(gunzip);
/** Packed bytes that are inflated at once: the way to another thread and back costs more than a body of that size. */
const MOST_AT_ONCE = 65_536;
const utf8 = new TextDecoder('utf-8', { fatal: true });

type DecodedBody = { ok: true; body: unknown } | { ok: false; problem: string };

/** Bytes → text: inflates within `maxBytes`, strict UTF-8. */
async function decodeText(options: {
  bytes: Buffer;
  encoding: string | null;
  maxBytes: number;
}): Promise<{ ok: true; text: string; length: number } | { ok: false; problem: string }> {
  const encoding = (options.encoding ?? 'identity').trim().toLowerCase();
  let { bytes } = options;
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    try {
      const bounds = { maxOutputLength: options.maxBytes };
      bytes = bytes.length <= MOST_AT_ONCE ? gunzipSync(bytes, bounds) : await gunzipAsync(bytes, bounds);
    } catch (error) {
      const exhausted = exhaustedError(error);
      if (exhausted !== null) throw exhausted;
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      return {
        ok: false,
        problem:
          code === 'ERR_BUFFER_TOO_LARGE'
            ? `a body of more than ${String(options.maxBytes)} bytes after decompression`
            : `a body that is not valid gzip (${code})`,
      };
    }
  } else if (encoding !== 'identity' && encoding !== '') {
    return { ok: false, problem: 'a content encoding that was not asked for' };
  }
  try {
    return { ok: true, text: utf8.decode(bytes), length: bytes.length };
  } catch {
    return { ok: false, problem: 'a body that is not valid UTF-8' };
  }
}

/** Text → JSON without secrets; the problem never quotes the text. */
function parseJson(text: string, redact: Redact): DecodedBody {
  if (text.trim() === '') return { ok: false, problem: 'an empty body' };
  const problem = shapeProblem(text);
  if (problem !== null) return { ok: false, problem };
  try {
    const body: unknown = JSON.parse(text);
    return { ok: true, body: redact(text) === text ? body : redactValue(body, redact) };
  } catch {
    const looksLikeMarkup = text.trimStart().startsWith('<');
    return { ok: false, problem: looksLikeMarkup ? 'a page of HTML, not JSON' : 'broken or cut JSON' };
  }
}

/** Says what makes a text too much for everybody who walks through its values; a look at each character costs 2 ns. */
function shapeProblem(text: string): string | null {
  const entries = new Uint32Array(DEEPEST + 1);
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22:
        index = endOfString(text, index);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        values += 1;
        if (depth > DEEPEST) return `JSON nested deeper than ${String(DEEPEST)} levels`;
        entries[depth] = 1;
        break;
      case 0x5d:
      case 0x7d:
        depth = Math.max(0, depth - 1);
        break;
      case 0x2c: {
        values += 1;
        const length = (entries[depth] ?? 0) + 1;
        entries[depth] = length;
        if (length > MOST_ENTRIES) return `a list of more than ${String(MOST_ENTRIES)} entries`;
        break;
      }
      default:
    }
    if (values > MOST_VALUES) return `more than ${String(MOST_VALUES)} values`;
  }
  return null;
}

/** Index of the quote that ends the string; the text's length when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === 0x5c) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
