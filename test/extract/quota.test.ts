import { expect, it } from 'vitest';
import { openWaitBudget } from '../../src/extract/pace.ts';
import { ASK, openRig, serve, START_MS, toldHour, type RigOptions } from './rig.ts';
import { isThorough } from '../support/runs.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { answerTogether, json, type Reply } from '../support/scripted-server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RESET_MS = Date.parse('2026-03-02T11:00:00Z');
const TOLD = json({}, 200, toldHour(1000, 900, RESET_MS));

interface Hour {
  limit: number;
  /** Whether good answers carry the headers. */
  headers: boolean;
  /** Requests that other people send before each of ours. */
  others?: () => number;
}

/** A server that counts the requests of each UTC hour, ours and other people's. */
async function openHour({ limit, headers, others = () => 0 }: Hour, options: RigOptions) {
  const effects = virtualEffects(START_MS);
  const hours = new Map<number, { used: number; answered: number; refused: number }>();
  const rig = await serve(
    (number) => {
      const hour = Math.floor(effects.now() / HOUR_MS);
      const counts = hours.get(hour) ?? { used: 0, answered: 0, refused: 0 };
      hours.set(hour, counts);
      const resetMs = (hour + 1) * HOUR_MS;
      counts.used += others();
      if (counts.used >= limit) {
        counts.refused += 1;
        const retryAfter = Math.ceil((resetMs - effects.now()) / 1000);
        const body = { error: 'Too Many Requests', message: 'quota', retryAfter, limit, remaining: 0 };
        return json(body, 429, { 'retry-after': String(retryAfter) });
      }
      counts.used += 1;
      counts.answered += 1;
      return json({ number }, 200, headers ? toldHour(limit, limit - counts.used, resetMs) : {});
    },
    { effects, ...options },
  );
  const each = (name: 'answered' | 'refused'): number[] => [...hours.values()].map((counts) => counts[name]);
  return { ...rig, answered: () => each('answered'), refused: () => each('refused') };
}

const rejected = (calls: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as unknown] : []));

it('with quota headers, eight at a time use each hour up to the reserve and never meet a 429', async () => {
  await using rig = await openHour({ limit: 100, headers: true }, { maxWaitMs: DAY_MS });
  expect(rejected(await rig.getAll(250))).toEqual([]);
  expect([rig.answered(), rig.refused()]).toEqual([
    [90, 90, 70],
    [0, 0, 0],
  ]);
  expect(rig.named('quota.waiting')).toHaveLength(2);
});

it.each(isThorough ? [1, 3, 4, 5, 6] : [2])(
  'with quota headers, bursts of others cost one 429 an hour (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const others = (): number => (random() < 0.1 ? Math.floor(random() * 25) : 0);
    const options = { maxWaitMs: DAY_MS, api: { reserveQuota: 0 } };
    await using rig = await openHour({ limit: 200, headers: true, others }, options);
    expect(rejected(await rig.getAll(700))).toEqual([]);
    expect(Math.max(...rig.refused())).toBeLessThanOrEqual(1);
  },
);

it('with quota headers, one request goes alone until the first answer', async () => {
  const together = answerTogether(8, TOLD);
  let openAtFirst = 0;
  await using rig = await serve((n) => (response, request) => {
    if (n > 1) together(response, request);
    // Long enough for others to come, if they were sent.
    else
      setTimeout(() => {
        openAtFirst = rig.server.mostOpen();
        TOLD(response, request);
      }, 30);
  });
  await rig.getAll(17);
  expect([openAtFirst, rig.server.mostOpen()]).toEqual([1, 8]);
});

it('with quota headers, a used-up hour ends the call with class quota when the reset is too far away', async () => {
  await using rig = await openHour({ limit: 10, headers: true }, { maxWaitMs: 60_000 });
  const failures = rejected(await rig.getAll(30));
  expect(failures).toHaveLength(21);
  for (const failure of failures) {
    expect(failure).toMatchObject({ class: 'quota', exitCode: 5, scope: 'key', waitUntilMs: RESET_MS });
    const said = /1 of 10 requests left, 1 of them reserved .* 11:00 UTC, later than the 1m of /;
    expect(String(failure)).toMatch(said);
  }
  expect([rig.server.seen.length, rig.effects.slept]).toEqual([9, []]);
});

it('with quota headers, a request that got no answer counts, and one that was never sent does not', async () => {
  const told = json({}, 200, toldHour(100, 80, RESET_MS));
  const reset: Reply = (response) => void response.socket?.resetAndDestroy();
  await using rig = await serve((n) => (n === 2 ? told : reset), { api: { attempts: 1 } });
  const ask = async (): Promise<unknown[]> => {
    await rig.failure();
    return [rig.quota.isConfirmed, rig.quota.snapshot()?.remaining];
  };
  expect(await ask()).toEqual([false, undefined]);
  expect(await ask()).toEqual([true, 80]);
  expect(await ask()).toEqual([true, 79]);
  await rig.server[Symbol.asyncDispose]();
  expect(await ask()).toEqual([true, 79]);
});

it('with quota headers, retries are counted like requests', async () => {
  const script = (n: number) => json({}, n % 2 === 1 ? 500 : 200, toldHour(10, 10 - n, RESET_MS));
  await using rig = await serve(script, { maxWaitMs: 0, api: { reserveQuota: 0 } });
  expect(rejected(await rig.getAll(9)).length).toBeLessThan(9);
  // One more asks whether the hour is really used up.
  expect(rig.server.seen).toHaveLength(11);
});

it('without quota headers, the limit learned from the 429 is kept in the hours after it', async () => {
  const options = { maxWaitMs: DAY_MS, api: { concurrency: 1 } };
  await using rig = await openHour({ limit: 40, headers: false }, options);
  await rig.getAll(130);
  expect([rig.answered(), rig.refused()]).toEqual([
    [40, 36, 36, 18],
    [1, 0, 0, 0],
  ]);
});

it('without quota headers, a 429 that names nothing but a remaining of zero waits for the full hour', async () => {
  const spent = json({ error: 'Too Many Requests', message: 'm', remaining: 0 }, 429);
  await using rig = await serve((n) => (n === 1 ? spent : json({})));
  expect(await rig.get()).toMatchObject({ requests: 2 });
  expect(rig.effects.now()).toBe(RESET_MS + 1_000);
});

it.each([
  [0, 'quota'],
  [5, 'transient'],
])('a 429 with a bare body and %i requests left in its headers is of class %s', async (remaining, of) => {
  const limited = json({ error: 'e' }, 429, toldHour(10, remaining, RESET_MS));
  await using rig = await serve(() => limited, { maxWaitMs: 0 });
  expect(await rig.failure()).toMatchObject({ class: of });
});

it('without quota headers, a 429 right after each reset is waited for longer and longer', async () => {
  const body = { error: 'e', message: 'm', retryAfter: 1, limit: 10, remaining: 0 };
  await using rig = await serve(() => json(body, 429), { maxWaitMs: DAY_MS });
  expect(await rig.failure()).toMatchObject({ class: 'quota', requests: 5 });
  expect(rig.effects.slept).toEqual([2_000, 61_000, 241_000, 961_000]);
});

it('a used-up hour that an earlier run has seen costs one request, which sees whether that is still so', async () => {
  const initialQuota = { limit: 100, remaining: 5, resetAt: RESET_MS };
  await using rig = await serve(() => json({}), { initialQuota, maxWaitMs: 0 });
  const refused = rejected(await rig.getAll(20));
  expect(refused).toHaveLength(19);
  for (const reason of refused) expect(reason).toMatchObject({ class: 'quota' });
  expect(rig.server.seen).toHaveLength(1);
});

it('an hour that an earlier run has seen and that is over is forgotten', async () => {
  const initialQuota = { limit: 100, remaining: 0, resetAt: START_MS - 1_000 };
  await using rig = await serve(() => json({}), { initialQuota, maxWaitMs: 0 });
  expect(await rig.get()).toMatchObject({ status: 200 });
});

it('two accounts of one organization share its hour', async () => {
  await using one = await openHour({ limit: 50, headers: true }, { maxWaitMs: 0 });
  await using two = openRig(one.server.origin, { effects: one.effects, maxWaitMs: 0 });
  await one.get();
  await two.client.get(ASK);
  two.client.useQuota(one.quota);
  const calls = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? one : two).client.get(ASK));
  expect(rejected(await Promise.allSettled(calls))).toHaveLength(60 - 43);
  expect(one.refused()).toEqual([0]);
});

it('the known hour of a key goes along to the quota of its organization: no request goes alone again', async () => {
  const together = answerTogether(8, TOLD);
  await using key = await serve((n) => (n === 1 ? TOLD : together));
  const initialQuota = { limit: 1000, remaining: 0, resetAt: RESET_MS };
  await using organization = openRig(key.server.origin, { effects: key.effects, initialQuota });
  expect(await key.get()).toMatchObject({ status: 200 });
  key.client.useQuota(organization.quota);
  await key.getAll(8);
  expect(key.server.mostOpen()).toBe(8);
});

it('a request without the key costs no quota', async () => {
  const initialQuota = { limit: 100, remaining: 0, resetAt: RESET_MS };
  await using rig = await serve(() => json({}), { initialQuota, maxWaitMs: 0 });
  expect(await rig.get({ ...ASK, withKey: false })).toMatchObject({ status: 200 });
  expect(rig.server.seen[0]?.headers).not.toHaveProperty('x-api-key');
});

it('waits that overlap are charged once, and never more than the run may wait', () => {
  const budget = openWaitBudget(100);
  const waits = [
    [0, 60],
    [30, 80],
    [90, 111],
    [90, 110],
    [110, 111],
  ] as const;
  expect(waits.map(([from, to]) => budget.book(from, to))).toEqual([true, true, false, true, false]);
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
