import { Cron } from 'croner';
import { z } from 'zod';
import { text, timezoneRule, type Rule } from '../../config/rules.ts';
import { suggestion, parseDuration } from '../../text.ts';
import { messageOf } from '../../errors.ts';

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

/** The catalogue names that match `name`; empty if none does. */
export type EndpointsMeant = (name: string) => readonly string[];

const NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const nameRule: Rule = (text) =>
  NAME_PATTERN.test(text) ? undefined : 'must be letters, digits, - and _ only, for example nightly';
const durationRule: Rule = (text) =>
  parseDuration(text) === undefined ? 'is not a duration: write it like 2h, 90m, 45s or 0' : undefined;

/** The schema of `jobs/*.yaml`. */
export function jobSchema(meant: EndpointsMeant, names: readonly string[]) {
  const endpointRule: Rule = (text) =>
    meant(text).length > 0 ? undefined : `there is no endpoint ${text}; ${suggestion(text, names)}`;
  return z.strictObject({
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
}

type JobSpec = z.output<ReturnType<typeof jobSchema>>;

export function normaliseJob(spec: JobSpec, file: string, meant: EndpointsMeant): Job {
  return {
    name: spec.name,
    schedule: spec.schedule,
    timezone: spec.timezone,
    endpoints: spec.endpoints === 'all' ? null : [...new Set(spec.endpoints.flatMap((name) => meant(name)))],
    projects: spec.projects === 'all' ? null : [...new Set(spec.projects)],
    lookbackDays: spec.lookback_days,
    maxWaitMs: parseDuration(String(spec.max_wait)) ?? 0,
    catchUp: spec.catch_up,
    file,
  };
}

const MODE = '5-or-6-parts';

/** Opens a croner pattern that runs no job. */
function openPattern(pattern: string, timezone: string): Cron {
  return new Cron(pattern, { paused: true, mode: MODE, timezone });
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

export { MODE as CRON_MODE };
