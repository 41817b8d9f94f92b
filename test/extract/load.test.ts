import { describe, expect, it } from 'vitest';
import { Access } from '../../src/extract/access.ts';
import { openThrottle, openWaitBudget } from '../../src/extract/pace.ts';
import { silentLog } from '../../src/log.ts';
import { openRig, recordingLog, START_MS, type Rig, ask } from './rig.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { answerTogether, json, openScriptedServer, type Reply } from '../support/scripted-server.ts';

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const reset: Reply = (response) => response.socket?.resetAndDestroy();

it('a server with 10 % random errors costs at most 15 % more requests, and every call succeeds', async () => {
  const random = seededRandom(42);
  const faults = [reset, json({}, 500), json({}, 502), json({}, 503), json({}, 429)];
  await using server = await openScriptedServer(() => {
    const fault = faults[Math.floor(random() * faults.length)];
    return random() < 0.1 && fault !== undefined ? fault : json({});
  });
  await using rig = openRig(server.origin);
  await Promise.all(times(1_500).map((n) => rig.client.get(ask(`/api/v1/e${String(n % 9)}`))));
  expect(rig.client.totals.requests).toBe(server.seen.length);
  expect(server.seen.length / 1_500).toBeLessThanOrEqual(1.15);
  expect(server.seen.length).toBeGreaterThan(1_575);
  expect(rig.client.totals.retries).toBe(server.seen.length - 1_500);
});

it('a server that fails at random costs at most 15 % more requests even when half of them fail', async () => {
  const random = seededRandom(7);
  await using server = await openScriptedServer(() => json({}, random() < 0.5 ? 500 : 200));
  await using rig = openRig(server.origin);
  await Promise.allSettled(times(2_000).map((n) => rig.client.get(ask(`/api/v1/e${String(n % 9)}`))));
  expect(server.seen.length).toBeLessThanOrEqual(2_000 * 1.15);
  expect(server.seen.length).toBeGreaterThan(2_200);
});

it('a dead server is left alone after a few dozen of three hundred calls, and the rest fail at once', async () => {
  const paths = times(300).map((n) => ask(`/api/v1/${'abcdefghijkl'[n % 12] ?? ''}`));
  await using server = await openScriptedServer(() => json({}, 500));
  await using rig = openRig(server.origin);
  const outcomes = await Promise.allSettled(paths.map((path) => rig.client.get(path)));
  const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : ''));
  expect(reasons.every((reason) => reason !== '')).toBe(true);
  expect(reasons.filter((reason) => reason.includes('upstream unavailable')).length).toBeGreaterThan(200);
  expect(server.seen.length).toBeLessThan(70);
  expect(rig.named('circuit.opened').length).toBeGreaterThan(0);
});

describe('one endpoint that always answers 500', () => {
  const isBroken = (url: string | undefined): boolean => url?.startsWith('/api/v1/broken') === true;

  it.each(['among others', 'in a row'])(
    'one endpoint that always answers 500 does not stop the others when asked %s',
    async (order) => {
      await using server = await openScriptedServer((_n, request) =>
        json({}, isBroken(request.url) ? 500 : 200),
      );
      await using rig = openRig(server.origin);
      const broken = times(30).map((n) => ask(`/api/v1/broken/${String(n)}0a-id`));
      const good = times(30).map((n) => ask(`/api/v1/good/${String(n)}`));
      const calls =
        order === 'in a row' ? [...broken, ...good] : broken.flatMap((path, n) => [path, good[n] ?? path]);
      const outcomes = await Promise.allSettled(calls.map((path) => rig.client.get(path)));
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(30);
      expect(rig.named('circuit.opened')).toEqual([]);
    },
  );
});

it.each([
  [7, 1, true, false],
  [8, 1, true, true],
  [8, 3, false, false],
  [8, 4, false, true],
  [7, 7, false, false],
])(
  '%i calls in a row, given up at %i endpoints, unreachable %j, open the circuit: %j',
  async (...[calls, endpoints, neverSent, isOpen]) => {
    const effects = virtualEffects(START_MS);
    const access = new Access({ effects, log: silentLog, origin: 'https://api.example', validatePath: null });
    const fail = (path: string): void => {
      const progress = { attempts: 1, attempt: 1, unreadable: 0 };
      const fault = { kind: 'connection', message: 'broken', neverSent } as const;
      access.failed({ ...ask(path), method: 'GET', body: null }, progress, { fault, isOfPath: false });
    };
    const pass = (): Promise<string> => access.pass(ask('/a'), openWaitBudget(0)).then(() => 'open', String);
    for (const n of times(calls)) fail(`/${'abcdefg'[n % endpoints] ?? ''}/${n}`);
    expect(await pass()).toContain(isOpen ? 'upstream unavailable' : 'open');
    access.answered();
    fail('/a');
    expect(await pass()).toBe('open');
  },
);

it('an origin that cannot be reached is left alone after eight calls, however often each is tried', async () => {
  const server = await openScriptedServer(() => json({}));
  await using rig = openRig(server.origin, { api: { attempts: 2 } });
  await server[Symbol.asyncDispose]();
  const reasons: string[] = [];
  for (const _ of times(10))
    await rig.client.get(ask('/api/v1/a')).catch((error) => reasons.push(String(error)));
  expect(reasons.map((reason) => reason.includes('upstream unavailable'))).toEqual(
    times(10).map((n) => n >= 8),
  );
});

it('Retry-After silences every request of the key, and outranks our own delay', async () => {
  const effects = virtualEffects(START_MS);
  const sentAt: number[] = [];
  await using server = await openScriptedServer((n) => {
    sentAt.push(effects.now());
    return n === 1 ? json({}, 503, { 'retry-after': '90' }) : json({});
  });
  await using rig = openRig(server.origin, { effects });
  await Promise.all(times(20).map(() => rig.client.get(ask('/api/v1/a'))));
  const [first = 0, ...others] = sentAt;
  expect(others).toHaveLength(20);
  expect(Math.min(...others)).toBe(first + 90_000);
});

it('Retry-After longer than the run may wait is given up', async () => {
  await using server = await openScriptedServer(() => json({}, 503, { 'retry-after': '3600' }));
  await using rig = openRig(server.origin, { maxWaitMs: 60_000 });
  await expect(rig.client.get(ask('/api/v1/a'))).rejects.toMatchObject({ class: 'transient', exitCode: 5 });
  expect(server.seen).toHaveLength(1);
  expect(rig.effects.slept).toEqual([]);
});

it('requests on the wire stay within the concurrency', async () => {
  const held = answerTogether(3, json({}));
  await using server = await openScriptedServer((n) => (n === 1 ? json({}) : held));
  await using rig = openRig(server.origin, { api: { concurrency: 3 } });
  await Promise.all(times(31).map(() => rig.client.get(ask('/api/v1/a'))));
  expect(server.mostOpen()).toBe(3);
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
  for (const start of passedAt) {
    const inside = passedAt.filter((at) => at >= start && at < start + 60_000);
    expect(inside.length).toBeLessThanOrEqual(7);
  }
  expect(effects.slept.length).toBeGreaterThan(0);
});

it('the throttle logs waits of two seconds or more, once those before are over', async () => {
  const effects = virtualEffects(START_MS);
  const lines: Rig['events'] = [];
  const throttle = openThrottle(1, effects, recordingLog(lines));
  const told: number[] = [];
  for (const pauseMs of [0, 58_001, 58_000, 0]) {
    effects.advance(pauseMs);
    await throttle.acquire();
    told.push(lines.length);
  }
  expect(told).toEqual([0, 0, 1, 2]);
});

it('the throttle lets its number through at once, then waits for the minute, and says so once', async () => {
  const effects = virtualEffects(START_MS);
  const lines: Rig['events'] = [];
  const throttle = openThrottle(7, effects, recordingLog(lines));
  for (const _ of times(7)) await throttle.acquire();
  expect(effects.slept).toEqual([]);
  for (const _ of times(7)) await throttle.acquire();
  expect(effects.slept).toEqual([60_000]);
  expect(lines.map(({ event }) => event)).toEqual(['throttle.waiting']);
});
