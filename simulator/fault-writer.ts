import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Fault } from './faults.ts';
import { hourUsedUp } from './quota.ts';
import type { Answer } from './refusal.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const DEFAULT_BOMB_BYTES = 256 * 1024 * 1024;
const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

interface Content {
  status?: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

function send(response: ServerResponse, { status = 200, headers, body }: Content): number {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
  return status;
}

function errorOf({ status, retryAfter }: { status: number; retryAfter?: number }, body: unknown): Content {
  const asked = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status, headers: { ...JSON_TYPE, ...asked }, body: JSON.stringify(body) };
}

function drip(response: ServerResponse, bytes: Buffer, intervalMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (response.destroyed || at >= bytes.length) {
      clearInterval(timer);
      if (!response.destroyed) response.end();
      return;
    }
    response.write(bytes.subarray(at, at + 1));
    at += 1;
  }, intervalMs);
  response.on('close', () => clearInterval(timer));
}

/** A gzip stream of blanks that repeats one compressed mebibyte. */
function bomb(inflatedBytes: number): Buffer {
  const blanks = gzipSync(Buffer.alloc(1024 * 1024, ' '), { level: 9 });
  return Buffer.concat(Array.from({ length: Math.ceil(inflatedBytes / (1024 * 1024)) }, () => blanks));
}

/** Sends a wrong answer; `answer` is the correct one. Returns the status of the status line, 0 when none is sent. */
export function writeFault(response: ServerResponse, fault: Fault, answer: Answer): number {
  const good = Buffer.from(JSON.stringify(answer.body));
  const headers = { ...JSON_TYPE, ...answer.headers };
  switch (fault.kind) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return 0;
    case 'hang':
      return 0;
    case 'reset-after-headers':
      response.writeHead(200, { ...headers, 'content-length': good.length });
      response.flushHeaders();
      setImmediate(() => response.socket?.resetAndDestroy());
      return 200;
    case 'cut':
      response.writeHead(200, { ...headers, 'content-length': good.length });
      response.write(good.subarray(0, Math.floor(good.length / 2)), () => response.socket?.destroy());
      return 200;
    case 'cut-chunked':
      response.writeHead(200, { ...headers, connection: 'close' });
      response.end(good.subarray(0, Math.floor(good.length / 2)));
      return 200;
    case 'drip':
      response.writeHead(200, headers);
      drip(response, good, fault.intervalMs ?? 50);
      return 200;
    case 'html': {
      const body = '<!doctype html><title>Maintenance</title>';
      return send(response, { headers: { 'content-type': 'text/html' }, body });
    }
    case 'broken-json':
      return send(response, { headers, body: `${good.toString().slice(0, -1)},]` });
    case 'bad-utf8':
      return send(response, { headers, body: Buffer.from('{"a":"\xc3\x28\xff"}', 'latin1') });
    case 'gzip-bomb': {
      const body = bomb(fault.inflatedBytes ?? DEFAULT_BOMB_BYTES);
      return send(response, { headers: { ...headers, 'content-encoding': 'gzip' }, body });
    }
    case 'huge-header':
      return send(response, { headers: { ...headers, 'x-padding': 'x'.repeat(64 * 1024) }, body: good });
    case 'redirect': {
      const location = fault.location ?? 'http://127.0.0.1:9/elsewhere';
      return send(response, { status: 302, headers: { location }, body: '' });
    }
    case 'empty':
      return send(response, { headers, body: '' });
    case 'quota': {
      const retryAfter = fault.retryAfter ?? 60;
      return send(response, errorOf({ status: 429, retryAfter }, hourUsedUp(500, retryAfter)));
    }
    case 'rate-limit': {
      const body = { code: 'RATE_LIMITED', message: 'Too many requests, slow down.', statusCode: 429 };
      return send(response, errorOf({ status: 429, retryAfter: fault.retryAfter ?? 1 }, body));
    }
    case 'status': {
      const error = ERROR_NAMES[fault.status] ?? 'Error';
      const code = fault.status === 500 ? { code: 'INTERNAL_ERROR' } : {};
      const message = `Simulated ${fault.status}.`;
      return send(response, errorOf(fault, { ...code, error, message, details: {} }));
    }
    default:
      return fault satisfies never;
  }
}
