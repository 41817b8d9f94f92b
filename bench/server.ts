import { createServer, type IncomingHttpHeaders } from 'node:http';
import { request } from 'undici';
import { addDays, toDay } from '../src/day.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { benchWorld } from './world.ts';
import type { BenchRequest, ServerCommand, ServerOptions, ServerReply } from './server-process.ts';

/**
 * The simulator behind a memory of its answers: what a request costs the server once is not measured again, so that a
 * client is measured and not the simulator; or without that memory. Runs as a child process and is told what to do by messages.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as ServerOptions;
const firstDay = toDay(options.firstDay);
const simulator = await startSimulator({
  world: benchWorld(options.projects, firstDay),
  firstDay,
  today: toDay(options.today),
  quota: { perHour: 10_000_000 },
});

interface Remembered {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const SENT_ON = ['content-type', 'content-encoding', 'vary'];
const HOUR_MS = 3_600_000;
const remembered = new Map<string, Remembered>();
let recorded: BenchRequest[] = [];
let [firstAt, lastAt] = [0, 0];
let latencyMs = 0;

function headersToSend(headers: IncomingHttpHeaders): Record<string, string> {
  const { 'x-api-key': key, 'x-project-id': project, 'accept-encoding': encoding } = headers;
  const sent: Record<string, string> = { 'accept-encoding': encoding ?? 'identity' };
  if (typeof key === 'string') sent['x-api-key'] = key;
  if (typeof project === 'string') sent['x-project-id'] = project;
  return sent;
}

async function answer(path: string, headers: Record<string, string>): Promise<Remembered> {
  const key = `${path} ${JSON.stringify(headers)}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const response = await request(simulator.url + path, { headers });
  const body = Buffer.from(await response.body.arrayBuffer());
  const kept = SENT_ON.flatMap((name) => {
    const value = response.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const fresh = { status: response.statusCode, headers: Object.fromEntries(kept), body };
  if (options.remembers) remembered.set(key, fresh);
  return fresh;
}

const server = createServer((incoming, outgoing) => {
  void (async () => {
    const path = incoming.url ?? '/';
    const headers = headersToSend(incoming.headers);
    if (recorded.push({ path, headers }) === 1) firstAt = Date.now();
    const { status, headers: kept, body } = await answer(path, headers);
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    outgoing.writeHead(status, {
      ...kept,
      'content-length': body.length,
      'x-ratelimit-limit': '10000000',
      'x-ratelimit-remaining': '9999999',
      'x-ratelimit-reset': String((Math.floor(Date.now() / HOUR_MS) + 1) * (HOUR_MS / 1000)),
    });
    outgoing.end(body);
    lastAt = Date.now();
  })().catch((error: unknown) => {
    console.error(error);
    outgoing.destroy();
  });
});

function restate(days: number): void {
  const today = toDay(options.today);
  const range = { start: addDays(today, -days), end: addDays(today, -1) };
  for (const { id } of simulator.world.projects) simulator.restate({ project: id, days: range, by: 0.05 });
  remembered.clear();
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.send?.({ url: `http://127.0.0.1:${String(port)}` } satisfies ServerReply);
});

process.on('message', (command: ServerCommand) => {
  if (command.latencyMs !== undefined) latencyMs = command.latencyMs;
  if (command.restateDays !== undefined) restate(command.restateDays);
  const requests = recorded;
  if (command.reset === true) recorded = [];
  process.send?.({ requests, firstAt, lastAt } satisfies ServerReply);
});
process.on('disconnect', () => process.exit(0));
