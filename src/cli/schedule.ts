import type { Command } from 'commander';
import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { z } from 'zod';
import { onHangup } from '../effects.ts';
import { switchFlag } from './flags.ts';
import type { CommandHost } from './host.ts';
import { jobsOf } from '../daemon/schedule/jobs.ts';

/** `answerlake schedule`: every job of the jobs folder by cron, until a signal. */
export function define(command: Command, host: CommandHost): void {
  command.option('--systemd', 'print a systemd unit with the paths of this installation').addHelpText(
    'after',
    `
Examples:
  $ answerlake schedule
  $ answerlake schedule --log-level debug
  $ answerlake schedule --systemd > answerlake.service
Times are in UTC unless a job says otherwise. SIGTERM ends it within 5 seconds,
SIGHUP reads the configuration and the jobs again.
With http.port set: /healthz, /readyz, /metrics, and a status page on /.`,
  );
  host.handle(command, z.strictObject({ systemd: switchFlag }), async (context, flags) => {
    if (flags.systemd) {
      const config = context.loadConfig({ secrets: 'leave' });
      jobsOf(config);
      const { systemdUnit } = await import('../daemon/schedule/systemd-unit.ts');
      const program = realpathSync(process.argv[1] ?? '');
      const { username: user } = userInfo();
      context.io.stdout.write(systemdUnit(config, { node: process.execPath, program, user }));
      return 0;
    }
    let config = context.loadConfig();
    let jobs = jobsOf(config);
    const { runDaemon } = await import('../daemon/run-daemon.ts');
    for (;;) {
      const runContext = await context.runContext(config, 'info');
      const reload = new AbortController();
      const hangup = onHangup(() => {
        try {
          const next = context.loadConfig();
          [config, jobs] = [next, jobsOf(next)];
          reload.abort();
        } catch (error) {
          runContext.log.error('schedule.reload_failed', { error });
        }
      });
      const exitCode = await runDaemon(jobs, { ...runContext, reload: reload.signal });
      hangup[Symbol.dispose]();
      if (context.signal.aborted || !reload.signal.aborted) return exitCode;
    }
  });
}
