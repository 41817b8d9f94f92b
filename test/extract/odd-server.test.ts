import { expect, it, vi } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { openRig, START_MS, ASK, toldHour } from './rig.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';

const HOUR_MS = 3_600_000;
const YEAR_SECONDS = 31_536_000;
const spent = (retryAfter: unknown): object => ({
  error: 'e',
  message: 'm',
  retryAfter,
  limit: 100,
  remaining: 0,
});

it.each([
  ['a year in the body', spent(YEAR_SECONDS), {}],
  ['a number that no date can hold in the body', spent(1e300), {}],
  ['a year in the header', spent(null), { 'retry-after': String(YEAR_SECONDS) }],
  ['a number of 25 digits in the header', spent(null), { 'retry-after': '9'.repeat(25) }],
  ['a date far away', spent(null), { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }],
])('a wait that a server asks for of %s is taken for an hour', async (_name, body, headers) => {
  const effects = virtualEffects(START_MS);
  await using server = await openScriptedServer((n) => (n === 1 ? json(body, 429, headers) : json({})));
  await using rig = openRig(server.origin, { effects });
  expect(await rig.client.get(ASK)).toMatchObject({ status: 200, requests: 2 });
  expect(effects.now() - START_MS).toBe(HOUR_MS + 1_000);
});

it.each([
  ['a negative number in the body', spent(-5), {}],
  ['a negative number in the header', spent(null), { 'retry-after': '-31536000' }],
  ['no number at all', spent('NaN'), { 'retry-after': 'NaN' }],
])(
  'a wait that a server asks for of %s is not read, and the next full hour is waited for',
  async (_name, body, headers) => {
    const effects = virtualEffects(START_MS);
    await using server = await openScriptedServer((n) => (n === 1 ? json(body, 429, headers) : json({})));
    await using rig = openRig(server.origin, { effects });
    await rig.client.get(ASK);
    expect(effects.now()).toBe(Date.parse('2026-03-02T11:00:01Z'));
  },
);

it('a wait that a server asks for of a year after a 503 pauses the key for an hour', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openScriptedServer((n) =>
    n === 1 ? json({}, 503, { 'retry-after': String(YEAR_SECONDS) }) : json({}),
  );
  await using rig = openRig(server.origin, { effects });
  await rig.client.get(ASK);
  expect(effects.now() - START_MS).toBe(HOUR_MS);
});

it('counts of requests beyond any plan do not leave the client', async () => {
  await using server = await openScriptedServer(() => json({ ...spent(1), limit: 1e300 }, 429));
  await using rig = openRig(server.origin, { maxWaitMs: 0 });
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: 'quota' });
  expect(rig.quota.snapshot()).toMatchObject({ limit: 1_000_000_000, remaining: 0 });
});

it.each([
  [100, 0, 2 * HOUR_MS + 1],
  [100, 0, Number.NaN],
  [100, 0, Number.POSITIVE_INFINITY],
  [0, 0, HOUR_MS],
  [100, -1, HOUR_MS],
])(
  'a remembered hour of %d requests with %d left that ends in %d ms is forgotten',
  async (limit, remaining, aheadMs) => {
    await using server = await openScriptedServer(() => json({}));
    const initialQuota = { limit, remaining, resetAt: START_MS + aheadMs };
    await using rig = openRig(server.origin, { initialQuota, maxWaitMs: 0 });
    for (let n = 0; n < 3; n += 1) expect(await rig.client.get(ASK)).toMatchObject({ status: 200 });
    expect(rig.named('quota.forgotten')).toHaveLength(1);
  },
);

it('a remembered hour that ends in two hours is that of a clock an hour ahead', () => {
  const initialQuota = { limit: 100, remaining: 0, resetAt: START_MS + 2 * HOUR_MS };
  expect(openRig('http://127.0.0.1:1', { initialQuota }).quota.snapshot()).toEqual(initialQuota);
});

it('a remembered used-up quota is tried with one request, and a raised plan goes on at once', async () => {
  const headers = toldHour(10_000, 9000, Date.parse('2026-03-02T11:00:00Z'));
  await using server = await openScriptedServer(() => json({}, 200, headers));
  const initialQuota = { limit: 100, remaining: 0, resetAt: Date.parse('2026-03-02T11:00:00Z') };
  await using rig = openRig(server.origin, { initialQuota, maxWaitMs: 0 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => rig.client.get(ASK)));
  expect(answers).toHaveLength(20);
  expect(server.mostOpen()).toBeLessThanOrEqual(8);
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
