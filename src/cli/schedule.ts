import type { Command } from 'commander';
import { realpathSync } from 'node:fs';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { switchFlag } from './flags.ts';
import type { CommandHost } from './host.ts';
import { loadJobs, type Job } from '../daemon/schedule/jobs.ts';
import { serveReloading } from './serving.ts';

const HELP = `  $ answerlake schedule
  $ answerlake schedule --log-level debug
  $ answerlake schedule --systemd > answerlake.service
Times are in UTC unless a job says otherwise. SIGTERM ends it within 5 seconds,
SIGHUP reads the configuration and the jobs again.
With http.port set: /healthz, /readyz, /metrics, and a status page on /.`;

/** `answerlake schedule`: every job of the jobs folder by cron, until a signal. */
export function define(command: Command, host: CommandHost): void {
  const flagSchema = z.strictObject({
    systemd: switchFlag('print a systemd unit with the paths of this installation'),
  });
  host.handle({ command, flags: flagSchema, help: HELP }, async (context, flags) => {
    if (flags.systemd) {
      const config = context.loadConfig({ secrets: 'leave' });
      loadJobs(config.jobsDir);
      const { ownUser, systemdUnit } = await import('../daemon/schedule/systemd-unit.ts');
      const program = realpathSync(process.argv[1] ?? '');
      context.io.stdout.write(systemdUnit(config, { node: process.execPath, program, ...ownUser() }));
      context.next(
        [
          'answerlake schedule --systemd | sudo tee /etc/systemd/system/answerlake.service',
          'install the unit',
        ],
        [
          'sudo systemctl daemon-reload && sudo systemctl enable --now answerlake',
          'start it, now and at each boot',
        ],
      );
      return 0;
    }
    const { runDaemon } = await import('../daemon/run-daemon.ts');
    const read = (): { config: Config; jobs: Job[] } => {
      const config = context.loadConfig();
      return { config, jobs: loadJobs(config.jobsDir) };
    };
    return await serveReloading(context, { kind: 'schedule', read }, ({ jobs }, parts) =>
      runDaemon(jobs, parts),
    );
  });
}
