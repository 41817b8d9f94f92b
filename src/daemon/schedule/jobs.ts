import { Cron } from 'croner';
import { z } from 'zod';
import { allOr, duration, section, text, timezoneRule, type Rule } from '../../config/rules.ts';
import { decodeText, shortPath } from '../../files.ts';
import { messageOf, codeOf, usageError, suggestion, orNull } from '../../errors.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkYaml, ConfigurationError, parseYaml } from '../../config/yaml.ts';
import type { Catalogue } from '../../endpoints/catalogue.ts';
import type { Config } from '../../config/config.ts';
import { jobMemory } from '../notify/decide-notifications.ts';

const NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const nameRule: Rule = (text) =>
  NAME_PATTERN.test(text) ? undefined : 'must be letters, digits, - and _ only, for example nightly';

/** The schema of `jobs/*.yaml`; null means the configuration's value. */
const jobSchema = ({ asked, namesMeant }: Catalogue) => {
  const names = asked.map(({ name }) => name);
  const endpointRule: Rule = (written) =>
    namesMeant(written).length > 0
      ? undefined
      : `there is no endpoint ${written}; ${suggestion(written, names)}`;
  return section({
    name: text(nameRule),
    schedule: text(cronProblem),
    timezone: text(timezoneRule).default('UTC'),
    endpoints: allOr(text(endpointRule), 'endpoint names').transform((written) =>
      written === 'all' ? null : [...new Set(written.flatMap(namesMeant))],
    ),
    projects: allOr(z.string().min(1), 'project ids (ids in quotes)').transform((ids) =>
      ids === 'all' ? null : [...new Set(ids)],
    ),
    lookback_days: z.int().min(0).max(3660).nullable().default(null),
    max_wait: z
      .union([duration, z.literal(0)], { error: 'must be a duration like 2h, 90m, 45s or 0' })
      .prefault('2h'),
    catch_up: z.boolean().default(true),
  }).transform(({ maxWait: maxWaitMs, ...job }) => ({ ...job, maxWaitMs }));
};

/** One file of the jobs folder, checked and complete. */
export type Job = z.output<ReturnType<typeof jobSchema>> & { file: string };

/** The request of a job. */
export function jobRequest({ name: job, projects, endpoints, maxWaitMs, lookbackDays }: Job) {
  return { job, projects, endpoints, maxWaitMs, lookbackDays };
}

export const CRON_MODE = '5-or-6-parts';

type Pattern = Pick<Job, 'schedule' | 'timezone'>;

/** Opens a croner pattern that runs no job. */
function openPattern({ schedule, timezone }: Pattern): Cron {
  return new Cron(schedule, { paused: true, mode: CRON_MODE, timezone });
}

/** The problem of a pattern; undefined without one. */
function cronProblem(schedule: string): string | undefined {
  try {
    const next = openPattern({ schedule, timezone: 'UTC' }).nextRun();
    return next === null ? 'never happens: choose a day that exists' : undefined;
  } catch (error) {
    const reason = messageOf(error).replace(/^CronPattern: /, '');
    return `is not a cron pattern (${reason}): write 5 fields (minute hour day month weekday), for example '17 2 * * *'`;
  }
}

/** The last ticks before an instant, newest first. Milliseconds since the epoch. */
export function previousTicks(pattern: Pattern, nowMs: number, count: number): number[] {
  return openPattern(pattern).previousRuns(count, new Date(nowMs)).map(Number);
}

/** The next tick after an instant, in milliseconds since the epoch. */
export function nextTick(pattern: Pattern, nowMs: number): number | null {
  return openPattern(pattern).nextRun(new Date(nowMs))?.getTime() ?? null;
}

/**
 * Reads every `*.yaml` of the jobs folder, sorted by file name.
 * @throws ConfigurationError with every problem of every file at once; AnswerlakeError when there is no job
 */
export function loadJobs(directory: string, catalogue: Catalogue): Job[] {
  const schema = jobSchema(catalogue);
  const jobs: Job[] = [];
  const problems: ConfigurationError['problems'][number][] = [];
  for (const name of jobFiles(directory)) {
    const file = shortPath(join(directory, name));
    try {
      const source = parseYaml(decodeText(readFileSync(join(directory, name))), file);
      const checked = checkYaml(source, schema);
      if ('problems' in checked) {
        problems.push(...checked.problems);
        continue;
      }
      const job = { ...checked.value, file };
      const twin = jobs.find((other) => other.name === job.name);
      if (twin !== undefined) {
        const message = `the name ${job.name} is already taken by ${twin.file}: choose another one`;
        problems.push({ ...source.positionOf(['name']), path: 'name', message });
      }
      jobs.push(job);
    } catch (error) {
      const message = `cannot be read: ${messageOf(error)}; fix its permissions, or move it away`;
      problems.push({ file, line: 1, column: 1, path: '', message });
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  if (jobs.length > 0) return jobs;
  throw usageError([
    `There is no job in ${shortPath(directory)}.`,
    'Put a file like nightly.yaml there (answerlake init writes four), or name another folder in jobs_dir.',
  ]);
}

/** Whether a file name in the jobs folder belongs to a job. */
export const isJobFile = (name: string): boolean => /^[^.].*\.ya?ml$/.test(name);

function jobFiles(directory: string): string[] {
  try {
    return readdirSync(directory).filter(isJobFile).sort();
  } catch (error) {
    const missing = [
      `There is no jobs folder at ${shortPath(directory)}.`,
      'Write it with answerlake init, or name another one in jobs_dir.',
    ];
    const unreadable = `The jobs folder ${shortPath(directory)} cannot be read: ${messageOf(error)}.`;
    throw usageError(codeOf(error) === 'ENOENT' ? missing : unreadable, error);
  }
}

/** A job with its history in the scheduler, from this process or an earlier one. */
export type WatchedJob = ReturnType<typeof watched>;

function watched(job: Job) {
  /**
   * Milliseconds since the epoch; `lastLoadMs`: the start of the newest run that succeeded at least in part, in any process before
   * this one; `maxSuccessAgeMs`: how long it may go without a success.
   */
  const unknown = null as number | null;
  const now = { lastTickMs: unknown, runningSinceMs: unknown, lastLoadMs: unknown, maxSuccessAgeMs: unknown };
  return { ...job, ...jobMemory.parse({}), ...now };
}

/** The state of the running scheduler, which the HTTP answers read. */
export type DaemonState = ReturnType<typeof openState>;

export function openState(jobs: readonly Job[]) {
  /** Milliseconds since the epoch; null before the scheduler waits for its ticks. */
  const readyMs = null as number | null;
  return { jobs: jobs.map(watched), readyMs, isStopping: false };
}

const HOUR_MS = 3_600_000;
const USUAL_HOURS = 36;
/** A run may begin late and take its time. */
const TOLERANCE = 1.5;
// Covers a year of a monthly job, and half a year of a nightly one.
const MAX_TICKS = 200;
const MAX_SPAN_MS = 400 * 24 * HOUR_MS;

/**
 * The age from which the answers of an endpoint are stale, in hours, by `endpoint` and, if jobs name projects, by
 * `endpoint:project`. Endpoints that are not enabled have no age.
 */
export function maxAgeHours(config: Config, nowMs: number): Map<string, number> {
  const { maxAge } = config.freshness;
  // Runs by hand or by cron need no jobs; commands that do report an unreadable file.
  const read = maxAge === null ? orNull(() => loadJobs(config.jobsDir, config.catalogue)) : null;
  const jobs = read ?? [];
  const named = new Set(jobs.flatMap(({ projects }) => projects ?? []));
  const known = new Map<string, number>();
  const hoursOf = (asking: readonly Job[]): number => {
    if (maxAge !== null) return maxAge / HOUR_MS;
    const key = asking.map(({ name }) => name).join(' ');
    const hours = known.get(key) ?? maxSuccessAgeMs(asking, nowMs) / HOUR_MS;
    known.set(key, hours);
    return hours;
  };
  const hours = new Map<string, number>();
  for (const { name, askedPer, cut } of config.catalogue.asked) {
    const isRegular = askedPer === 'project' && cut.kind !== 'lookup';
    if (!isRegular || config.sync.endpoints[name]?.enabled === false) continue;
    const asking = jobs.filter(({ endpoints }) => endpoints?.includes(name) ?? true);
    const ofAll = asking.filter(({ projects }) => projects === null);
    hours.set(name, hoursOf(ofAll));
    for (const project of named) {
      const own = asking.filter(({ projects }) => projects?.includes(project) ?? true);
      if (own.length > ofAll.length) hours.set(`${name}:${project}`, hoursOf(own));
    }
  }
  return hours;
}

/** How long jobs may go without a success, in milliseconds. */
export function maxSuccessAgeMs(jobs: readonly Job[], nowMs: number): number {
  return Math.max(USUAL_HOURS, TOLERANCE * longestGapHours(jobs, nowMs)) * HOUR_MS;
}

/** Longest time between two consecutive ticks of all jobs together; 0 without a job. */
function longestGapHours(jobs: readonly Job[], nowMs: number): number {
  const nextOf = (fromMs: number): number =>
    Math.min(...jobs.map((job) => nextTick(job, fromMs) ?? Infinity));
  let longest = 0;
  let tick = nextOf(nowMs);
  for (let count = 0; count < MAX_TICKS && tick - nowMs < MAX_SPAN_MS; count += 1) {
    const next = nextOf(tick);
    if (next < Infinity) longest = Math.max(longest, next - tick);
    tick = next;
  }
  return longest / HOUR_MS;
}
