import type { Command } from 'commander';
import { z } from 'zod';
import { switchFlag } from './flags.ts';
import type { CommandHost } from './host.ts';
import { serveQueue } from './serving.ts';

/** `answerlake loader`: the one writer of the warehouse, until a signal. */
export function define(command: Command, host: CommandHost): void {
  command.option('--http', 'health and metrics on http.port');
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake loader
One of them works; a second one waits as standby and takes over when the first is gone. SIGHUP reads the
configuration again, with which the run under way is continued.`,
  );
  host.handle(command, z.strictObject({ http: switchFlag }), async (context, { http }) => {
    const { runLoader } = await import('../scale/loader/run-loader.ts');
    const { runWithNotification } = await import('../daemon/notify/run-with-notification.ts');
    return await serveQueue(context, { kind: 'loader', http }, (parts) =>
      runLoader({
        ...parts,
        telling: (request, run) => runWithNotification(request, parts.context, run),
      }),
    );
  });
}
