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

test('silence counts from the last question that was answered, not from its answer', async () => {
  const clock = handClock();
  const silentAfter: number[] = [];
  const silence = startWatchdog(clock.effects, 15_000, () => silentAfter.push(clock.effects.now()));
  const first = silence.asked();
  await clock.pass(4_000);
  first();
  silence.asked();
  await clock.pass(10_999);
  expect(silentAfter).toEqual([]);
  await clock.pass(1);
  expect(silentAfter).toEqual([15_000]);
});

test('a process that is answered is never silent, and an answer that comes too late is none', async () => {
  const clock = handClock();
  let silent = 0;
  const silence = startWatchdog(clock.effects, 15_000, () => (silent += 1));
  for (let beat = 0; beat < 20; beat += 1) {
    silence.asked()();
    await clock.pass(3_000);
  }
  expect(silent).toBe(0);
  const late = silence.asked();
  await clock.pass(15_000);
  late();
  expect(silent).toBe(1);
  silence.end();
  await clock.pass(60_000);
  expect(silent).toBe(1);
});
