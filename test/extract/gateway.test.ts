import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { parseRetryAfter, readRateLimit } from '../../src/extract/headers.ts';
import { ASK, KEY, openRig, START_MS, toldHour } from './rig.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';
import { virtualEffects } from '../support/virtual-effects.ts';

const page = (title: string): string =>
  `<!doctype html><html><head><title>\n ${title}\n</title></head></html>`;

it.each([401, 403, 407])(
  'a page of a gateway with %i speaks for no key: class transient, with its title',
  async (status) => {
    await using server = await openScriptedServer(() => (response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end(page(`Sign in to ${KEY}`));
    });
    await using rig = openRig(server.origin);
    const error: unknown = await rig.client.get(ASK).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ class: 'transient', exitCode: 5 });
    expect(String(error)).toMatch(
      /a page of HTML \("Sign in to \[secret\]"\), not JSON.*a gateway stands before it/,
    );
    expect(server.seen).toHaveLength(1);
  },
);

it("the API's own refusal with 401 speaks against the key", async () => {
  await using server = await openScriptedServer(() => json({ error: 'Unauthorized' }, 401));
  await using rig = openRig(server.origin);
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: 'auth', exitCode: 4 });
});

it('a body in an encoding that was not asked for is told with the name of the encoding', async () => {
  await using server = await openScriptedServer(() => (response) => {
    response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('{}'));
  });
  await using rig = openRig(server.origin);
  await expect(rig.client.get(ASK)).rejects.toMatchObject({
    class: 'contract',
    message: expect.stringContaining('a body in the encoding br, which was not asked for') as string,
  });
});

it('a told instant is read in seconds or milliseconds, by its size', () => {
  const resetAt = START_MS + 5_000;
  const told = (reset: number) =>
    readRateLimit({ ...toldHour(100, 7, 0), 'x-ratelimit-reset': String(reset) }, START_MS)?.resetAt;
  expect([told(5), told(resetAt / 1000), told(resetAt)]).toEqual([resetAt, resetAt, resetAt]);
  const waits = ['5', String(resetAt / 1000), String(resetAt)].map((text) => parseRetryAfter(text, START_MS));
  expect(waits).toEqual([5_000, 5_000, 5_000]);
});

it('headers that say on every good answer that nothing is left are not believed after one more request', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openScriptedServer(() => json({}, 200, toldHour(1000, 0, START_MS + 1_800_000)));
  await using rig = openRig(server.origin, { effects });
  await Promise.all(Array.from({ length: 30 }, () => rig.client.get(ASK)));
  expect(server.seen).toHaveLength(30);
  expect(effects.now()).toBe(START_MS);
  expect(rig.quota.isUsedUp()).toBe(false);
});

it('headers that say that nothing is left are believed again from the first 429 on', async () => {
  const effects = virtualEffects(START_MS);
  const resetMs = START_MS + 1_800_000;
  const told = toldHour(1000, 0, resetMs);
  await using server = await openScriptedServer((n) =>
    n === 5 ? json({ error: 'e', limit: 1000, remaining: 0 }, 429, told) : json({}, 200, told),
  );
  await using rig = openRig(server.origin, { effects, api: { concurrency: 1 } });
  for (let n = 0; n < 6; n += 1) await rig.client.get(ASK);
  expect(effects.now()).toBeGreaterThanOrEqual(resetMs);
});
