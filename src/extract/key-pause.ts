import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import type { RequestLog } from './request-log.ts';
import type { WaitBudget } from './wait-budget.ts';

/** Shorter pauses are part of ordinary repeating and not charged to `--max-wait`. */
const FREE_PAUSE_MS = 120_000;

/** The silence a server asked for: it holds for every request of the key. */
export interface KeyPause {
  extend(pauseMs: number): void;
  /** True while nothing may be sent. */
  holds(): boolean;
  /** @throws AnswerlakeError of class `transient` when the pause is longer than the run may wait */
  pass(signal: AbortSignal | undefined, budget: WaitBudget): Promise<void>;
}

export function openKeyPause(effects: Effects, log: RequestLog): KeyPause {
  let untilMs = 0;
  return {
    extend: (pauseMs) => {
      const wantedMs = effects.now() + pauseMs;
      if (pauseMs <= 0 || wantedMs <= untilMs) return;
      untilMs = wantedMs;
      log('key.paused', { pauseMs, until: new Date(untilMs).toISOString() });
    },
    holds: () => effects.now() < untilMs,
    pass: async (signal, budget) => {
      while (effects.now() < untilMs) {
        const nowMs = effects.now();
        if (untilMs - nowMs > FREE_PAUSE_MS && !budget.book(nowMs, untilMs)) {
          throw new AnswerlakeError(
            `the server asked us to wait until ${new Date(untilMs).toISOString()}, longer than --max-wait allows; run again after that and the sync goes on where it stopped`,
            { class: 'transient', scope: 'key' },
          );
        }
        await effects.sleep(untilMs - nowMs, signal);
      }
    },
  };
}
