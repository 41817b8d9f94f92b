import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { runSchedule } from '../schedule/schedule.ts';
import type { CommandHost } from './host.ts';
import { openPublishedFile } from './published-file.ts';
import { stopCode } from './signals.ts';
import { jobRequest, jobsOf } from './sync-flags.ts';
import { readVersion } from './version.ts';

/** `answerlake schedule`: every job of the jobs folder by cron, until a signal. */
export function addSchedule(host: CommandHost): void {
  const command = host.program
    .command('schedule')
    .description('Run the jobs folder by cron, until stopped')
    .addHelpText(
      'after',
      `
Examples:
  $ answerlake schedule
  $ answerlake schedule --log-level debug
The clock is UTC unless a job says otherwise. SIGTERM ends it within 5 seconds.`,
    );
  host.handle(command, z.strictObject({}), async (context) => {
    const config = context.loadConfig();
    const jobs = jobsOf(config);
    const log = context.openLog('info');
    const { effects, signal } = context;
    const { runSync } = await import('../sync/sync.ts');
    await runSchedule({
      jobs,
      effects,
      log,
      signal,
      state: await readState(config, signal),
      run: async (job, call) => {
        const report = await runSync(jobRequest(job, config, call.gapDays), {
          config,
          effects,
          log: log.child({ job: job.name }),
          signal: call.signal,
          version: readVersion(),
        });
        return report.exit_code;
      },
    });
    return stopCode(signal);
  });
}

const SUCCESS_SQL = `
select job, epoch_ms(max(started_at)) as started_at
from meta.runs where job is not null and status in ('ok', 'partial')
group by job`;

const successRow = z.tuple([z.string(), z.bigint()]);

/** Last success of each job, as the published file knows it. */
async function readState(
  config: Config,
  signal: AbortSignal,
): Promise<{ lastSuccess(job: string): Promise<number | null> }> {
  const { path } = config.warehouse;
  const successes = new Map<string, number>();
  if (existsSync(path)) {
    await using file = await openPublishedFile(path, signal);
    for (const row of (await file.query(SUCCESS_SQL)).rows) {
      const [job, startedAt] = successRow.parse(row);
      successes.set(job, Number(startedAt));
    }
  }
  return { lastSuccess: async (job) => successes.get(job) ?? null };
}
