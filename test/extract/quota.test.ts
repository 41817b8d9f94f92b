import { expect, it } from 'vitest';
import { openQuota } from '../../src/extract/quota.ts';
import { openWaitBudget } from '../../src/extract/pace.ts';
import { silentLog } from '../../src/log.ts';
import { openHourServer } from './hour-server.ts';
import { openRig, START_MS, ASK, toldHour } from './rig.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { answerTogether, json, openScriptedServer } from '../support/scripted-server.ts';

const DAY_MS = 86_400_000;
const RESET_MS = Date.parse('2026-03-02T11:00:00Z');
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const sum = (counts: Map<number, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);

it('with quota headers, eight at a time use each hour up to the reserve and never meet a 429', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openHourServer({ effects, limit: 100, headers: true });
  await using rig = openRig(server.origin, { effects, maxWaitMs: DAY_MS });
  const answers = await Promise.all(times(250).map(() => rig.client.get(ASK)));
  expect(answers).toHaveLength(250);
  expect([...server.answered.values()]).toEqual([90, 90, 70]);
  expect(server.refused.size).toBe(0);
  expect(rig.named('quota.waiting')).toHaveLength(2);
});

it.each([1, 2, 3, 4, 5, 6])(
  'with quota headers, at most one 429 an hour is wasted while others spend in bursts (seed %i)',
  async (seed) => {
    const effects = virtualEffects(START_MS);
    const random = seededRandom(seed);
    const others = (): number => (random() < 0.1 ? Math.floor(random() * 25) : 0);
    await using server = await openHourServer({ effects, limit: 200, headers: true, others });
    await using rig = openRig(server.origin, { effects, maxWaitMs: DAY_MS, api: { reserveQuota: 0 } });
    await Promise.all(times(700).map(() => rig.client.get(ASK)));
    expect(sum(server.answered)).toBe(700);
    expect(Math.max(0, ...server.refused.values())).toBeLessThanOrEqual(1);
  },
);

it('with quota headers, one request goes alone until the first answer', async () => {
  const effects = virtualEffects(START_MS);
  const told = json({}, 200, toldHour(1000, 900, RESET_MS));
  const together = answerTogether(8, told);
  let openAtFirst = 0;
  await using server = await openScriptedServer((n) => (response, request) => {
    if (n > 1) together(response, request);
    // Long enough for others to come, if they were sent.
    else
      setTimeout(() => {
        openAtFirst = server.mostOpen();
        told(response, request);
      }, 30);
  });
  await using rig = openRig(server.origin, { effects });
  await Promise.all(times(17).map(() => rig.client.get(ASK)));
  expect(openAtFirst).toBe(1);
  expect(server.mostOpen()).toBe(8);
});

it('with quota headers, a used-up hour ends the call with class quota when the reset is too far away', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openHourServer({ effects, limit: 10, headers: true });
  await using rig = openRig(server.origin, { effects, maxWaitMs: 60_000 });
  const outcomes = await Promise.allSettled(times(30).map(() => rig.client.get(ASK)));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(failures).toHaveLength(21);
  for (const failure of failures) {
    expect(failure.reason).toMatchObject({
      class: 'quota',
      exitCode: 5,
      scope: 'key',
      waitUntilMs: RESET_MS,
    });
    expect(String(failure.reason)).toMatch(
      /1 of 10 requests left, 1 of them kept .* 11:00 UTC, later than the 1m of /,
    );
  }
  expect(server.seen).toHaveLength(9);
  expect(effects.slept).toEqual([]);
});

it('with quota headers, a request that got no answer counts, and one that was never sent does not', async () => {
  const told = toldHour(100, 80, RESET_MS);
  const server = await openScriptedServer((n) =>
    n === 2 ? json({}, 200, told) : (response) => void response.socket?.resetAndDestroy(),
  );
  await using rig = openRig(server.origin, { api: { attempts: 1 } });
  const ask = async (): Promise<unknown[]> => {
    await rig.client.get(ASK).catch(() => undefined);
    return [rig.quota.isConfirmed, rig.quota.snapshot()?.remaining];
  };
  expect([await ask(), await ask(), await ask()]).toEqual([
    [false, undefined],
    [true, 80],
    [true, 79],
  ]);
  await server[Symbol.asyncDispose]();
  expect(await ask()).toEqual([true, 79]);
});

it('with quota headers, retries are counted like requests', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openScriptedServer((n) =>
    json({}, n % 2 === 1 ? 500 : 200, toldHour(10, 10 - n, RESET_MS)),
  );
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0, api: { reserveQuota: 0 } });
  const outcomes = await Promise.allSettled(times(9).map(() => rig.client.get(ASK)));
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').length).toBeGreaterThan(0);
  // One more asks whether the hour is really used up.
  expect(server.seen).toHaveLength(11);
});

it('without quota headers, the limit learned from the 429 is kept in the hours after it', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openHourServer({ effects, limit: 40, headers: false });
  await using rig = openRig(server.origin, { effects, maxWaitMs: DAY_MS, api: { concurrency: 1 } });
  await Promise.all(times(130).map(() => rig.client.get(ASK)));
  expect([...server.refused.values()]).toEqual([1]);
  expect([...server.answered.values()]).toEqual([40, 36, 36, 18]);
});

it('without quota headers, a 429 that names nothing but a remaining of zero waits for the full hour', async () => {
  const effects = virtualEffects(START_MS);
  const spent = { error: 'Too Many Requests', message: 'm', remaining: 0 };
  await using server = await openScriptedServer((n) => (n === 1 ? json(spent, 429) : json({})));
  await using rig = openRig(server.origin, { effects });
  expect(await rig.client.get(ASK)).toMatchObject({ requests: 2 });
  expect(effects.now()).toBe(RESET_MS + 1_000);
});

it.each([
  [0, 'quota'],
  [5, 'transient'],
])('a 429 with a bare body and %i requests left in its headers is of class %s', async (remaining, of) => {
  const effects = virtualEffects(START_MS);
  const headers = toldHour(10, remaining, RESET_MS);
  await using server = await openScriptedServer(() => json({ error: 'e' }, 429, headers));
  await using rig = openRig(server.origin, { effects, maxWaitMs: 0 });
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: of });
});

it('without quota headers, a 429 right after each reset is waited for longer and longer', async () => {
  const effects = virtualEffects(START_MS);
  const body = { error: 'e', message: 'm', retryAfter: 1, limit: 10, remaining: 0 };
  await using server = await openScriptedServer(() => json(body, 429));
  await using rig = openRig(server.origin, { effects, maxWaitMs: DAY_MS });
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: 'quota', requests: 5 });
  expect(effects.slept).toEqual([2_000, 61_000, 241_000, 961_000]);
});

it('a used-up hour that an earlier run has seen costs one request, which sees whether that is still so', async () => {
  await using server = await openScriptedServer(() => json({}));
  const initialQuota = { limit: 100, remaining: 5, resetAt: RESET_MS };
  await using rig = openRig(server.origin, { initialQuota, maxWaitMs: 0 });
  const outcomes = await Promise.allSettled(times(20).map(() => rig.client.get(ASK)));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refused).toHaveLength(19);
  for (const reason of refused) expect(reason).toMatchObject({ class: 'quota' });
  expect(server.seen).toHaveLength(1);
});

it('an hour that an earlier run has seen and that is over is forgotten', async () => {
  await using server = await openScriptedServer(() => json({}));
  const initialQuota = { limit: 100, remaining: 0, resetAt: START_MS - 1_000 };
  await using rig = openRig(server.origin, { initialQuota, maxWaitMs: 0 });
  expect(await rig.client.get(ASK)).toMatchObject({ status: 200 });
});

it('what an earlier run has seen is replaced by what the first answer says', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openHourServer({ effects, limit: 100, headers: true });
  const initialQuota = { limit: 100, remaining: 20, resetAt: RESET_MS };
  await using rig = openRig(server.origin, { effects, initialQuota });
  await rig.client.get(ASK);
  expect(rig.quota.snapshot()).toMatchObject({ limit: 100, remaining: 99 });
});

it('two accounts of one organization share its hour', async () => {
  const effects = virtualEffects(START_MS);
  await using server = await openHourServer({ effects, limit: 50, headers: true });
  await using one = openRig(server.origin, { effects, maxWaitMs: 0 });
  await using two = openRig(server.origin, { effects, maxWaitMs: 0 });
  await one.client.get(ASK);
  await two.client.get(ASK);
  two.client.useQuota(one.client.quota);
  const calls = times(60).map((index) => (index % 2 === 0 ? one : two).client.get(ASK));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(43);
  expect(server.refused.size).toBe(0);
});

it('the known hour of a key goes along to the quota of its organization: no request goes alone again', async () => {
  const effects = virtualEffects(START_MS);
  const told = json({}, 200, toldHour(1000, 900, RESET_MS));
  const together = answerTogether(8, told);
  await using server = await openScriptedServer((n) => (n === 1 ? told : together));
  await using key = openRig(server.origin, { effects });
  const remembered = { limit: 1000, remaining: 0, resetAt: RESET_MS };
  await using organization = openRig(server.origin, { effects, initialQuota: remembered });
  expect(await key.client.get(ASK)).toMatchObject({ status: 200 });
  key.client.useQuota(organization.quota);
  await Promise.all(times(8).map(() => key.client.get(ASK)));
  expect(server.mostOpen()).toBe(8);
});

it('a request without the key costs no quota', async () => {
  await using server = await openScriptedServer(() => json({}));
  const initialQuota = { limit: 100, remaining: 0, resetAt: RESET_MS };
  await using rig = openRig(server.origin, { initialQuota, maxWaitMs: 0 });
  expect(await rig.client.get({ ...ASK, withKey: false })).toMatchObject({ status: 200 });
  expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
});

it('one request stays ours however small the limit and large the reserve', async () => {
  const effects = virtualEffects(START_MS);
  const quota = openQuota({ reserve: 1, waitBudget: openWaitBudget(0), effects, log: silentLog });
  for (const remaining of [2, 1]) {
    const seen = { limit: 2, remaining, resetAt: RESET_MS };
    (await quota.acquire()).settle({ kind: 'headers', good: true, seen });
  }
  await expect(quota.acquire()).rejects.toMatchObject({ class: 'quota' });
});

it('a limit that was reset within the hour is not counted to the end of the hour', async () => {
  const effects = virtualEffects(START_MS);
  const waitBudget = openWaitBudget(60_000);
  const quota = openQuota({ reserve: 0, waitBudget, effects, log: silentLog });
  // Two requests in twenty seconds, told by 429s alone.
  for (const retryAfterMs of [null, null, 20_000, null, null, 20_000, null, null]) {
    const permit = await quota.acquire();
    if (retryAfterMs === null) permit.settle({ kind: 'silence', good: true });
    else permit.settle({ kind: 'limited', limit: 2, retryAfterMs, resetAt: null });
    expect(quota.isConfirmed).toBe(true);
  }
  expect(effects.now() - START_MS).toBeLessThan(60_000);
});

it('waits that overlap are charged once, and never more than the run may wait', () => {
  const budget = openWaitBudget(100);
  expect(budget.book(0, 60)).toBe(true);
  expect(budget.book(30, 80)).toBe(true);
  expect(budget.book(90, 111)).toBe(false);
  expect(budget.book(90, 110)).toBe(true);
  expect(budget.book(110, 111)).toBe(false);
});
