import { expect, it } from 'vitest';
import { openWaitBudget } from '../../src/extract/pace.ts';
import { openQuota } from '../../src/extract/quota.ts';
import { hourOnly } from '../../src/hourly-quota.ts';
import { silentLog } from '../../src/log.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { openRig, START_MS } from './rig.ts';
import { json, openScriptedServer } from './scripted-server.ts';

const ASK = { path: '/api/v1/x', query: [], withKey: true } as const;
const MINUTE_MS = 60_000;
/** Ninety seconds before the end of an hour. */
const LATE_MS = Date.parse('2026-03-02T10:58:30Z');
const HOUR_END_MS = Date.parse('2026-03-02T11:00:00Z');
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function told(limit: number, remaining: number, resetMs: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, remaining)),
    'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)),
  };
}

/** A server whose headers tell what is left of the running minute. */
function openMinuteServer(effects: { now: () => number }, limit: number) {
  const used = new Map<number, number>();
  return openScriptedServer(() => {
    const minute = Math.floor(effects.now() / MINUTE_MS);
    const count = (used.get(minute) ?? 0) + 1;
    used.set(minute, count);
    return json({}, count > limit ? 429 : 200, told(limit, limit - count, (minute + 1) * MINUTE_MS));
  });
}

it('a limit of minutes in the headers is waited for whatever --max-wait says, and is not remembered as the hour', async () => {
  const effects = virtualEffects(START_MS + 15_000);
  await using server = await openMinuteServer(effects, 20);
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0 });
  await Promise.all(times(50).map(() => rig.client.get(ASK)));
  expect(server.seen).toHaveLength(50);
  expect(effects.now()).toBe(START_MS + 2 * MINUTE_MS + 1_000);
  expect(rig.quota.snapshot()).toMatchObject({ limit: 20, isHourly: false });
  expect(hourOnly(rig.quota.snapshot())).toBeNull();
});

it('a limit of minutes that lets one request through each time is charged to --max-wait', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openMinuteServer(effects, 1);
  await using rig = openRig(server.origin, { effects, maxWaitMs: 3 * MINUTE_MS });
  const outcomes = await Promise.allSettled(times(20).map(() => rig.client.get(ASK)));
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused[0]).toMatchObject({ class: 'quota' });
  expect(server.seen.length).toBeLessThanOrEqual(6);
  expect(effects.now() - START_MS).toBeLessThanOrEqual(5 * MINUTE_MS);
});

it('a limit of minutes that is used up pauses until its reset, not for a whole minute', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openScriptedServer((n) =>
    json({}, n === 1 ? 429 : 200, told(100, n === 1 ? 0 : 99, START_MS + 20_000)),
  );
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0 });
  expect(await rig.client.get(ASK)).toMatchObject({ status: 200, requests: 2 });
  expect(effects.now()).toBe(START_MS + 21_000);
});

it('the last two minutes of an hour whose limit was told before are those of the hour', async () => {
  const effects = virtualEffects(LATE_MS - 2 * MINUTE_MS);
  await using server = await openScriptedServer((n) =>
    json({}, 200, told(100, n === 1 ? 50 : 10, HOUR_END_MS)),
  );
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0 });
  await rig.client.get(ASK);
  effects.advance(2 * MINUTE_MS);
  await rig.client.get(ASK);
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: 'quota' });
  expect(server.seen).toHaveLength(2);
  expect(hourOnly(rig.quota.snapshot())).toMatchObject({ limit: 100, remaining: 10 });
});

it('the last two minutes of an hour whose limit an earlier run was told are those of the hour', async () => {
  const effects = virtualEffects(LATE_MS);
  await using server = await openScriptedServer(() => json({}, 200, told(100, 5, HOUR_END_MS)));
  const initialQuota = { limit: 100, remaining: 0, resetAt: HOUR_END_MS - 86_400_000 };
  await using rig = openRig(server.origin, { effects, initialQuota, maxWaitMs: 0 });
  await rig.client.get(ASK);
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: 'quota' });
  expect(server.seen).toHaveLength(1);
});

it('the last two minutes of an hour of which nothing was told before are shown as the hour, and are a short pause', async () => {
  const effects = virtualEffects(LATE_MS);
  await using server = await openScriptedServer((n) =>
    json({}, 200, n === 1 ? told(100, 5, HOUR_END_MS) : told(100, 99, HOUR_END_MS + 60 * MINUTE_MS)),
  );
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0 });
  await rig.client.get(ASK);
  expect(hourOnly(rig.quota.snapshot())).toMatchObject({ limit: 100, remaining: 5 });
  await rig.client.get(ASK);
  expect(effects.now()).toBe(HOUR_END_MS + 1_000);
});

it('the last two minutes of an hour that the body of a 429 names are those of the hour', async () => {
  const effects = virtualEffects(LATE_MS);
  const body = { error: 'e', message: 'm', retryAfter: 90, limit: 100, remaining: 0 };
  await using server = await openScriptedServer(() => json(body, 429));
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0 });
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: 'quota' });
  expect(server.seen).toHaveLength(1);
  expect(hourOnly(rig.quota.snapshot())).toMatchObject({ limit: 100, remaining: 0 });
});

it('a limit that stands in because a 429 named none is no hourly limit for the next run', async () => {
  const effects = virtualEffects(START_MS);
  const open = (initial: ReturnType<typeof hourOnly>) =>
    openQuota({ reserve: 0.1, waitBudget: openWaitBudget(0), effects, log: silentLog, initial });
  const first = open(null);
  (await first.acquire()).settle({ kind: 'limited', limit: null, retryAfterMs: 600_000, resetAt: null });
  expect(hourOnly(first.snapshot())).toBeNull();
  // A worker hands it on within the run: it is still no limit to count by.
  const second = open(first.snapshot());
  effects.advance(601_001);
  for (let sent = 0; sent < 6; sent += 1) (await second.acquire()).settle({ kind: 'silence', good: true });
  expect(effects.slept).toEqual([]);
});

it.each([
  ['the Date of the answer', (serverMs: number) => ({ date: new Date(serverMs).toUTCString() })],
  ['the Date of an earlier answer', () => ({ date: '' })],
])('a Retry-After that is a date is counted by the clock of the server: %s', async (_, dateOf) => {
  const effects = virtualEffects(START_MS);
  // Our clock is 20 minutes behind.
  const serverMs = (): number => effects.now() + 20 * MINUTE_MS;
  await using server = await openScriptedServer((n) =>
    n === 2
      ? json({}, 503, { ...dateOf(serverMs()), 'retry-after': new Date(serverMs() + 2_000).toUTCString() })
      : json({}, 200, { date: new Date(serverMs()).toUTCString() }),
  );
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0 });
  await rig.client.get(ASK);
  expect(await rig.client.get(ASK)).toMatchObject({ status: 200, requests: 2 });
  expect(effects.now() - START_MS).toBe(2_000);
});
