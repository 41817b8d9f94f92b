import { expect, it } from 'vitest';
import { openWaitBudget } from '../../src/extract/pace.ts';
import { openQuota } from '../../src/extract/quota.ts';
import { hourOnly } from '../../src/extract/quota-state.ts';
import { silentLog } from '../../src/log.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { openRig, recordingLog, type Rig, START_MS, ASK, toldHour } from './rig.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Ninety seconds before the end of an hour. */
const LATE_MS = Date.parse('2026-03-02T10:58:30Z');
const HOUR_END_MS = Date.parse('2026-03-02T11:00:00Z');

it('the last two minutes of an hour whose limit was told before are those of the hour', async () => {
  const effects = virtualEffects(LATE_MS - 2 * MINUTE_MS);
  await using server = await openScriptedServer((n) =>
    json({}, 200, toldHour(100, n === 1 ? 50 : 10, HOUR_END_MS)),
  );
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0 });
  await rig.client.get(ASK);
  effects.advance(2 * MINUTE_MS);
  await rig.client.get(ASK);
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: 'quota' });
  expect(server.seen).toHaveLength(2);
  expect(hourOnly(rig.quota.snapshot())).toMatchObject({ limit: 100, remaining: 10 });
});

it('a key that joins an organization learns that its server tells no quota, and forgets none it knows', async () => {
  const effects = virtualEffects(START_MS);
  const open = (initial: ReturnType<typeof hourOnly>) =>
    openQuota({ reserve: 0, waitBudget: openWaitBudget(0), effects, log: silentLog, initial });
  const silent = open(null);
  (await silent.acquire()).settle({ kind: 'silence', good: true });
  const remembered = { limit: 100, remaining: 50, resetAt: START_MS + 45 * MINUTE_MS };
  const [fresh, known] = [open(null), open(remembered)];
  for (const quota of [fresh, known]) quota.takeOver(silent);
  fresh.takeOver(open(null));
  expect([fresh.isConfirmed, fresh.hasSent, fresh.snapshot()]).toEqual([true, true, null]);
  expect([known.isConfirmed, known.hasSent, known.snapshot()]).toEqual([false, true, remembered]);
});

it('of answers that overtake each other the lowest count holds, within an hour and a limit', async () => {
  const effects = virtualEffects(START_MS);
  const lines: Rig['events'] = [];
  const log = recordingLog(lines);
  const quota = openQuota({ reserve: 0.1, waitBudget: openWaitBudget(HOUR_MS), effects, log });
  (await quota.acquire()).cancel();
  expect(quota.hasSent).toBe(false);
  const resetAt = START_MS + 45 * MINUTE_MS;
  const left: unknown[] = [];
  for (const seen of [
    { limit: 100, remaining: 60, resetAt },
    { limit: 100, remaining: 70, resetAt: resetAt + MINUTE_MS },
    { limit: 100, remaining: 1, resetAt: resetAt - HOUR_MS },
    { limit: 200, remaining: 160, resetAt },
    { limit: 200, remaining: 199, resetAt: resetAt + HOUR_MS },
  ]) {
    (await quota.acquire()).settle({ kind: 'headers', good: true, seen });
    left.push(quota.snapshot()?.remaining);
  }
  expect(left).toEqual([60, 60, 60, 160, 199]);
  expect([lines.length, quota.isUsedUp()]).toEqual([4, false]);
  const seen = { limit: 200, remaining: 20, resetAt: resetAt + HOUR_MS };
  (await quota.acquire()).settle({ kind: 'headers', good: true, seen });
  expect(quota.isUsedUp()).toBe(true);
  effects.advance(HOUR_MS);
  await quota.acquire();
  expect(lines.at(-1)?.fields['waitMs']).toBe(45 * MINUTE_MS + 1_000);
});

it('a limit that stands in because a 429 named none is no hourly limit for the next run', async () => {
  const effects = virtualEffects(START_MS);
  const open = (initial: ReturnType<typeof hourOnly>) =>
    openQuota({ reserve: 0.1, waitBudget: openWaitBudget(0), effects, log: silentLog, initial });
  const first = open(null);
  // A full hour, as a real reset is.
  const retryAfterMs = 45 * MINUTE_MS;
  (await first.acquire()).settle({ kind: 'limited', limit: null, retryAfterMs, resetAt: null });
  expect(hourOnly(first.snapshot())).toBeNull();
  // A worker hands it on within the run: it is still no limit to count by.
  const second = open(first.snapshot());
  effects.advance(retryAfterMs + 1_001);
  for (let sent = 0; sent < 6; sent += 1) (await second.acquire()).settle({ kind: 'silence', good: true });
  expect(effects.slept).toEqual([]);
});

it.each<[number, number, Record<string, string>?]>([
  [-30_000, 1_000],
  [30_000, 31_000],
  [120_000, 121_000],
  [121_000, 60_000],
  [30_000, 5_000, { 'retry-after': '5' }],
])(
  'a 429 of the minute that names a reset %i ms ahead pauses the key for %i ms (%j)',
  async (aheadMs, pausedMs, more = {}) => {
    const effects = virtualEffects(START_MS);
    const headers = toldHour(1000, 900, START_MS + aheadMs);
    await using server = await openScriptedServer((n) =>
      n === 1
        ? json({ code: 'RATE_LIMITED', limit: 60, remaining: 0 }, 429, { ...headers, ...more })
        : json({}),
    );
    await using rig = openRig(server.origin, { effects });
    await rig.client.get(ASK);
    expect(effects.now() - START_MS).toBe(pausedMs);
  },
);

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
