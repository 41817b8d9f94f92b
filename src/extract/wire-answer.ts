import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { codeOf, orNull } from '../errors.ts';
import { type Redact, redactValue, jsonOf } from '../redact.ts';
import { exhaustedError } from './api-error.ts';
import { type Fault, kindOfStatus } from './retry.ts';
import * as http from './headers.ts';
import type { QuotaEvent } from './quota.ts';
import type { WireAnswer, Call } from './transport.ts';

const MAX_TEXT_LENGTH = 1_000;
const NO_CONTENT = 204;

export interface ReadOptions {
  method: Call['method'];
  nowMs: number;
  /** Milliseconds by which the server's clock is ahead of ours, according to earlier answers; null if none had a date. */
  serverAheadMs: number | null;
  origin: string;
  maxBodyBytes: number;
  /** Statuses besides 2xx whose body is an answer. */
  answeredStatuses?: readonly number[] | undefined;
  withKey: boolean;
  redact: Redact;
}

/** A usable body, and its unpacked size. */
interface ReadBody {
  body: unknown;
  bytes: number;
}

/** The meaning of an answer: a usable body or a fault, and news about the quota. */
export type WireReading = (ReadBody | { fault: Fault }) & { news: QuotaEvent };

/** Reads and classifies the body of one answer. */
export function readWireAnswer(answer: WireAnswer, options: ReadOptions): WireReading {
  const { status } = answer;
  const isSuccess = http.statusClass(status) === 2;
  // 202 and 206 to a reading call are no answers; 204 is one without rows.
  const good = options.method === 'POST' ? isSuccess : status === 200 || status === NO_CONTENT;
  const seen = http.readRateLimit(answer.headers, options.nowMs);
  const news: QuotaEvent =
    seen === null ? { kind: 'silence', good: isSuccess } : { kind: 'headers', seen, good: isSuccess };
  if (http.statusClass(status) === 3) return { fault: redirectFault(answer, options), news };

  if (status === NO_CONTENT) return { body: null, bytes: 0, news };
  const decoded = readBody(answer, options);
  if (good || options.answeredStatuses?.includes(status) === true) {
    if (typeof decoded !== 'string') return { ...decoded, news };
    const message = `${String(status)} with ${decoded}`;
    if (good) return { fault: { kind: 'unreadable', status, message }, news };
  }
  const body = refusal.catch(refusal.parse({})).parse(typeof decoded === 'string' ? null : decoded.body);
  const told = faultOf(answer, { body, options, seen });
  const fault: Fault =
    typeof decoded === 'string'
      ? { ...told, isForeign: true, message: `${told.message} with ${decoded}` }
      : told;

  if (fault.kind !== 'hourly_limit') return { fault, news };
  const limited: QuotaEvent = {
    kind: 'limited',
    limit: body.limit === null ? (seen?.limit ?? null) : http.plausibleCount(body.limit),
    retryAfterMs: fault.retryAfterMs ?? null,
    resetAt: seen?.resetAt ?? null,
  };
  return { fault, news: limited };
}

/** An answer that is not usable. */
interface FaultContext {
  body: z.output<typeof refusal>;
  options: ReadOptions;
  seen: http.RateLimit | null;
}

function faultOf(answer: WireAnswer, context: FaultContext): Fault {
  const { status } = answer;
  const { body, seen, options } = context;
  const retryAfterMs = askedWaitOf(answer, context);
  const fault = {
    status,
    code: body.code,
    serverMessage: body.message ?? body.error,
    details: body.details,
    message: `answered ${String(status)}`,
    retryAfterMs,
  };
  if (status === 429) {
    if (isHourly(context)) return { ...fault, kind: 'hourly_limit' };
    const resetAt = seen?.resetAt ?? null;
    // Only the headers reveal how long the minute lasts.
    const isTold = retryAfterMs === null && resetAt !== null && http.isSoon(resetAt, options.nowMs);
    const untilResetMs = isTold ? Math.max(0, resetAt - options.nowMs) + http.RESET_CUSHION_MS : retryAfterMs;
    return { ...fault, kind: 'minute_limit', retryAfterMs: untilResetMs };
  }
  const isOtherSuccess = http.statusClass(status) === 2;
  const message = isOtherSuccess ? `${fault.message}, and only 200 is an answer` : fault.message;
  return { ...fault, kind: kindOfStatus(status), message };
}

/** The wait that the server requested, in milliseconds, at most an hour. */
function askedWaitOf({ headers }: WireAnswer, { body, options }: FaultContext): number | null {
  const { nowMs, serverAheadMs } = options;
  // A date is in the server's clock.
  const serverMs = http.serverDateOf(headers) ?? nowMs + (serverAheadMs ?? 0);
  const inHeader = http.parseRetryAfter(http.headerOf(headers, 'retry-after'), serverMs);
  const askedMs =
    inHeader ?? (body.retryAfter === null ? null : Math.max(0, http.waitOf(body.retryAfter, serverMs)));
  return askedMs === null ? null : Math.min(askedMs, http.LONGEST_WAIT_MS);
}

/** The limit per address identifies itself; the hourly quota has a limit and a remaining count. */
function isHourly({ body, options, seen }: FaultContext): boolean {
  if (!options.withKey || body.code === 'RATE_LIMITED') return false;
  return body.limit !== null || body.remaining !== null || seen?.remaining === 0;
}

function redirectFault(answer: WireAnswer, options: ReadOptions): Fault {
  const location = http.headerOf(answer.headers, 'location') ?? '';
  // URL parsing lower-cases the host, so an echoed key must be found first.
  const isClean = options.redact(location) === location;
  const url = isClean && URL.canParse(location, options.origin) ? new URL(location, options.origin) : null;
  return {
    kind: 'redirect',
    status: answer.status,
    message: `${String(answer.status)}, a redirect to ${url?.host ?? 'an unreadable address'}, which is never followed because the key would travel (is api.base_url right?)`,
  };
}

/** A server's text that is safe to print: bounded, one line, no escape sequences. */
function shownText(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

const textField = z.string().min(1).transform(shownText).nullable().catch(null);
const countField = z.number().min(0).nullable().catch(null);

/** The known fields of a refusal's body. */
const refusal = z.object({
  code: textField,
  message: textField,
  error: textField,
  /** Of any shape, as one line. */
  details: z
    .unknown()
    .optional()
    .transform((details = null) => {
      if (details === null || details === '') return null;
      return shownText(typeof details === 'string' ? details : jsonOf(details));
    }),
  limit: countField,
  remaining: countField,
  retryAfter: countField,
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes → JSON without secrets; a text is the problem, which quotes only the title of a page. */
function readBody(
  { bytes: packed, headers }: WireAnswer,
  { maxBodyBytes, redact }: ReadOptions,
): ReadBody | string {
  const bytes = unpack(packed, http.headerOf(headers, 'content-encoding') ?? 'identity', maxBodyBytes);
  if (typeof bytes === 'string') return bytes;
  const text = orNull(() => utf8.decode(bytes));
  if (text === null) return 'a body that is not valid UTF-8';
  if (text.trim() === '') return 'an empty body';
  try {
    const body: unknown = JSON.parse(text);
    const isClean = redact(text) === text;
    return { body: isClean ? body : redactValue(body, redact), bytes: bytes.length };
  } catch {
    return text.trimStart().startsWith('<') ? pageProblem(redact(text)) : 'broken or cut JSON';
  }
}

const MAX_TITLE_LENGTH = 100;

/** A gateway's page states its purpose in the title. */
function pageProblem(page: string): string {
  const title = /<title[^>]*>([^<]{1,1000})/i.exec(page)?.[1]?.trim() ?? '';
  const named = title === '' ? '' : ` ("${shownText(title).slice(0, MAX_TITLE_LENGTH)}")`;
  return `a page of HTML${named}, not JSON`;
}

/** The inflated bytes, at most `maxBytes`; a text explains why they cannot be read. @throws AnswerlakeError (storage) when the process is out of memory */
function unpack(bytes: Buffer, contentEncoding: string, maxBytes: number): Buffer | string {
  const encoding = contentEncoding.trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return bytes;
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    return `a body in the encoding ${shownText(encoding).slice(0, MAX_TITLE_LENGTH)}, which was not requested`;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const exhausted = exhaustedError(error);
    if (exhausted !== null) throw exhausted;
    const code = codeOf(error) ?? 'unknown';
    return code === 'ERR_BUFFER_TOO_LARGE'
      ? `a body of more than ${String(maxBytes)} bytes after decompression`
      : `a body that is not valid gzip (${code})`;
  }
}
