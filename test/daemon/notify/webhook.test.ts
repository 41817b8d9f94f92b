import { createServer, type IncomingMessage } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { realEffects } from '../../../src/effects.ts';
import { postWebhook } from '../../../src/daemon/notify/webhook.ts';
import { secretOf } from '../../../src/secret.ts';

const MESSAGE = { text: 'hello', blocks: [] };

async function post(statuses: readonly (number | 'hang' | 'cut')[], location?: string) {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const status = statuses[seen.length] ?? 200;
      seen.push({ request, body });
      if (status === 'cut') request.socket.destroy();
      else if (status !== 'hang')
        response.writeHead(status, location === undefined ? {} : { location }).end('ok');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const pauses: number[] = [];
  const problem = await postWebhook(secretOf('env:HOOK', `http://127.0.0.1:${port}/canary`), MESSAGE, {
    effects: {
      ...realEffects,
      sleep: (delayMs) => {
        pauses.push(delayMs);
        return Promise.resolve();
      },
    },
    signal: new AbortController().signal,
    timeoutMs: 150,
  });
  return { seen, problem, pauses };
}

it('postWebhook sends JSON once', async () => {
  const { seen, problem } = await post([200]);
  expect(problem).toBeNull();
  expect(seen.map(({ request, body }) => [request.method, request.headers['content-type'], body])).toEqual([
    ['POST', 'application/json', JSON.stringify(MESSAGE)],
  ]);
});

it.each([
  [500, 'answered 500'],
  ['cut' as const, /^failed: /],
  ['hang' as const, /^failed: /],
])('postWebhook tries once more after %s, and then gives up', async (status, reason) => {
  const again = await post([status]);
  expect([again.problem, again.seen.length, again.pauses]).toEqual([null, 2, [1000]]);
  const given = await post([status, status, 200]);
  expect(given.seen).toHaveLength(2);
  expect(given.problem).toMatch(reason);
  expect(given.problem).not.toContain('canary');
});

it('postWebhook follows no redirect', async () => {
  const { seen, problem } = await post([302, 302], '/elsewhere');
  expect(problem).toBe('answered 302');
  expect(seen.map(({ request }) => request.url)).toEqual(['/canary', '/canary']);
});
