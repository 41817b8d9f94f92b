import { Cron } from 'croner';
import { z } from 'zod';
import { durationRule, text, timezoneRule, type Rule } from '../../config/rules.ts';
import { suggestion, parseDuration, shortPath } from '../../text.ts';
import { messageOf, AnswerlakeError, codeOf } from '../../errors.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { checkYaml, ConfigurationError, parseYaml } from '../../config/yaml.ts';
import { ENDPOINT_NAMES, namesMeant } from '../../endpoints/catalogue.ts';

/** One file of the jobs folder, checked and complete. */
export interface Job {
  name: string;
  /** Cron pattern of 5 fields, or 6 with seconds first. */
  schedule: string;
  timezone: string;
  /** Names of the catalogue; null for all that the configuration enables. */
  endpoints: readonly string[] | null;
  /** Project ids; null for all. */
  projects: readonly string[] | null;
  /** Null for the configuration's own. */
  lookbackDays: number | null;
  /** Longest wait for the hourly quota. */
  maxWaitMs: number;
  /** One run after downtime for the ticks that were missed. */
  catchUp: boolean;
  /** File it was read from. */
  file: string;
}

const NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const nameRule: Rule = (text) =>
  NAME_PATTERN.test(text) ? undefined : 'must be letters, digits, - and _ only, for example nightly';

const endpointRule: Rule = (text) =>
  namesMeant(text).length > 0
    ? undefined
    : `there is no endpoint ${text}; ${suggestion(text, ENDPOINT_NAMES)}`;

/** The schema of `jobs/*.yaml`. */
const jobSchema = z.strictObject({
  name: text(nameRule).describe('name of the job, for example nightly'),
  schedule: text(cronProblem).describe("cron pattern, for example '17 2 * * *'"),
  timezone: text(timezoneRule).default('UTC').describe('zone of the pattern'),
  endpoints: z
    .union([z.literal('all'), z.array(text(endpointRule)).min(1)], {
      error: 'must be all or a list of endpoint names',
    })
    .default('all'),
  projects: z
    .union([z.literal('all'), z.array(z.string().min(1)).min(1)], {
      error: 'must be all or a list of project ids (ids in quotes)',
    })
    .default('all'),
  lookback_days: z
    .int()
    .min(0)
    .max(3660)
    .nullable()
    .default(null)
    .describe('days before today that are pulled again'),
  max_wait: z
    .union([text(durationRule), z.literal(0)], { error: 'must be a duration like 2h, 90m, 45s or 0' })
    .default('2h')
    .describe('longest wait for the hourly quota'),
  catch_up: z.boolean().default(true).describe('one run after downtime'),
});

function normaliseJob(spec: z.output<typeof jobSchema>, file: string): Job {
  return {
    name: spec.name,
    schedule: spec.schedule,
    timezone: spec.timezone,
    endpoints: spec.endpoints === 'all' ? null : [...new Set(spec.endpoints.flatMap(namesMeant))],
    projects: spec.projects === 'all' ? null : [...new Set(spec.projects)],
    lookbackDays: spec.lookback_days,
    maxWaitMs: parseDuration(String(spec.max_wait)) ?? 0,
    catchUp: spec.catch_up,
    file,
  };
}

export const CRON_MODE = '5-or-6-parts';

/** Opens a croner pattern that runs no job. */
function openPattern(pattern: string, timezone: string): Cron {
  return new Cron(pattern, { paused: true, mode: CRON_MODE, timezone });
}

/** What is wrong with a pattern; undefined when it is fine. */
function cronProblem(pattern: string): string | undefined {
  try {
    const cron = openPattern(pattern, 'UTC');
    const next = cron.nextRun();
    cron.stop();
    return next === null ? 'never happens: choose a day that exists' : undefined;
  } catch (error) {
    const reason = messageOf(error).replace(/^CronPattern: /, '');
    return `is not a cron pattern (${reason}): write 5 fields (minute hour day month weekday), for example '17 2 * * *'`;
  }
}

/** The last ticks before an instant, newest first. Milliseconds since the epoch. */
export function previousTicks(
  job: { schedule: string; timezone: string },
  nowMs: number,
  count: number,
): number[] {
  const cron = openPattern(job.schedule, job.timezone);
  const ticks = cron.previousRuns(count, new Date(nowMs)).map((tick) => tick.getTime());
  cron.stop();
  return ticks;
}

/** The next tick after an instant, in milliseconds since the epoch. */
export function nextTick(job: { schedule: string; timezone: string }, nowMs: number): number | null {
  const cron = openPattern(job.schedule, job.timezone);
  const tick = cron.nextRun(new Date(nowMs));
  cron.stop();
  return tick === null ? null : tick.getTime();
}

/** All jobs of the configuration's jobs folder. @throws AnswerlakeError 'configuration' */
export function jobsOf(config: Config): Job[] {
  return loadJobs(config.jobsDir);
}

/**
 * Reads every `*.yaml` of the jobs folder, sorted by file name.
 * @throws ConfigurationError with every problem of every file at once; AnswerlakeError when there is no job
 */
export function loadJobs(directory: string): Job[] {
  const jobs: Job[] = [];
  const problems: ConfigurationError['problems'][number][] = [];
  for (const name of jobFiles(directory)) {
    const file = shortPath(join(directory, name));
    const text = readText(join(directory, name));
    if (typeof text !== 'string') {
      problems.push({ file, line: 1, column: 1, path: '', message: text.problem });
      continue;
    }
    const source = parseYaml(text, file);
    const checked = checkYaml(source, jobSchema);
    if ('problems' in checked) {
      problems.push(...checked.problems.map((problem) => ({ file, ...problem })));
      continue;
    }
    const job = normaliseJob(checked.value, file);
    const twin = jobs.find((other) => other.name === job.name);
    if (twin !== undefined) {
      const message = `the name ${job.name} is already taken by ${twin.file}: choose another one`;
      problems.push({ file, ...source.positionOf(['name']), path: 'name', message });
    }
    jobs.push(job);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  if (jobs.length > 0) return jobs;
  throw new AnswerlakeError(
    `There is no job in ${shortPath(directory)}. Put a file like nightly.yaml there (answerlake init writes four), or name another folder in jobs_dir.`,
    { class: 'configuration' },
  );
}

function readText(path: string): string | { problem: string } {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return { problem: `cannot be read: ${messageOf(error)}; fix its permissions, or move it away` };
  }
}

function jobFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
      .sort();
  } catch (error) {
    const message =
      codeOf(error) === 'ENOENT'
        ? `There is no jobs folder at ${shortPath(directory)}. Write it with answerlake init, or name another one in jobs_dir.`
        : `The jobs folder ${shortPath(directory)} cannot be read: ${messageOf(error)}.`;
    throw new AnswerlakeError(message, { class: 'configuration', cause: error });
  }
}
