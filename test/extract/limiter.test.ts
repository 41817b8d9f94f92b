import { expect, it } from 'vitest';
import { openLimiter, openWaitBudget, type Limiter } from '../../src/extract/pace.ts';
import { ASK, openAccess } from './rig.ts';

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
