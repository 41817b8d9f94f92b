import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AnswerlakeError, codeOf, usageError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { isLoopback } from '../../secret.ts';

/** The answer of a route. */
export interface Reply {
  status: number;
  contentType: string;
  body: string;
  /** Content-Security-Policy; left out: nothing may be loaded or run. */
  policy?: string;
}

/** Handles a path; receives its query string. */
export type Route = (query: URLSearchParams) => Promise<Reply>;

export type HttpServer = Awaited<ReturnType<typeof openHttpServer>>;

interface HttpOptions {
  host: string;
  port: number;
  /** Exact paths only, so that no path can be traversed. */
  routes: Readonly<Record<string, Route>>;
  /** Paths with account figures: on a loopback address, only for this machine and `hosts`, the names that a reverse proxy sends. */
  guarded?: readonly string[];
  hosts?: readonly string[];
  log: Log;
  /** Redacts secrets in every body. */
  redact?: (body: string) => string;
}

const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
// Bounds descriptors, far above the number of idle connections within the 6 s that they are kept.
const MAX_CONNECTIONS = 512;

/** Answers GET, and HEAD without the body, on a few fixed paths. @throws AnswerlakeError 'configuration' if the address cannot be used */
export async function openHttpServer(options: HttpOptions) {
  const { host, port, log } = options;
  const server = createServer(
    {
      maxHeaderSize: 8192,
      headersTimeout: 5000,
      requestTimeout: 10_000,
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      response.on('error', () => undefined);
      request.resume();
      respond(request, response, options).catch(() => response.destroy());
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, options)));
    server.listen(port, host, resolve);
  });
  server.on('error', (error) => log.error('http.failed', { error }));
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
  log.info('http.listening', { url });
  return {
    /** The origin of the server. */
    url,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, options: HttpOptions) {
  try {
    write(response, await answer(request, options));
  } catch (error) {
    options.log.error('http.failed', { path: request.url?.split('?')[0], error });
    write(response, textReply(500, 'The answer could not be made; the log says why.'));
  }
}

async function answer(request: IncomingMessage, options: HttpOptions): Promise<Reply> {
  const { host, routes, redact, guarded = [], hosts = [] } = options;
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return textReply(405, 'Only GET and HEAD are answered here.');
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const origin = `http://${request.headers.host ?? ''}`;
  const name = URL.canParse(origin) ? new URL(origin).hostname : '';
  // A page elsewhere whose name points at this machine must not read it.
  if (guarded.includes(path) && isLoopback(host) && !isLoopback(name) && !hosts.includes(name))
    return textReply(421, 'This name is not served here; behind a reverse proxy, add it to http.hosts.');
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) return textReply(404, 'There is nothing here.');
  const reply = await route(new URLSearchParams(query.join('?')));
  return redact === undefined ? reply : { ...reply, body: redact(reply.body) };
}

/** A reply of one line. */
export function textReply(status: number, body: string): Reply {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${body}\n` };
}

function write(response: ServerResponse, { status, contentType, body, policy }: Reply): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'content-security-policy': policy ?? CLOSED_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  // Node omits the body of an answer to HEAD.
  response.end(bytes);
}

function explain(error: Error, { host, port }: HttpOptions): AnswerlakeError {
  const reason =
    {
      EADDRINUSE: 'is taken by another program',
      EACCES: 'is not allowed for this user',
      EADDRNOTAVAIL: 'is not an address of this machine',
      ENOTFOUND: 'is not known',
    }[codeOf(error) ?? ''] ?? error.message;
  const what = `http: ${host}:${port} ${reason}.`;
  const todo = 'Set another http.port or http.host in the configuration; http.port: 0 turns it off.';
  return usageError([what, todo], error);
}
