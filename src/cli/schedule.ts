import type { Command } from 'commander';
import { z } from 'zod';
import type { CommandHost } from './host.ts';
import { jobsOf } from '../daemon/schedule/jobs.ts';

/** `answerlake schedule`: every job of the jobs folder by cron, until a signal. */
export function define(command: Command, host: CommandHost): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake schedule
  $ answerlake schedule --log-level debug
Times are in UTC unless a job says otherwise. SIGTERM ends it within 5 seconds.
With http.port set: /healthz, /readyz, /metrics, and a status page on /.`,
  );
  host.handle(command, z.strictObject({}), async (context) => {
    const config = context.loadConfig();
    const jobs = jobsOf(config);
    const { runDaemon } = await import('../daemon/run-daemon.ts');
    return await runDaemon(jobs, await context.runContext(config, 'info'));
  });
}
