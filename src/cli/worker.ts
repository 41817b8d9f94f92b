import type { Command } from 'commander';
import { z } from 'zod';
import { switchFlag } from './flags.ts';
import type { CommandHost } from './host.ts';
import { queueUrl } from './queue.ts';

/** `answerlake worker`: asks for what the queue hands out, until a signal. */
export function define(command: Command, host: CommandHost): void {
  command.option('--http', 'health and metrics on http.port');
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake worker
Any number of them, on any host, with the loader's configuration. SIGTERM finishes the requests under
way, lands their answers and hands the rest back.`,
  );
  host.handle(command, z.strictObject({ http: switchFlag }), async (context, { http }) => {
    const config = context.loadConfig();
    const url = queueUrl(config);
    const { runWorker } = await import('../scale/worker/run-worker.ts');
    const { openZone } = await import('../scale/landing/zone.ts');
    const { openProcessService } = await import('../daemon/serve/process-service.ts');
    const { env, heartbeat } = context;
    const runContext = await context.runContext(config, 'info');
    // Its own signal: requests under way at a stop are still landed.
    await using zone = openZone(config.landing, { env, signal: new AbortController().signal });
    await using _ = http ? await openProcessService({ config, url, log: runContext.log }) : null;
    return await runWorker({ context: runContext, url, zone, heartbeat });
  });
}
