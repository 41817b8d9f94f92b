import { expect, it } from 'vitest';
import { openLimiter, type Limiter } from '../../src/extract/pace.ts';

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

it('a task that waits releases its slot, and goes on before tasks that have not started', async () => {
  const limiter = openLimiter(1);
  const started: string[] = [];
  let answer: (text: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const waits = limiter.task(async (releaseWhile) => {
    started.push('first');
    started.push(await releaseWhile(answered));
  });
  const others = ['second', 'third', 'fourth', 'fifth', 'sixth'].map((name) =>
    limiter.task(async () => {
      started.push(name);
      await new Promise(setImmediate);
      if (name === 'second') answer('first again');
      await new Promise(setImmediate);
    }),
  );
  await Promise.all([waits, ...others]);
  expect(started).toEqual(['first', 'second', 'third', 'fourth', 'first again', 'fifth', 'sixth']);
});

it('a task whose wait fails goes on in a slot, which is free when the task has ended', async () => {
  const limiter = openLimiter(1);
  for (const _ of times(5)) {
    const failed = limiter.task((releaseWhile) => releaseWhile(Promise.reject(new Error('no answer'))));
    await expect(failed).rejects.toThrow('no answer');
  }
  expect(await limiter.task(() => Promise.resolve('next'))).toBe('next');
});
