import { expect, it } from 'vitest';
import { ask, serve, START_MS, type RigOptions } from './rig.ts';
import { json } from '../support/scripted-server.ts';

const VALIDATE = '/api/v2/auth/validate';
const HOUR = { limit: 100, remaining: 0, retryAfter: 1800 };
const [X, Y] = [ask('/x'), ask('/y')];

/** A server that refuses the paths that end so. */
async function openLimited(limited: readonly string[], body: object = HOUR, options: RigOptions = {}) {
  const rig = await serve(
    (_number, { url = '' }) => (limited.some((end) => url.endsWith(end)) ? json(body, 429) : json({})),
    { validatePath: VALIDATE, ...options },
  );
  const asked = (): string[] =>
    rig.server.seen.map(({ url, headers }) => ('x-api-key' in headers ? url : 'without the key'));
  return { ...rig, asked };
}

it('an hourly limit of one path fails that path alone, at once and until the time it names', async () => {
  await using rig = await openLimited(['/x']);
  expect(await rig.failure(X)).toMatchObject({ class: 'transient', scope: 'slice' });
  expect(rig.quota.isConfirmed).toBe(false);
  expect(String(await rig.failure(X))).toContain('/x: not requested before 2026-03-02T10:45:00.000Z');
  expect(await rig.get(Y)).toMatchObject({ status: 200 });
  expect(rig.asked()).toEqual(['/x', VALIDATE, '/y']);
  expect(rig.effects.now()).toBe(START_MS);
  await rig.effects.sleep(1_800_000);
  expect(String(await rig.failure(X))).toContain('answered 429');
  expect(rig.asked().slice(3)).toEqual(['/x', VALIDATE]);
});

it('eight calls of a limited path under way ask for one validation', async () => {
  await using rig = await openLimited(['/x']);
  const errors = await Promise.all(Array.from({ length: 8 }, () => rig.failure(X)));
  for (const error of errors) expect(error).toMatchObject({ class: 'transient' });
  expect(rig.asked().filter((path) => path === VALIDATE)).toHaveLength(1);
});

it.each([
  ['the validation is refused too', ['/x', VALIDATE]],
  ['a second path is refused', ['/x', '/y']],
])('an hourly limit is that of the key when %s', async (_, paths) => {
  await using rig = await openLimited(paths, HOUR, { maxWaitMs: 0 });
  await rig.failure(X);
  expect(await rig.failure(Y)).toMatchObject({ class: 'quota', scope: 'key' });
});

it.each([1, 2])(
  'a short limit is the path’s own from refusal %i on where no more are allowed',
  async (attempts) => {
    await using rig = await openLimited(
      ['/x'],
      { code: 'RATE_LIMITED', retryAfter: 60 },
      { api: { attempts } },
    );
    expect(await rig.failure(X)).toMatchObject({ scope: 'slice', requests: attempts });
    expect(rig.asked()).toEqual([...Array<string>(attempts).fill('/x'), VALIDATE]);
    expect(await rig.get(Y)).toMatchObject({ status: 200 });
  },
);

it.each([
  ['minutes pauses the key, and is the path’s own from the third refusal on', 60, 3, 120_000],
  ['more than two minutes is first asked about', 600, 1, 0],
])('a limit of %s', async (...[, retryAfter, requests, pausedMs]) => {
  await using rig = await openLimited(['/x'], { code: 'RATE_LIMITED', retryAfter });
  expect(await rig.failure(X)).toMatchObject({ scope: 'slice', requests });
  expect(rig.asked()).toEqual([...Array<string>(requests).fill('/x'), VALIDATE]);
  expect(await rig.get(Y)).toMatchObject({ status: 200 });
  expect(rig.effects.now() - START_MS).toBe(pausedMs);
});

it('a limit of the validation itself is that of the key', async () => {
  await using rig = await openLimited([VALIDATE], HOUR, { maxWaitMs: 0 });
  expect(await rig.failure(ask(VALIDATE))).toMatchObject({ class: 'quota' });
  expect(rig.asked()).toEqual([VALIDATE]);
});

it('an hour that is known to be used up costs no validation', async () => {
  const initialQuota = { limit: 100, remaining: 0, resetAt: Date.parse('2026-03-02T11:00:00Z') };
  await using rig = await openLimited(['/x', VALIDATE], HOUR, { initialQuota, maxWaitMs: 0 });
  expect(await rig.failure(X)).toMatchObject({ class: 'quota' });
  expect(rig.asked()).toEqual(['/x']);
});
