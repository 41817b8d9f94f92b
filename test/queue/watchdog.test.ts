import { expect, test } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { startWatchdog } from '../../src/scale/queue/processes.ts';

interface Clock {
  effects: typeof realEffects;
  /** Timers whose time has come fire in their order. */
  pass(ms: number): Promise<void>;
}

function handClock(): Clock {
  let now = 0;
  const timers = new Set<{ at: number; fire: () => void }>();
  return {
    effects: {
      ...realEffects,
      now: () => now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const timer = { at: now + ms, fire: resolve };
          timers.add(timer);
          signal?.addEventListener('abort', () => {
            timers.delete(timer);
            reject(new Error('aborted'));
          });
        }),
    },
    pass: async (ms) => {
      now += ms;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at > now || !timers.delete(timer)) continue;
        timer.fire();
      }
      await new Promise((settle) => setImmediate(settle));
    },
  };
}

test('the watchdog counts from the last question that was answered, not from its answer', async () => {
  const clock = handClock();
  const firedAt: number[] = [];
  const watchdog = startWatchdog(clock.effects, 15_000, () => firedAt.push(clock.effects.now()));
  const first = watchdog.asked();
  await clock.pass(4_000);
  first();
  watchdog.asked();
  await clock.pass(10_999);
  expect(firedAt).toEqual([]);
  await clock.pass(1);
  expect(firedAt).toEqual([15_000]);
});

test('the watchdog never fires while answers come, and ignores an answer that comes too late', async () => {
  const clock = handClock();
  let fired = 0;
  const watchdog = startWatchdog(clock.effects, 15_000, () => (fired += 1));
  for (let beat = 0; beat < 20; beat += 1) {
    watchdog.asked()();
    await clock.pass(3_000);
  }
  expect(fired).toBe(0);
  const late = watchdog.asked();
  await clock.pass(15_000);
  late();
  expect(fired).toBe(1);
  watchdog.end();
  await clock.pass(60_000);
  expect(fired).toBe(1);
});
