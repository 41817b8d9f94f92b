import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface ScriptedServer extends AsyncDisposable {
  readonly origin: string;
  readonly seen: SeenRequest[];
  /** Most requests that were open at the same time. */
  readonly mostOpen: () => number;
}

/** A server on loopback that answers the n-th request with `script(n)`; n starts at 1. */
export async function openScriptedServer(
  script: (number: number, request: IncomingMessage) => Reply,
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  let open = 0;
  let mostOpen = 0;
  const server = createServer((request, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      script(seen.length, request)(response, request);
    });
  });
  return {
    origin: `http://127.0.0.1:${String(await listen(server))}`,
    seen,
    mostOpen: () => mostOpen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Any bytes. */
export function bytes(body: string | Buffer, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Holds requests until `count` of them wait, then answers them all. */
export function answerTogether(count: number, reply: Reply): Reply {
  const waiting: (() => void)[] = [];
  return (response, request) => {
    waiting.push(() => reply(response, request));
    if (waiting.length >= count) for (const answer of waiting.splice(0)) answer();
  };
}

/** Starts a server on loopback. @returns its port */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A port that no program listens on. */
export async function freePort(): Promise<number> {
  const server = createPlainServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
