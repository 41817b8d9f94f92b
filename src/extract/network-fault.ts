import type { Fault } from './fault.ts';

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

interface NetworkError {
  code?: unknown;
  message?: unknown;
  name?: unknown;
  errors?: unknown;
}

/** Sorts an error of the HTTP client; keeps its name, code and cleaned message and drops everything else. */
export function faultOfNetworkError(error: unknown, clean: (text: string) => string): Fault {
  const first = firstOf(error);
  const code = typeof first.code === 'string' ? first.code : '';
  const text = clean(typeof first.message === 'string' ? first.message : 'unknown');
  const message = code === '' || text.includes(code) ? text : `${text} (${code})`;
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
function firstOf(error: unknown): NetworkError {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const outer = error as NetworkError;
  const inner: unknown = Array.isArray(outer.errors) ? outer.errors[0] : undefined;
  return typeof inner === 'object' && inner !== null ? inner : outer;
}
