import type { Command } from 'commander';
import { z } from 'zod';
import { switchFlag } from './flags.ts';
import type { CommandHost } from './host.ts';
import { queueUrl } from './queue.ts';

/** `answerlake loader`: the one writer of the warehouse, until a signal. */
export function define(command: Command, host: CommandHost): void {
  command.option('--http', 'health and metrics on http.port');
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake loader
One of them works; a second one waits as standby and takes over when the first is gone.`,
  );
  host.handle(command, z.strictObject({ http: switchFlag }), async (context, { http }) => {
    const config = context.loadConfig();
    const url = queueUrl(config);
    const { runLoader } = await import('../scale/loader/run-loader.ts');
    const { openZone } = await import('../scale/landing/zone.ts');
    const { runWithNotification } = await import('../daemon/notify/run-with-notification.ts');
    const { openProcessService } = await import('../daemon/serve/process-service.ts');
    const { env, heartbeat } = context;
    const runContext = await context.runContext(config, 'info');
    await using _ = http ? await openProcessService({ config, url, log: runContext.log }) : null;
    await using zone = openZone(config.landing, { env, signal: new AbortController().signal });
    return await runLoader({
      context: runContext,
      url,
      zone,
      heartbeat,
      telling: (request, run) => runWithNotification(request, runContext, run),
    });
  });
}
