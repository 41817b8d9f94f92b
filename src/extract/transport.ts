import { request, type Dispatcher } from 'undici';
import { connectionFault, firstOf, openDispatcher } from '../connect.ts';
import { AnswerlakeError, codeOf, contractError } from '../errors.ts';
import type { Redact } from '../redact.ts';
import { exhaustedError } from './api-error.ts';
import type { Fault } from './retry.ts';
import { statusClass, type AnswerHeaders } from './headers.ts';
import type { Secret } from '../secret.ts';

const MAX_HEADER_BYTES = 32_768;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;
/** No connection was made, so the server cannot have read the request. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

type WireRequest = ReturnType<typeof buildWireRequest>;

export interface WireAnswer {
  status: number;
  headers: AnswerHeaders;
  /** As sent, still compressed; empty for a redirect. */
  bytes: Buffer;
}

interface TransportOptions {
  origin: string;
  connections: number;
  /** Total deadline of one request. */
  timeoutMs: number;
  maxBodyBytes: number;
  redact: Redact;
}

/** Sends single HTTP requests to one origin: bounded in time and size, no retries, no redirects. */
export function openTransport(options: TransportOptions) {
  const { origin, connections, timeoutMs, maxBodyBytes } = options;
  const dispatcher = openDispatcher(origin, {
    connections,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: maxBodyBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs), rejectUnauthorized: true },
  });
  return {
    /** @throws the signal's reason */
    send: async (wire: WireRequest): Promise<{ answer: WireAnswer } | { fault: Fault }> => {
      wire.signal?.throwIfAborted();
      const controller = new AbortController();
      const abort = (): void => controller.abort();
      // A slow drip of bytes never triggers an idle timeout, so the clock covers the whole request.
      const deadline = setTimeout(abort, timeoutMs);
      wire.signal?.addEventListener('abort', abort);
      try {
        const { method, target: path, headers, body } = wire;
        const { signal } = controller;
        const answer = await request(origin + path, { dispatcher, method, headers, body, signal });
        const bytes = await readBytes(answer);
        return { answer: { status: answer.statusCode, headers: answer.headers, bytes } };
      } catch (error) {
        wire.signal?.throwIfAborted();
        const late = `no complete answer within ${String(timeoutMs)} ms`;
        if (controller.signal.aborted) return { fault: { kind: 'timeout', message: late } };
        const exhausted = exhaustedError(firstOf(error));
        if (exhausted !== null) throw exhausted;
        return { fault: faultOfNetworkError(error, options) };
      } finally {
        clearTimeout(deadline);
        wire.signal?.removeEventListener('abort', abort);
      }
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

/** The whole body. That of a redirect is not read. */
async function readBytes({ statusCode, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (statusClass(statusCode) !== 3) return Buffer.from(await body.arrayBuffer());
  // Destroying it closes the connection, which surfaces as an error of the body.
  body.on('error', () => undefined).destroy();
  return Buffer.alloc(0);
}

/** Classifies an error of the HTTP client; keeps its name, code and redacted message and drops everything else. */
function faultOfNetworkError(error: unknown, { origin, redact, maxBodyBytes }: TransportOptions): Fault {
  if (codeOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return { kind: 'unreadable', message: `a body of more than ${String(maxBodyBytes)} bytes` };
  const { code, advice, isFinal, ...read } = connectionFault(origin, error);
  const message = redact(read.message);
  const { name } = firstOf(error);
  const cause = new Error(message);
  cause.name = typeof name === 'string' ? name : 'Error';
  if (advice !== null) {
    const kind = isFinal ? 'setup' : 'connection';
    return { kind, message, neverSent: true, advice, cause };
  }
  const neverSent = NEVER_SENT.has(code);
  if (TIMEOUTS.has(code)) return { kind: 'timeout', message, neverSent, cause };
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code.startsWith('HPE_')) {
    return { kind: 'unreadable', message: `an answer that is not proper HTTP: ${message}`, cause };
  }
  return { kind: 'connection', message, neverSent, cause };
}

/** A call as passed to the client. */
export interface Call {
  method: 'GET' | 'POST';
  path: string;
  /** Sent in this order; an array repeats the name. */
  query: readonly (readonly [name: string, value: string])[];
  projectId?: string | undefined;
  /** False only if the key must not be sent. */
  withKey: boolean;
  /** Statuses besides 2xx that are returned (with a JSON body) instead of thrown. */
  answeredStatuses?: readonly number[] | undefined;
  body: string | null;
  signal?: AbortSignal | undefined;
}

/** The request on the wire. @throws AnswerlakeError if it would leave the origin or its path */
export function buildWireRequest(
  account: { account: string; origin: string; prefix: string; key: Secret | null; userAgent: string },
  call: Call,
) {
  assertInside(account.origin, call.path);
  const pairs = call.query.map(([name, value]): [string, string] => [name, value]);
  const query = new URLSearchParams(pairs).toString();
  return {
    method: call.method,
    /** Path and query. */
    target: `${account.prefix}${call.path}${query === '' ? '' : `?${query}`}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip, identity',
      'user-agent': account.userAgent,
      ...keyHeader(account, call),
      ...projectHeader(call),
      // The service refuses this header on a request without a body.
      ...(call.body === null ? {} : { 'content-type': 'application/json' }),
    },
    body: call.body,
    signal: call.signal,
  };
}

function keyHeader(account: { account: string; key: Secret | null }, call: Call): Record<string, string> {
  if (!call.withKey) return {};
  if (account.key === null) {
    throw new AnswerlakeError(`account ${account.account} has no API key, and ${call.path} needs one`, {
      class: 'configuration',
      scope: 'key',
    });
  }
  return { 'x-api-key': account.key.reveal() };
}

function projectHeader(call: Call): Record<string, string> {
  if (call.projectId === undefined) return {};
  // A blank at either end would be cut off.
  if (!/^[ -~]+$/.test(call.projectId) || call.projectId.trim() !== call.projectId) {
    const id = JSON.stringify(call.projectId);
    throw contractError(`a project id that no header can carry: ${id}`, 'project');
  }
  return { 'x-project-id': call.projectId };
}

function assertInside(origin: string, path: string): void {
  const isPath = /^\/(?!\/)[^?#\\]*$/.test(path);
  const url = isPath && URL.canParse(origin + path) ? new URL(origin + path) : null;
  if (url?.origin === origin && url.pathname === path) return;
  throw contractError(`not a path on the configured server: ${JSON.stringify(path)}`, 'slice');
}
