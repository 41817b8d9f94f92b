import { afterEach, expect, it, vi } from 'vitest';
import { realEffects } from '../../../src/effects.ts';
import { postWebhook } from '../../../src/daemon/notify/webhook.ts';
import { secretOf } from '../../../src/secret.ts';
import { openScriptedServer } from '../../support/scripted-server.ts';

afterEach(() => void vi.restoreAllMocks());

const MESSAGE = { text: 'hello', blocks: [] };

async function post(statuses: readonly (number | 'hang' | 'cut')[], location?: string) {
  const deadlines: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    deadlines.push(new AbortController());
    return deadlines.at(-1)?.signal ?? AbortSignal.abort();
  });
  await using server = await openScriptedServer((number) => (response) => {
    const status = statuses[number - 1] ?? 200;
    if (status === 'cut') response.socket?.destroy();
    else if (status === 'hang') deadlines.at(-1)?.abort();
    else response.writeHead(status, location === undefined ? {} : { location }).end('ok');
  });
  const pauses: number[] = [];
  const problem = await postWebhook(secretOf('env:HOOK', `${server.origin}/canary`), MESSAGE, {
    effects: {
      ...realEffects,
      sleep: (delayMs) => {
        pauses.push(delayMs);
        return Promise.resolve();
      },
    },
    signal: new AbortController().signal,
  });
  return { seen: server.seen, problem, pauses };
}

it('postWebhook sends JSON once', async () => {
  const { seen, problem } = await post([200]);
  expect(problem).toBeNull();
  expect(seen.map(({ method, headers, body }) => [method, headers['content-type'], body])).toEqual([
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
  const { seen, problem } = await post([300, 302], '/elsewhere');
  expect(problem).toBe('answered 302');
  expect(seen.map(({ url }) => url)).toEqual(['/canary', '/canary']);
});
