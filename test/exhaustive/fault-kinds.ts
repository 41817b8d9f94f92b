import type { Config } from '../../src/config/config.ts';
import type { Fault } from '../../simulator/faults.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';

/** Every way in which one answer can go wrong. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'connection reset': { kind: 'reset' },
  'reset after the headers': { kind: 'reset-after-headers' },
  'cut body, length announced': { kind: 'cut' },
  'cut body, no length': { kind: 'cut-chunked' },
  'slow drip': { kind: 'drip' },
  hang: { kind: 'hang' },
  'HTML with 200': { kind: 'html' },
  'broken JSON': { kind: 'broken-json' },
  'bad UTF-8': { kind: 'bad-utf8' },
  'gzip bomb': { kind: 'gzip-bomb', inflatedBytes: 16 * 1024 * 1024 },
  'header of 64 KiB': { kind: 'huge-header' },
  redirect: { kind: 'redirect' },
  'empty body': { kind: 'empty' },
  'status 500': { kind: 'status', status: 500 },
  'status 403': { kind: 'status', status: 403 },
  'status 503 with Retry-After': { kind: 'status', status: 503, retryAfter: 2 },
  'status 429 of the minute': { kind: 'rate-limit' },
  'status 429 of the hour': { kind: 'quota' },
};

/** A second try is not made: a path whose hour is used up waits, as long as the key still validates. */
export const FATAL: ReadonlySet<string> = new Set(['redirect', 'status 403', 'status 429 of the hour']);

/** These speak of the whole key, not of one endpoint. */
export const KEY_WIDE: ReadonlySet<string> = new Set(['status 429 of the hour']);

/** What a request asks, whatever the order of arrival. */
export function identityOf({ path, query, projectId }: RequestRecord): string {
  const parameters = query.map(([name, value]) => `${name}=${value}`).sort();
  return [path, ...parameters, projectId ?? ''].join(' ');
}

/** Short deadlines and small bodies, so that tests do not wait long. */
export function impatient(config: Config): Config {
  return { ...config, api: { ...config.api, timeoutMs: 700, maxBodyBytes: 4 * 1024 * 1024 } };
}

export function only<T>(items: readonly T[], part: number, parts: number): T[] {
  return items.filter((_, index) => index % parts === part);
}
