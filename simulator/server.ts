import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer } from './refusal.ts';

const GZIP_FROM_BYTES = 1024;

/** The request as it arrived, before any decision. */
export interface Incoming {
  method: string;
  path: string;
  query: [name: string, value: string][];
  headers: IncomingMessage['headers'];
  body: string;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const NO_CONTENT = 204;

/** Writes an answer, compressed if the client accepts gzip. */
export function writeAnswer(request: Incoming, response: ServerResponse, answer: Answer): void {
  const plain = Buffer.from(answer.status === NO_CONTENT ? '' : JSON.stringify(answer.body));
  const isZipped =
    plain.length >= GZIP_FROM_BYTES && /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
  const bytes = isZipped ? gzipSync(plain, { level: 1 }) : plain;
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
    ...answer.headers,
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    ...(answer.status === NO_CONTENT ? {} : { 'content-length': bytes.length }),
  });
  response.end(bytes);
}

/** Starts an HTTP server on 127.0.0.1 that hands each whole request to `handle`. */
export async function openServer(
  port: number,
  handle: (request: Incoming, response: ServerResponse) => Promise<void>,
): Promise<{ port: number; close(): Promise<void> }> {
  const server: Server = createServer((message, response) => {
    response.on('error', () => undefined);
    void (async () => {
      const url = new URL(message.url ?? '/', 'http://127.0.0.1');
      const incoming: Incoming = {
        method: message.method ?? 'GET',
        path: url.pathname,
        query: [...url.searchParams],
        headers: message.headers,
        body: await readBody(message),
      };
      await handle(incoming, response);
    })().catch(() => {
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
