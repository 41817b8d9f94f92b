import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import type { Alteration, Altered, Belief, Exchange } from './alteration.ts';
import { diceOf } from './dice.ts';

/** One alteration of a night, and which answers it strikes. */
export interface Strike {
  alteration: Alteration;
  /** Strikes the answers of this path and project alone; null: those that belong to no project. */
  path: string;
  projectId: string | null;
  /** Share of the requests that are struck. */
  share: number;
  /** Strikes only the first so many times that the same thing is asked. */
  times: number;
}

export interface AppliedStrike {
  path: string;
  projectId: string | null;
  name: string;
  belief: Belief;
}

export interface ProxyNight {
  seed: string;
  strikes: readonly Strike[];
  /** Origins of the servers that tell the truth of tonight, of the night before, and of somebody else. */
  upstream: { tonight: string; before: string; other: string };
}

/** A proxy on loopback that alters the answers of a server by a seed. */
export interface AlteringProxy extends AsyncDisposable {
  readonly origin: string;
  /** Requests of the night by path. */
  readonly requests: Map<string, number>;
  /** What was altered this night. */
  readonly applied: AppliedStrike[];
  begin(night: ProxyNight): void;
}

const PASSED_ON = ['x-api-key', 'x-project-id', 'accept', 'user-agent'];
/** Node and we write these ourselves. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding']);

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export async function openAlteringProxy(): Promise<AlteringProxy> {
  const dispatcher = new Agent({ connections: 16 });
  const requests = new Map<string, number>();
  const asked = new Map<string, number>();
  const applied: AppliedStrike[] = [];
  let night: ProxyNight | undefined;

  async function forward(message: IncomingMessage, url: URL): Promise<Answer> {
    const sent = PASSED_ON.flatMap((name) => {
      const value = message.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = await request(url, { dispatcher, headers: Object.fromEntries(sent) });
    const text = await answer.body.text();
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      typeof value === 'string' && !OWN_HEADERS.has(name) ? [[name, value] as const] : [],
    );
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(headers),
      body: JSON.parse(text) as unknown,
    };
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (night === undefined) throw new Error('no night has begun');
    const { seed, strikes, upstream } = night;
    const target = message.url ?? '/';
    const url = new URL(target, upstream.tonight);
    requests.set(url.pathname, (requests.get(url.pathname) ?? 0) + 1);
    const projectId = message.headers['x-project-id']?.toString() ?? null;
    const identity = `${projectId ?? ''} ${target}`;
    const nth = (asked.get(identity) ?? 0) + 1;
    asked.set(identity, nth);
    const answer = await forward(message, url);
    const altered: Altered = {};
    const ask = async (origin: string, change: Readonly<Record<string, string>> = {}): Promise<unknown> => {
      const other = new URL(target, origin);
      for (const [name, value] of Object.entries(change)) other.searchParams.set(name, value);
      return (await forward(message, other)).body;
    };
    for (const [number, { alteration, path, projectId: struck, share, times }] of strikes.entries()) {
      if (path !== url.pathname || struck !== projectId || nth > times || answer.status !== 200) continue;
      const dice = diceOf(seed, number, identity);
      if (!dice.chance(share)) continue;
      const exchange: Exchange = {
        path,
        query: Object.fromEntries(url.searchParams),
        key: String(message.headers['x-api-key'] ?? ''),
        date: answer.headers['date'] ?? '',
        body: structuredClone('body' in altered ? altered.body : answer.body),
        askAgain: (change) => ask(upstream.tonight, change),
        askStale: () => ask(upstream.before),
        askOther: () => ask(upstream.other),
      };
      const change = await alteration.alter(exchange, dice);
      if (change === undefined) continue;
      Object.assign(altered, change, { headers: { ...altered.headers, ...change.headers } });
      applied.push({ path, projectId, name: alteration.name, belief: alteration.belief });
    }
    send(response, answer, altered);
  }

  const server = createServer((message, response) => {
    response.on('error', () => undefined);
    handle(message, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    requests,
    applied,
    begin: (next) => {
      night = next;
      requests.clear();
      asked.clear();
      applied.length = 0;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await dispatcher.destroy();
    },
  };
}

const DRIP_MS = 60;

function send(response: ServerResponse, answer: Answer, altered: Altered): void {
  const json = JSON.stringify('body' in altered ? altered.body : answer.body);
  const content = altered.text?.(json) ?? json;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const headers = { ...answer.headers, ...altered.headers };
  if (altered.manner === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (altered.manner === 'hang') return;
  if (altered.manner === undefined) {
    response.writeHead(altered.status ?? answer.status, { ...headers, 'content-length': bytes.length });
    response.end(bytes);
    return;
  }
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  response.writeHead(altered.status ?? answer.status, {
    ...headers,
    ...(altered.manner === 'cut' ? { connection: 'close' } : {}),
  });
  if (altered.manner === 'cut') {
    response.end(half);
    return;
  }
  response.write(half);
  const timer = setInterval(() => response.write(' '), DRIP_MS);
  response.on('close', () => {
    clearInterval(timer);
  });
}
