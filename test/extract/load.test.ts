import { expect, it } from 'vitest';
import { openLimiter, openThrottle, openWaitBudget, type Limiter } from '../../src/extract/pace.ts';
import { silentLog } from '../../src/log.ts';
import { ASK, ask, openAccess, recordingLog, serve, START_MS, type Rig, type Served } from './rig.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { answerTogether, json, type Reply } from '../support/scripted-server.ts';

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const reset: Reply = (response) => response.socket?.resetAndDestroy();

/** Asks for paths at the same time; how many were answered, and why the others were not. */
async function askAll(rig: Served, paths: string[]): Promise<{ answered: number; errors: string[] }> {
  const outcomes = await Promise.allSettled(paths.map((path) => rig.client.get(ask(path))));
  const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  return { answered: outcomes.length - errors.length, errors };
}

it.each([
  ['10 % random errors', 300, 0.1, 42, 315, 300],
  ['half of its answers failing at random', 400, 0.5, 7, 460, 0],
])(
  'a server with %s costs at most 13 % and 30 more requests than the %i calls',
  async (...[, count, share, seed, atLeast, answered]) => {
    const random = seededRandom(seed);
    const faults = [reset, json({}, 500), json({}, 502), json({}, 503), json({}, 429)];
    await using rig = await serve(() => {
      const fault = share < 0.5 ? faults[Math.floor(random() * faults.length)] : json({}, 500);
      return random() < share && fault !== undefined ? fault : json({});
    });
    const calls = await askAll(
      rig,
      times(count).map((n) => `/api/v1/e${String(n % 9)}`),
    );
    expect(calls.answered).toBeGreaterThanOrEqual(answered);
    const { requests, retries } = rig.client.totals;
    expect(requests).toBe(rig.server.seen.length);
    expect(requests).toBeLessThanOrEqual(count * 1.13 + 30);
    expect(requests).toBeGreaterThan(atLeast);
    expect(retries).toBe(requests - count);
  },
);

it('a dead server is left alone after a few dozen of three hundred calls, and the rest fail at once', async () => {
  await using rig = await serve(() => json({}, 500));
  const { errors } = await askAll(
    rig,
    times(300).map((n) => `/api/v1/${'abcdefghijkl'[n % 12] ?? ''}`),
  );
  expect(errors).toHaveLength(300);
  expect(errors.filter((error) => error.includes('upstream unavailable')).length).toBeGreaterThan(200);
  expect(rig.server.seen.length).toBeLessThan(70);
  expect(rig.named('circuit.opened').length).toBeGreaterThan(0);
});

it.each(['among others', 'in a row'])(
  'an endpoint that always answers 500 stops no other, asked %s',
  async (order) => {
    await using rig = await serve((_n, { url = '' }) => json({}, url.includes('/broken/') ? 500 : 200));
    const pairs = times(30).map((n) => [`/api/v1/broken/${String(n)}0a-id`, `/api/v1/good/${String(n)}`]);
    const paths = pairs.flat();
    const sorted = order === 'in a row' ? paths.toSorted() : paths;
    expect((await askAll(rig, sorted)).answered).toBe(30);
    expect(rig.named('circuit.opened')).toEqual([]);
  },
);

it.each([
  [7, 1, true, false],
  [8, 1, true, true],
  [8, 3, false, false],
  [8, 4, false, true],
  [7, 7, false, false],
])(
  '%i calls given up at %i endpoints, unreachable %j, open the circuit: %j',
  async (...[calls, endpoints, neverSent, isOpen]) => {
    const { access, fail } = openAccess();
    const failAt = (path: string): void => fail(path, { kind: 'connection', message: 'broken', neverSent });
    const pass = (): Promise<string> => access.pass(ask('/a'), openWaitBudget(0)).then(() => 'open', String);
    for (const n of times(calls)) failAt(`/${'abcdefg'[n % endpoints] ?? ''}/${n}`);
    expect(await pass()).toContain(isOpen ? 'upstream unavailable' : 'open');
    access.answered();
    failAt('/a');
    expect(await pass()).toBe('open');
  },
);

it('Retry-After silences every request of the key, and outranks our own delay', async () => {
  const sentAt: number[] = [];
  await using rig = await serve((n) => {
    sentAt.push(rig.effects.now());
    return n === 1 ? json({}, 503, { 'retry-after': '90' }) : json({});
  });
  await rig.getAll(20);
  const [first = 0, ...others] = sentAt;
  expect([others.length, Math.min(...others)]).toEqual([20, first + 90_000]);
});

it('Retry-After longer than the run may wait is given up', async () => {
  await using rig = await serve(() => json({}, 503, { 'retry-after': '3600' }), { maxWaitMs: 60_000 });
  expect(await rig.failure()).toMatchObject({ class: 'transient', exitCode: 5 });
  expect([rig.server.seen.length, rig.effects.slept]).toEqual([1, []]);
});

it('requests on the wire stay within the concurrency', async () => {
  const held = answerTogether(3, json({}));
  await using rig = await serve((n) => (n === 1 ? json({}) : held), { api: { concurrency: 3 } });
  await rig.getAll(31);
  expect(rig.server.mostOpen()).toBe(3);
});

it('the throttle lets no more than its number through in any 60 seconds', async () => {
  const effects = virtualEffects(START_MS);
  const throttle = openThrottle(7, effects, silentLog);
  const passedAt: number[] = [];
  for (const _ of times(50)) {
    effects.advance(Math.floor(effects.random() * 9_000));
    await throttle.acquire();
    passedAt.push(effects.now());
  }
  for (const start of passedAt)
    expect(passedAt.filter((at) => at >= start && at < start + 60_000).length).toBeLessThanOrEqual(7);
  expect(effects.slept.length).toBeGreaterThan(0);
});

it('the throttle lets its number through, then waits for the minute, and logs waits of two seconds', async () => {
  const effects = virtualEffects(START_MS);
  const lines: Rig['events'] = [];
  const throttle = openThrottle(2, effects, recordingLog(lines));
  const told: number[] = [];
  for (const pauseMs of [0, 0, 58_001, 0, 58_000, 0, 0]) {
    effects.advance(pauseMs);
    await throttle.acquire();
    told.push(lines.length);
  }
  expect(told).toEqual([0, 0, 0, 0, 1, 1, 2]);
  expect(effects.slept).toEqual([1999, 2000, 60_000]);
  expect(lines.map(({ event }) => event)).toEqual(['throttle.waiting', 'throttle.waiting']);
});

async function send(limiter: Limiter, outcome: 'succeeded' | 'overloaded', times = 1): Promise<void> {
  for (let n = 0; n < times; n += 1)
    await limiter.run(async (slot) => {
      await new Promise(setImmediate);
      slot[outcome]();
    });
}

it('requests that were under way together halve the concurrency once; ten successes raise it by one', async () => {
  const limiter = openLimiter(8);
  await Promise.all(Array.from({ length: 8 }, () => send(limiter, 'overloaded')));
  expect(limiter.concurrency).toBe(4);
  await send(limiter, 'overloaded', 5);
  expect(limiter.concurrency).toBe(1);
  await send(limiter, 'succeeded', 9);
  expect(limiter.concurrency).toBe(1);
  await send(limiter, 'succeeded');
  expect(limiter.concurrency).toBe(2);
  await send(limiter, 'succeeded', 200);
  expect(limiter.concurrency).toBe(8);
});

it('of two silences that a server asked for, the one that ends later holds', async () => {
  const { access, effects, lines, fail } = openAccess();
  const silence = (retryAfterMs: number): void =>
    fail('/x', { kind: 'minute_limit', message: '429', retryAfterMs }, 9);
  for (const pauseMs of [2_000, 120_000, 3_000, 120_000, 0]) silence(pauseMs);
  expect(lines).toHaveLength(2);
  await access.pass(ASK, openWaitBudget(0));
  await access.pass(ASK, openWaitBudget(0));
  expect(effects.slept).toEqual([120_000]);
  silence(120_001);
  await expect(access.pass(ASK, openWaitBudget(120_000))).rejects.toMatchObject({ class: 'transient' });
});

it('an overload discards the successes that were counted before it', async () => {
  const limiter = openLimiter(4);
  for (const outcome of ['overloaded', 'succeeded', 'overloaded'] as const) await send(limiter, outcome);
  await send(limiter, 'succeeded', 9);
  expect(limiter.concurrency).toBe(1);
});

it('requests go out in the order of the calls, no more at a time than the halved concurrency', async () => {
  const limiter = openLimiter(2);
  const steps: string[] = [];
  await send(limiter, 'overloaded');
  const numbers = [0, 1, 2];
  const one = (number: number): Promise<void> =>
    limiter.run(async () => {
      steps.push(`begins ${String(number)}`);
      await new Promise(setImmediate);
      steps.push(`ends ${String(number)}`);
    });
  await Promise.all(numbers.map(one));
  expect(steps).toEqual(numbers.flatMap((number) => [`begins ${String(number)}`, `ends ${String(number)}`]));
});
