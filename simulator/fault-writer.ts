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

function send(
  response: ServerResponse,
  status: number,
  content: { headers: Record<string, string>; body: string | Buffer },
): number {
  response.writeHead(status, { ...content.headers, 'content-length': Buffer.byteLength(content.body) });
  response.end(content.body);
  return status;
}

function sendError(
  response: ServerResponse,
  fault: { status: number; retryAfter?: number },
  body: unknown,
): number {
  const headers = {
    ...JSON_TYPE,
    ...(fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }),
  };
  return send(response, fault.status, { headers, body: JSON.stringify(body) });
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
  response.on('close', () => {
    clearInterval(timer);
  });
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
    case 'html':
      return send(response, 200, {
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><title>Maintenance</title>',
      });
    case 'broken-json':
      return send(response, 200, { headers, body: `${good.toString().slice(0, -1)},]` });
    case 'bad-utf8':
      return send(response, 200, {
        headers,
        body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]),
      });
    case 'gzip-bomb':
      return send(response, 200, {
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: bomb(fault.inflatedBytes ?? DEFAULT_BOMB_BYTES),
      });
    case 'huge-header':
      return send(response, 200, { headers: { ...headers, 'x-padding': 'x'.repeat(64 * 1024) }, body: good });
    case 'redirect':
      return send(response, 302, {
        headers: { location: fault.location ?? 'http://127.0.0.1:9/elsewhere' },
        body: '',
      });
    case 'empty':
      return send(response, 200, { headers, body: '' });
    case 'quota': {
      const retryAfter = fault.retryAfter ?? 60;
      return sendError(response, { status: 429, retryAfter }, hourUsedUp(500, retryAfter));
    }
    case 'rate-limit': {
      const body = { code: 'RATE_LIMITED', message: 'Too many requests, slow down.', statusCode: 429 };
      return sendError(response, { status: 429, retryAfter: fault.retryAfter ?? 1 }, body);
    }
    case 'status': {
      const error = ERROR_NAMES[fault.status] ?? 'Error';
      const code = fault.status === 500 ? { code: 'INTERNAL_ERROR' } : {};
      return sendError(response, fault, {
        ...code,
        error,
        message: `Simulated ${fault.status}.`,
        details: {},
      });
    }
    default:
      return fault satisfies never;
  }
}
