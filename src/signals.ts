import { AnswerlakeError, type ExitCode } from './errors.ts';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Aborts on the first SIGINT or SIGTERM, so that a run ends clean; the second ends the process at once. */
export function catchSignals(): { signal: AbortSignal } {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const exitCode = EXIT_CODES[name];
      if (controller.signal.aborted) process.exit(exitCode);
      const message = `Stopped by ${name}.`;
      controller.abort(new AnswerlakeError(message, { class: 'stopped', exitCode }));
    });
  }
  return { signal: controller.signal };
}

/** 130 or 143 after a stop by signal, else 0. */
export function stopCode(signal: AbortSignal): ExitCode {
  if (!signal.aborted) return 0;
  return signal.reason instanceof AnswerlakeError ? signal.reason.exitCode : 130;
}

/** Resolves when the signal is aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
