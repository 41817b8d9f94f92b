import { expect, it } from 'vitest';
import { openRig, START_MS, ask } from './rig.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';

const VALIDATE = '/api/v2/auth/validate';
const HOUR = { limit: 100, remaining: 0, retryAfter: 1800 };

/** A server that refuses the paths that end so, and counts what it is asked. */
async function openLimited(limited: readonly string[], body: object = HOUR) {
  const asked: string[] = [];
  const server = await openScriptedServer((_number, { url, headers }) => {
    asked.push(headers['x-api-key'] === undefined ? 'without the key' : (url ?? ''));
    return limited.some((end) => url?.endsWith(end) === true) ? json(body, 429) : json({});
  });
  return { server, asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

it('an hourly limit of one path fails that path alone, at once and until the time it names', async () => {
  await using limited = await openLimited(['/x']);
  await using rig = openRig(limited.server.origin, { validatePath: VALIDATE });
  await expect(rig.client.get(ask('/x'))).rejects.toMatchObject({ class: 'transient', scope: 'slice' });
  expect(rig.quota.isConfirmed).toBe(false);
  await expect(rig.client.get(ask('/x'))).rejects.toThrow('/x: not asked before 2026-03-02T10:45:00.000Z');
  expect(await rig.client.get(ask('/y'))).toMatchObject({ status: 200 });
  expect(limited.asked).toEqual(['/x', VALIDATE, '/y']);
  expect(rig.effects.now()).toBe(START_MS);
  await rig.effects.sleep(1_800_000);
  await expect(rig.client.get(ask('/x'))).rejects.toThrow('answered 429');
  expect(limited.asked.slice(3)).toEqual(['/x', VALIDATE]);
});

it('eight calls of a limited path under way ask for one validation', async () => {
  await using limited = await openLimited(['/x']);
  await using rig = openRig(limited.server.origin, { validatePath: VALIDATE });
  const calls = await Promise.allSettled(Array.from({ length: 8 }, () => rig.client.get(ask('/x'))));
  expect(calls.every(({ status }) => status === 'rejected')).toBe(true);
  expect(limited.asked.filter((path) => path === VALIDATE)).toHaveLength(1);
});

it.each([
  ['the validation is refused too', ['/x', VALIDATE]],
  ['a second path is refused', ['/x', '/y']],
])('an hourly limit is that of the key when %s', async (_, paths) => {
  await using limited = await openLimited(paths);
  await using rig = openRig(limited.server.origin, { validatePath: VALIDATE, maxWaitMs: 0 });
  const tried = await Promise.allSettled([rig.client.get(ask('/x'))]);
  tried.push(...(await Promise.allSettled([rig.client.get(ask('/y'))])));
  expect(tried.at(-1)).toMatchObject({ reason: { class: 'quota', scope: 'key' } });
});

it('a limit of minutes pauses the key, and is the path’s own from the third refusal on', async () => {
  await using limited = await openLimited(['/x'], { code: 'RATE_LIMITED', retryAfter: 60 });
  await using rig = openRig(limited.server.origin, { validatePath: VALIDATE });
  await expect(rig.client.get(ask('/x'))).rejects.toMatchObject({ scope: 'slice', requests: 3 });
  expect(rig.effects.now() - START_MS).toBe(120_000);
  expect(limited.asked).toEqual(['/x', '/x', '/x', VALIDATE]);
});

it('a pause of more than two minutes is first asked about', async () => {
  await using limited = await openLimited(['/x'], { code: 'RATE_LIMITED', retryAfter: 600 });
  await using rig = openRig(limited.server.origin, { validatePath: VALIDATE });
  await expect(rig.client.get(ask('/x'))).rejects.toMatchObject({ scope: 'slice', requests: 1 });
  expect(await rig.client.get(ask('/y'))).toMatchObject({ status: 200 });
  expect(rig.effects.now()).toBe(START_MS);
});

it('a limit of the validation itself is that of the key', async () => {
  await using limited = await openLimited([VALIDATE]);
  await using rig = openRig(limited.server.origin, { validatePath: VALIDATE, maxWaitMs: 0 });
  await expect(rig.client.get(ask(VALIDATE))).rejects.toMatchObject({ class: 'quota' });
  expect(limited.asked).toEqual([VALIDATE]);
});

it('an hour that is known to be used up costs no validation', async () => {
  await using limited = await openLimited(['/x', VALIDATE]);
  const initialQuota = { limit: 100, remaining: 0, resetAt: Date.parse('2026-03-02T11:00:00Z') };
  await using rig = openRig(limited.server.origin, { validatePath: VALIDATE, initialQuota, maxWaitMs: 0 });
  await expect(rig.client.get(ask('/x'))).rejects.toMatchObject({ class: 'quota' });
  expect(limited.asked).toEqual(['/x']);
});
