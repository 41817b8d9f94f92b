import { once } from 'node:events';
import { AnswerlakeError, type ExitCode } from './errors.ts';

/** Everything that a run depends on besides its arguments; tests pass their own. */
export interface Effects {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `delayMs`; rejects with the signal's reason when aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
}

/** A timer beyond 2^31 - 1 ms (24.8 days) fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const realEffects: Effects = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: async (delayMs, signal) => {
    let leftMs = delayMs;
    for (; leftMs > LONGEST_TIMER_MS; leftMs -= LONGEST_TIMER_MS) await runTimer(LONGEST_TIMER_MS, signal);
    await runTimer(leftMs, signal);
  },
};

async function runTimer(delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let wake = (): void => undefined;
  const woken = new Promise<void>((resolve) => (wake = resolve));
  const timer = setTimeout(wake, delayMs);
  signal?.addEventListener('abort', wake, { once: true });
  await woken;
  clearTimeout(timer);
  signal?.removeEventListener('abort', wake);
  signal?.throwIfAborted();
}

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Takes a SIGHUP, which then ends no process. */
let hangupListener: (() => void) | null = null;

/** Aborts on the first SIGHUP, SIGINT or SIGTERM, so that a run ends clean; the second ends the process at once. */
export function catchSignals(): { signal: AbortSignal } {
  const controller = new AbortController();
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (name === 'SIGHUP' && hangupListener !== null) return hangupListener();
      const exitCode = EXIT_CODES[name];
      if (controller.signal.aborted) process.exit(exitCode);
      const message = `Stopped by ${name}.`;
      controller.abort(new AnswerlakeError(message, { class: 'stopped', exitCode }));
    });
  }
  return { signal: controller.signal };
}

/** Calls `listener` on SIGHUP, which no longer ends the process, until it is disposed. */
export function onHangup(listener: () => void): Disposable {
  hangupListener = listener;
  return { [Symbol.dispose]: () => void (hangupListener = null) };
}

/** 129, 130 or 143 after a stop by signal, else 0. */
export function stopCode(signal: AbortSignal): ExitCode {
  if (!signal.aborted) return 0;
  return signal.reason instanceof AnswerlakeError ? signal.reason.exitCode : 130;
}

/** Resolves when the signal is aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
