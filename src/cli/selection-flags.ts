import type { Command } from 'commander';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Job } from '../daemon/schedule/jobs.ts';
import { ENDPOINT_NAMES, namesMeant } from '../endpoints/catalogue.ts';
import { usageError } from '../errors.ts';
import { DEFAULT_MAX_WAIT_MS, syncRequest, type SyncRequest } from '../run/sync-request.ts';
import { suggestion } from '../text.ts';
import { dayFlag, durationFlag, listFlag, switchFlag, wholeFlag } from './flags.ts';

export const syncFlags = z.strictObject({
  job: z.string().exactOptional(),
  project: listFlag.exactOptional(),
  endpoint: listFlag.exactOptional(),
  from: dayFlag.exactOptional(),
  to: dayFlag.exactOptional(),
  full: switchFlag,
  today: dayFlag.exactOptional(),
  lookbackDays: wholeFlag(0, 3660).exactOptional(),
  dryRun: switchFlag,
  maxWait: durationFlag.exactOptional(),
  acceptShrink: switchFlag,
  strict: switchFlag,
});
type SyncFlags = z.output<typeof syncFlags>;

/** What the flags ask for; a job gives what they leave open. @throws AnswerlakeError 'configuration' */
export async function syncRequestOf(flags: SyncFlags, config: Config): Promise<SyncRequest> {
  const job = flags.job === undefined ? null : await jobNamed(flags.job, config);
  if (flags.from === undefined && flags.to !== undefined) {
    throw usageError('--to needs --from: name the first day too.');
  }
  return syncRequest({
    job: job?.name ?? null,
    projects: flags.project ?? job?.projects ?? null,
    endpoints: flags.endpoint === undefined ? (job?.endpoints ?? null) : endpointNames(flags.endpoint),
    from: flags.from ?? null,
    to: flags.to ?? null,
    full: flags.full,
    today: flags.today ?? null,
    dryRun: flags.dryRun,
    maxWaitMs: flags.maxWait ?? job?.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
    acceptShrink: flags.acceptShrink,
    strict: flags.strict,
    lookbackDays: flags.lookbackDays ?? job?.lookbackDays ?? null,
  });
}

async function jobNamed(name: string, config: Config): Promise<Job> {
  const { loadJobs } = await import('../daemon/schedule/jobs.ts');
  const jobs = loadJobs(config.jobsDir);
  const job = jobs.find((one) => one.name === name);
  if (job !== undefined) return job;
  const names = jobs.map((one) => one.name);
  throw usageError(`--job: there is no job ${name} in ${config.jobsDir}; ${suggestion(name, names)}`);
}

/** @throws AnswerlakeError 'configuration' when one is unknown */
function endpointNames(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(requireNames))];
}

function requireNames(name: string): string[] {
  const meant = namesMeant(name);
  if (meant.length > 0) return meant;
  throw usageError(`--endpoint: there is no endpoint ${name}; ${suggestion(name, ENDPOINT_NAMES)}`);
}

/** What a run may do besides; `sync` and `queue run` share them. */
export function addRunFlags(command: Command): Command {
  return addSelectionFlags(command)
    .option('--max-wait <duration>', 'longest wait for the hourly quota (default: 2h)')
    .option('--accept-shrink', 'accept answers that have lost most of their rows')
    .option('--strict', 'exit 3 on any refused row or drift');
}

/** The flags that choose what a run is about; `plan` has them too. */
export function addSelectionFlags(command: Command): Command {
  return command
    .option('--job <name>', 'use the settings of this job in the jobs folder')
    .option('--project <project...>', 'only these projects (ids, names or slugs)')
    .option('--endpoint <name...>', 'only these endpoints (names, or ends of API paths)')
    .option('--from <date>', 'pull this day and later ones again')
    .option('--to <date>', 'last day of --from (default: today)')
    .option('--full', 'pull everything again, whatever is stored')
    .option('--lookback-days <days>', 'days before today that are asked for again')
    .option('--today <date>', 'treat this UTC date as today; not in the future');
}
