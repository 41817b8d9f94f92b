import { expect, it, vi } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { openRig, serve, START_MS, toldHour } from './rig.ts';
import { json } from '../support/scripted-server.ts';

const HOUR_MS = 3_600_000;
const YEAR_SECONDS = 31_536_000;
const RESET_MS = Date.parse('2026-03-02T11:00:00Z');
const spent = (retryAfter: unknown): object => ({ error: 'e', retryAfter, limit: 100, remaining: 0 });

it.each<[string, number, unknown, string?, number?]>([
  ['a year in the body', HOUR_MS + 1_000, YEAR_SECONDS],
  ['a number that no date can hold in the body', HOUR_MS + 1_000, 1e300],
  ['a year in the header', HOUR_MS + 1_000, null, String(YEAR_SECONDS)],
  ['a number of 25 digits in the header', HOUR_MS + 1_000, null, '9'.repeat(25)],
  ['a date far away', HOUR_MS + 1_000, null, 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ['a year after a 503', HOUR_MS, null, String(YEAR_SECONDS), 503],
  // These are not read: the next full hour is waited for.
  ['a negative number in the body', RESET_MS + 1_000 - START_MS, -5],
  ['a negative number in the header', RESET_MS + 1_000 - START_MS, null, '-31536000'],
  ['no number at all', RESET_MS + 1_000 - START_MS, 'NaN', 'NaN'],
])(
  'a wait that a server asks for of %s takes %i ms',
  async (...[, waitedMs, inBody, inHeader, status = 429]) => {
    const headers: Record<string, string> = inHeader === undefined ? {} : { 'retry-after': inHeader };
    await using rig = await serve((n) => (n === 1 ? json(spent(inBody), status, headers) : json({})));
    expect(await rig.get()).toMatchObject({ status: 200, requests: 2 });
    expect(rig.effects.now() - START_MS).toBe(waitedMs);
  },
);

it('counts of requests beyond any plan do not leave the client', async () => {
  await using rig = await serve(() => json({ ...spent(1), limit: 1e300 }, 429), { maxWaitMs: 0 });
  expect(await rig.failure()).toMatchObject({ class: 'quota' });
  expect(rig.quota.snapshot()).toMatchObject({ limit: 1_000_000_000, remaining: 0 });
});

it.each([
  [100, 0, 2 * HOUR_MS + 1],
  [100, 0, Number.NaN],
  [100, 0, Number.POSITIVE_INFINITY],
  [0, 0, HOUR_MS],
  [100, -1, HOUR_MS],
])(
  'a remembered hour of %d with %d left, ending in %d ms, is forgotten',
  async (limit, remaining, aheadMs) => {
    const initialQuota = { limit, remaining, resetAt: START_MS + aheadMs };
    await using rig = await serve(() => json({}), { initialQuota, maxWaitMs: 0 });
    for (let n = 0; n < 3; n += 1) expect(await rig.get()).toMatchObject({ status: 200 });
    expect(rig.named('quota.forgotten')).toHaveLength(1);
  },
);

it('a remembered hour that ends in two hours is that of a clock an hour ahead', () => {
  const initialQuota = { limit: 100, remaining: 0, resetAt: START_MS + 2 * HOUR_MS };
  expect(openRig('http://127.0.0.1:1', { initialQuota }).quota.snapshot()).toEqual(initialQuota);
});

it('a remembered used-up quota is tried with one request, and a raised plan goes on at once', async () => {
  const initialQuota = { limit: 100, remaining: 0, resetAt: RESET_MS };
  const raised = json({}, 200, toldHour(10_000, 9000, RESET_MS));
  await using rig = await serve(() => raised, { initialQuota, maxWaitMs: 0 });
  const calls = await rig.getAll(20);
  expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(rig.server.mostOpen()).toBeLessThanOrEqual(8);
});

it('a sleep longer than a timer can count does not end at once', async () => {
  vi.useFakeTimers();
  try {
    const delayMs = 400 * 24 * HOUR_MS;
    const onEnd = vi.fn<() => void>();
    const sleep = realEffects.sleep(delayMs).finally(onEnd);
    await vi.advanceTimersByTimeAsync(delayMs - 1);
    expect(onEnd).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await sleep;
    expect(onEnd).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
