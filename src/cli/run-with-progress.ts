import type { Config } from '../config/config.ts';
import type { LogLevel } from '../log.ts';
import type { RunReport, SyncRequest } from '../run/sync-request.ts';
import type { CommandContext } from './context.ts';
import { openProgressLine } from './terminal/progress.ts';
import { readVersion } from '../package.ts';

/** One run, with a line of progress on a terminal and log lines elsewhere. */
export async function runWithProgress(
  request: SyncRequest,
  config: Config,
  { context, defaultLevel }: { context: CommandContext; defaultLevel?: LogLevel },
): Promise<RunReport> {
  const { runSync } = await import('../run/sync.ts');
  const { runWithNotification } = await import('../daemon/notify/run-with-notification.ts');
  const { stderr } = context.io;
  const { quiet, logLevel } = context.flags;
  const isTalking = logLevel === 'debug' || logLevel === 'info';
  const hasLine = stderr.isTerminal && !quiet && !isTalking;
  const line = hasLine ? openProgressLine(stderr, () => context.effects.now()) : null;
  const { effects, signal } = context;
  const parts = { config, effects, signal, log: await context.openLog(defaultLevel) };
  try {
    return await runWithNotification(request, parts, () =>
      runSync(request, {
        ...parts,
        version: readVersion(),
        ...(line === null ? {} : { onProgress: (progress) => line.show(progress) }),
      }),
    );
  } finally {
    line?.done();
  }
}
