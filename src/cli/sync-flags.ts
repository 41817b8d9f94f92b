import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { dayOf, type Day } from '../day.ts';
import { suggestion } from '../did-you-mean.ts';
import { usageError } from '../errors.ts';
import { loadJobs } from '../daemon/schedule/jobs-folder.ts';
import type { Job } from '../daemon/schedule/job-file.ts';
import type { SyncRequest } from '../run/sync-request.ts';
import { ENDPOINT_NAMES, endpointNames, namesMeant } from './endpoint-names.ts';
import { dayFlag, durationFlag, listFlag, switchFlag } from './flag-values.ts';

export const DEFAULT_MAX_WAIT_MS = 7_200_000;

export const syncFlags = z.strictObject({
  job: z.string().exactOptional(),
  project: listFlag.exactOptional(),
  endpoint: listFlag.exactOptional(),
  from: dayFlag.exactOptional(),
  to: dayFlag.exactOptional(),
  full: switchFlag,
  today: dayFlag.exactOptional(),
  dryRun: switchFlag,
  maxWait: durationFlag.exactOptional(),
  acceptShrink: switchFlag,
  strict: switchFlag,
});
export type SyncFlags = z.output<typeof syncFlags>;

/** What the flags ask for; a job gives what they leave open. @throws AnswerlakeError 'configuration' */
export function syncRequestOf(flags: SyncFlags, config: Config, nowMs: number): SyncRequest {
  const job = flags.job === undefined ? null : jobNamed(flags.job, config);
  const today = flags.today ?? dayOf(nowMs);
  const from = flags.from ?? null;
  return {
    job: job?.name ?? null,
    projects: flags.project ?? job?.projects ?? null,
    endpoints: flags.endpoint === undefined ? (job?.endpoints ?? null) : endpointNames(flags.endpoint),
    from,
    to: checkRange({ from, to: flags.to ?? null, today }),
    full: flags.full,
    today: flags.today ?? null,
    dryRun: flags.dryRun,
    maxWaitMs: flags.maxWait ?? job?.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
    acceptShrink: flags.acceptShrink,
    strict: flags.strict,
    lookbackDays: job?.lookbackDays ?? null,
  };
}

/** What a job of the schedule asks for; days of downtime lengthen its look-back. */
export function jobRequest(job: Job, config: Config, gapDays: number): SyncRequest {
  return {
    job: job.name,
    projects: job.projects,
    endpoints: job.endpoints,
    from: null,
    to: null,
    full: false,
    today: null,
    dryRun: false,
    maxWaitMs: job.maxWaitMs,
    acceptShrink: false,
    strict: false,
    lookbackDays: gapDays === 0 ? job.lookbackDays : (job.lookbackDays ?? config.sync.lookbackDays) + gapDays,
  };
}

/** All jobs of the configuration's jobs folder. @throws AnswerlakeError 'configuration' */
export function jobsOf(config: Config): Job[] {
  return loadJobs({ directory: config.jobsDir, meant: namesMeant, endpointNames: ENDPOINT_NAMES });
}

function jobNamed(name: string, config: Config): Job {
  const jobs = jobsOf(config);
  const job = jobs.find((one) => one.name === name);
  if (job !== undefined) return job;
  const names = jobs.map((one) => one.name);
  throw usageError(`--job: there is no job ${name} in ${config.jobsDir}; ${suggestion(name, names)}`);
}

function checkRange({ from, to, today }: { from: Day | null; to: Day | null; today: Day }): Day | null {
  if (from === null && to !== null) throw usageError('--to needs --from: name the first day too.');
  if (from !== null && from > (to ?? today)) {
    throw usageError(
      `--from ${from} lies after ${to === null ? `today (${today} UTC)` : `--to ${to}`}: swap them.`,
    );
  }
  if (to !== null && to > today) throw usageError(`--to ${to} lies after today (${today} UTC).`);
  return from === null ? null : (to ?? today);
}
