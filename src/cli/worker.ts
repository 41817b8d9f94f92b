import type { Command } from 'commander';
import { z } from 'zod';
import { switchFlag } from './flags.ts';
import type { CommandHost } from './host.ts';
import { serveQueue } from './serving.ts';

/** `answerlake worker`: asks for what the queue hands out, until a signal. */
export function define(command: Command, host: CommandHost): void {
  command.option('--http', 'health and metrics on http.port');
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake worker
Any number of them, on any host, with the loader's configuration. SIGTERM finishes the requests under
way, lands their answers and hands the rest back; SIGHUP does so too, and reads the configuration again.`,
  );
  host.handle(command, z.strictObject({ http: switchFlag }), async (context, { http }) => {
    const { runWorker } = await import('../scale/worker/run-worker.ts');
    return await serveQueue(context, { kind: 'worker', http }, runWorker);
  });
}
