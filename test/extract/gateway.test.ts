import { expect, it } from 'vitest';
import { KEY, serve, START_MS, toldHour } from './rig.ts';
import { bytes, json } from '../support/scripted-server.ts';

it.each([401, 403, 407])('a page of a gateway with %i is transient, with its title', async (status) => {
  const page = `<!doctype html><html><head><title>\n Sign in to ${KEY}\n</title></head></html>`;
  await using rig = await serve(() => bytes(page, status, { 'content-type': 'text/html' }));
  const error = await rig.failure();
  expect(error).toMatchObject({ class: 'transient', exitCode: 5 });
  const said = /a page of HTML \("Sign in to \[secret\]"\), not JSON.*a gateway stands before it/;
  expect(String(error)).toMatch(said);
  expect(rig.server.seen).toHaveLength(1);
});

it('headers that say on every good answer that nothing is left are not believed after one more request', async () => {
  await using rig = await serve(() => json({}, 200, toldHour(1000, 0, START_MS + 1_800_000)));
  await rig.getAll(30);
  expect(rig.server.seen).toHaveLength(30);
  expect([rig.effects.now(), rig.quota.isUsedUp()]).toEqual([START_MS, false]);
});

it('headers that say that nothing is left are believed again from the first 429 on', async () => {
  const resetMs = START_MS + 1_800_000;
  const told = toldHour(1000, 0, resetMs);
  const spent = json({ error: 'e', limit: 1000, remaining: 0 }, 429, told);
  await using rig = await serve((n) => (n === 5 ? spent : json({}, 200, told)), { api: { concurrency: 1 } });
  for (let n = 0; n < 6; n += 1) await rig.get();
  expect(rig.effects.now()).toBeGreaterThanOrEqual(resetMs);
});
