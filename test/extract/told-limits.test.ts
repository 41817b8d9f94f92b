import { expect, it } from 'vitest';
import { openWaitBudget } from '../../src/extract/pace.ts';
import { openQuota } from '../../src/extract/quota.ts';
import { hourOnly, type QuotaSnapshot } from '../../src/extract/quota-state.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { recordingLog, serve, START_MS, toldHour, type Rig } from './rig.ts';
import { json } from '../support/scripted-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RESET_AT = START_MS + 45 * MINUTE_MS;

/** A quota, its clock, and what it logs. */
function open(initial: QuotaSnapshot | null = null, { reserve = 0.1, maxWaitMs = 0 } = {}) {
  const effects = virtualEffects(START_MS);
  const lines: Rig['events'] = [];
  const log = recordingLog(lines);
  const quota = openQuota({ reserve, waitBudget: openWaitBudget(maxWaitMs), effects, log, initial });
  const settle = async (
    seen: Parameters<Awaited<ReturnType<typeof quota.acquire>>['settle']>[0],
  ): Promise<void> => (await quota.acquire()).settle(seen);
  return { quota, effects, lines, settle };
}

it('the last two minutes of an hour whose limit was told before are those of the hour', async () => {
  const endMs = Date.parse('2026-03-02T11:00:00Z');
  const effects = virtualEffects(endMs - 3.5 * MINUTE_MS);
  const script = (n: number) => json({}, 200, toldHour(100, n === 1 ? 50 : 10, endMs));
  await using rig = await serve(script, { effects, maxWaitMs: 0 });
  await rig.get();
  effects.advance(2 * MINUTE_MS);
  await rig.get();
  expect(await rig.failure()).toMatchObject({ class: 'quota' });
  expect(rig.server.seen).toHaveLength(2);
  expect(hourOnly(rig.quota.snapshot())).toMatchObject({ limit: 100, remaining: 10 });
});

it('a key that joins an organization learns that its server tells no quota, and forgets none it knows', async () => {
  const silent = open();
  await silent.settle({ kind: 'silence', good: true });
  const remembered = { limit: 100, remaining: 50, resetAt: RESET_AT };
  const [fresh, known] = [open().quota, open(remembered).quota];
  for (const quota of [fresh, known]) quota.takeOver(silent.quota);
  fresh.takeOver(open().quota);
  expect([fresh.isConfirmed, fresh.hasSent, fresh.snapshot()]).toEqual([true, true, null]);
  expect([known.isConfirmed, known.hasSent, known.snapshot()]).toEqual([false, true, remembered]);
});

it('of answers that overtake each other the lowest count holds, within an hour and a limit', async () => {
  const { quota, effects, lines, settle } = open(null, { maxWaitMs: HOUR_MS });
  (await quota.acquire()).cancel();
  expect(quota.hasSent).toBe(false);
  const left: unknown[] = [];
  for (const [limit, remaining, resetAt] of [
    [100, 60, RESET_AT],
    [100, 70, RESET_AT + MINUTE_MS],
    [100, 1, RESET_AT - HOUR_MS],
    [200, 160, RESET_AT],
    [200, 199, RESET_AT + HOUR_MS],
  ] as const) {
    await settle({ kind: 'headers', good: true, seen: { limit, remaining, resetAt } });
    left.push(quota.snapshot()?.remaining);
  }
  expect(left).toEqual([60, 60, 60, 160, 199]);
  expect([lines.length, quota.isUsedUp()]).toEqual([4, false]);
  const seen = { limit: 200, remaining: 20, resetAt: RESET_AT + HOUR_MS };
  await settle({ kind: 'headers', good: true, seen });
  expect(quota.isUsedUp()).toBe(true);
  effects.advance(HOUR_MS);
  await quota.acquire();
  expect(lines.at(-1)?.fields['waitMs']).toBe(45 * MINUTE_MS + 1_000);
});

it('a limit that stands in because a 429 named none is no hourly limit for the next run', async () => {
  const first = open();
  // A full hour, as a real reset is.
  const retryAfterMs = 45 * MINUTE_MS;
  await first.settle({ kind: 'limited', limit: null, retryAfterMs, resetAt: null });
  expect(hourOnly(first.quota.snapshot())).toBeNull();
  // A worker hands it on within the run: it is still no limit to count by.
  const second = open(first.quota.snapshot());
  second.effects.advance(retryAfterMs + 1_001);
  for (let sent = 0; sent < 6; sent += 1) await second.settle({ kind: 'silence', good: true });
  expect(second.effects.slept).toEqual([]);
});

it('one request stays ours however small the limit and large the reserve', async () => {
  const { quota, settle } = open(null, { reserve: 1 });
  for (const remaining of [2, 1])
    await settle({ kind: 'headers', good: true, seen: { limit: 2, remaining, resetAt: RESET_AT } });
  await expect(quota.acquire()).rejects.toMatchObject({ class: 'quota' });
});

it('a limit that was reset within the hour is not counted to the end of the hour', async () => {
  const { quota, effects, settle } = open(null, { reserve: 0, maxWaitMs: 60_000 });
  // Two requests in twenty seconds, told by 429s alone.
  for (const retryAfterMs of [null, null, 20_000, null, null, 20_000, null, null]) {
    if (retryAfterMs === null) await settle({ kind: 'silence', good: true });
    else await settle({ kind: 'limited', limit: 2, retryAfterMs, resetAt: null });
    expect(quota.isConfirmed).toBe(true);
  }
  expect(effects.now() - START_MS).toBeLessThan(60_000);
});

it.each<[number, number, Record<string, string>?]>([
  [-30_000, 1_000],
  [30_000, 31_000],
  [120_000, 121_000],
  [121_000, 60_000],
  [30_000, 5_000, { 'retry-after': '5' }],
])('a 429 of the minute with a reset %i ms ahead pauses %i ms (%j)', async (aheadMs, pausedMs, more = {}) => {
  const headers = { ...toldHour(1000, 900, START_MS + aheadMs), ...more };
  const limited = json({ code: 'RATE_LIMITED', limit: 60, remaining: 0 }, 429, headers);
  await using rig = await serve((n) => (n === 1 ? limited : json({})));
  await rig.get();
  expect(rig.effects.now() - START_MS).toBe(pausedMs);
});

it.each([
  ['the Date of the answer', (now: string) => ({ date: now })],
  ['the Date of an earlier answer', () => ({ date: '' })],
])('a Retry-After that is a date is counted by the clock of the server: %s', async (_, dateOf) => {
  const effects = virtualEffects(START_MS);
  // Our clock is 20 minutes behind.
  const serverTime = (plusMs = 0): string => new Date(effects.now() + 20 * MINUTE_MS + plusMs).toUTCString();
  await using rig = await serve(
    (n) =>
      n === 2
        ? json({}, 503, { ...dateOf(serverTime()), 'retry-after': serverTime(2_000) })
        : json({}, 200, { date: serverTime() }),
    { effects, maxWaitMs: 0 },
  );
  await rig.get();
  expect(await rig.get()).toMatchObject({ status: 200, requests: 2 });
  expect(effects.now() - START_MS).toBe(2_000);
});
