import { setImmediate } from 'node:timers/promises';
import { Pool } from 'undici';
import { AnswerlakeError } from '../errors.ts';
import type { Redact } from '../log.ts';
import { Exchange, type WireAnswer } from './exchange.ts';
import { exhaustedError, type Fault } from './fault.ts';

const MAX_HEADER_BYTES = 32_768;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;
/** No connection came about: the request cannot have been read by anybody. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The server's certificate was refused, before anything was sent. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|TLS_/;
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

export interface WireRequest {
  method: 'GET' | 'POST';
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  signal: AbortSignal | undefined;
}

export type Sent = { answer: WireAnswer } | { fault: Fault };

/** One HTTP request to one origin: bounded in time and size, no repeats, no redirects. */
export interface Transport extends AsyncDisposable {
  /** @throws the signal's reason */
  send(request: WireRequest): Promise<Sent>;
}

export interface TransportOptions {
  origin: string;
  connections: number;
  /** Total deadline of one request. */
  timeoutMs: number;
  maxBodyBytes: number;
  redact: Redact;
}

/** @throws AnswerlakeError of class `configuration` when certificate checks are switched off */
export function openTransport(options: TransportOptions): Transport {
  if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new AnswerlakeError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off certificate checks, so anybody could read the API key: unset it (for a private authority use NODE_EXTRA_CA_CERTS)',
      { class: 'configuration' },
    );
  }
  const { timeoutMs, maxBodyBytes } = options;
  const pool = new Pool(options.origin, {
    connections: options.connections,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs), rejectUnauthorized: true },
  });
  return {
    send: async (wire) => {
      wire.signal?.throwIfAborted();
      const exchange = new Exchange(maxBodyBytes);
      let isLate = false;
      // A drip of bytes never meets an idle timeout, so the clock runs over the whole request.
      const deadline = setTimeout(() => {
        isLate = true;
        exchange.abort();
      }, timeoutMs);
      const onAbort = (): void => exchange.abort();
      wire.signal?.addEventListener('abort', onAbort, { once: true });
      try {
        pool.dispatch(
          { method: wire.method, path: wire.target, headers: wire.headers, body: wire.body },
          exchange,
        );
        const answer = await exchange.answer;
        if (answer !== null) return { answer };
        return {
          fault: { kind: 'unreadable', message: `a body of more than ${String(maxBodyBytes)} bytes` },
        };
      } catch (error) {
        wire.signal?.throwIfAborted();
        if (isLate)
          return { fault: { kind: 'timeout', message: `no complete answer within ${String(timeoutMs)} ms` } };
        const exhausted = exhaustedError(firstOf(error));
        if (exhausted !== null) throw exhausted;
        return { fault: faultOfNetworkError(error, options.redact) };
      } finally {
        clearTimeout(deadline);
        wire.signal?.removeEventListener('abort', onAbort);
      }
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** Resolves when what waits for a connection has been sent: the client uses one again a turn of the loop after its answer, so reading a body first would keep the next request back. */
export async function connectionsReused(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Sorts an error of the HTTP client; keeps its name, code and redacted message and drops everything else. */
function faultOfNetworkError(error: unknown, redact: Redact): Fault {
  const first = firstOf(error);
  const code = typeof first.code === 'string' ? first.code : '';
  const text = redact(typeof first.message === 'string' ? first.message : 'unknown');
  // OpenSSL's own text is a line of its source.
  const plain = code === 'ERR_SSL_WRONG_VERSION_NUMBER' ? 'the server speaks no TLS there' : text;
  const message = code === '' || plain.includes(code) ? plain : `${plain} (${code})`;
  const cause = new Error(message);
  cause.name = typeof first.name === 'string' ? first.name : 'Error';
  const neverSent = NEVER_SENT.has(code) || CERTIFICATE.test(code);
  if (TIMEOUTS.has(code)) return { kind: 'timeout', message, neverSent, cause };
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code.startsWith('HPE_')) {
    return { kind: 'unreadable', message: `an answer that is not proper HTTP: ${message}`, cause };
  }
  return { kind: 'connection', message, neverSent, cause };
}

/** Connecting to several addresses fails with one error that holds one for each. */
function firstOf(error: unknown): { name?: unknown; message?: unknown; code?: unknown } {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const inner: unknown = 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
  return typeof inner === 'object' && inner !== null ? inner : error;
}
