import type { Command } from 'commander';
import { z } from 'zod';
import { readVersion } from '../package.ts';
import type { CommandHost } from './host.ts';
import { queueUrl } from './queue-access.ts';

/** `answerlake loader`: the one writer of the warehouse, until a signal. */
export function defineLoader(command: Command, host: CommandHost): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake loader
One of them works; a second one waits as standby and takes over when the first is gone.`,
  );
  host.handle(command, z.strictObject({}), async (context) => {
    const config = context.loadConfig();
    const url = queueUrl(config);
    const { runLoader } = await import('../scale/loader/run-loader.ts');
    const { openZone } = await import('../scale/landing/zone.ts');
    const { runWithNotification } = await import('../daemon/notify/run-with-notification.ts');
    const { effects, env, heartbeat, signal } = context;
    const log = await context.openLog('info');
    const parts = { config, effects, log, signal };
    await using zone = openZone(config.landing, { env, signal: new AbortController().signal });
    return await runLoader({
      context: { ...parts, version: readVersion() },
      url,
      zone,
      heartbeat,
      telling: (request, run) => runWithNotification(request, parts, run),
    });
  });
}
