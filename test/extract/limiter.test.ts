import { expect, it } from 'vitest';
import { openKeyPause, openLimiter, openWaitBudget, type Limiter } from '../../src/extract/pace.ts';
import { recordingLog, type Rig } from './rig.ts';
import { virtualEffects } from '../support/virtual-effects.ts';

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function send(limiter: Limiter, outcome: 'succeeded' | 'overloaded'): Promise<void> {
  const slot = await limiter.request();
  await new Promise(setImmediate);
  slot[outcome]();
  slot.release();
}

it('requests that were under way together halve the concurrency once; ten successes raise it by one', async () => {
  const limiter = openLimiter(8);
  await Promise.all(times(8).map(() => send(limiter, 'overloaded')));
  expect(limiter.concurrency).toBe(4);
  for (const _ of times(5)) await send(limiter, 'overloaded');
  expect(limiter.concurrency).toBe(1);
  for (const _ of times(9)) await send(limiter, 'succeeded');
  expect(limiter.concurrency).toBe(1);
  await send(limiter, 'succeeded');
  expect(limiter.concurrency).toBe(2);
  for (const _ of times(200)) await send(limiter, 'succeeded');
  expect(limiter.concurrency).toBe(8);
});

it('of two silences that a server asked for, the one that ends later holds', async () => {
  const effects = virtualEffects(0);
  const lines: Rig['events'] = [];
  const pause = openKeyPause(effects, recordingLog(lines));
  for (const pauseMs of [2_000, 120_000, 3_000, 120_000, 0, -1]) pause.extend(pauseMs);
  expect(lines).toHaveLength(2);
  await pause.pass(undefined, openWaitBudget(0));
  await pause.pass(undefined, openWaitBudget(0));
  expect(effects.slept).toEqual([120_000]);
  pause.extend(120_001);
  await expect(pause.pass(undefined, openWaitBudget(120_000))).rejects.toMatchObject({ class: 'transient' });
});

it('an overload discards the successes that were counted before it', async () => {
  const limiter = openLimiter(4);
  for (const outcome of ['overloaded', 'succeeded', 'overloaded'] as const) await send(limiter, outcome);
  for (const _ of times(9)) await send(limiter, 'succeeded');
  expect(limiter.concurrency).toBe(1);
});

it('requests go out in the order of the calls, no more at a time than the halved concurrency', async () => {
  const limiter = openLimiter(2);
  const sent: number[] = [];
  let underWay = 0;
  let most = 0;
  const one = async (number: number): Promise<void> => {
    const slot = await limiter.request();
    sent.push(number);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    slot.release();
    slot.release();
  };
  await send(limiter, 'overloaded');
  await Promise.all(times(6).map(one));
  expect(sent).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(1);
});
