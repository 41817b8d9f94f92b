import type { Effects } from '../../src/effects.ts';
import { seededRandom } from './seeded-random.ts';

export interface VirtualEffects extends Effects {
  /** Every sleep so far, milliseconds. */
  readonly slept: number[];
  advance(byMs: number): void;
}

/** A clock that jumps over every sleep: no test waits for real time. */
export function virtualEffects(startMs: number): VirtualEffects {
  let nowMs = startMs;
  const slept: number[] = [];
  return {
    slept,
    now: () => nowMs,
    random: seededRandom(1),
    advance: (byMs) => {
      nowMs += byMs;
    },
    sleep: async (delayMs, signal) => {
      const wakeMs = nowMs + delayMs;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      slept.push(delayMs);
      nowMs = Math.max(nowMs, wakeMs);
    },
  };
}
