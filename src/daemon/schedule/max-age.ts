import type { Config } from '../../config/config.ts';
import { catalogue } from '../../endpoints/catalogue.ts';
import { loadJobs, nextTick, type Job } from './jobs.ts';

const HOUR_MS = 3_600_000;
const USUAL_HOURS = 36;
/** A run may begin late and take its time. */
const TOLERANCE = 1.5;
// Far enough for a year of a monthly job, and for half a year of a nightly one.
const MAX_TICKS = 200;
const MAX_SPAN_MS = 400 * 24 * HOUR_MS;

/**
 * From which age on the answers of an endpoint are stale, in hours, by `endpoint` and, where jobs name projects, by
 * `endpoint:project`. What no configuration enables has no age.
 */
export function maxAgeHours(config: Config, nowMs: number): Map<string, number> {
  const { maxAge } = config.freshness;
  const jobs = maxAge === null ? readJobs(config.jobsDir) : [];
  const named = new Set(jobs.flatMap(({ projects }) => projects ?? []));
  const known = new Map<string, number>();
  const hoursOf = (asking: readonly Job[]): number => {
    if (maxAge !== null) return maxAge / HOUR_MS;
    const key = asking.map(({ name }) => name).join(' ');
    const hours = known.get(key) ?? Math.max(USUAL_HOURS, TOLERANCE * longestGapHours(asking, nowMs));
    known.set(key, hours);
    return hours;
  };
  const hours = new Map<string, number>();
  for (const { name, askedPer, cut } of catalogue) {
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

/** Runs by hand or by cron need no jobs; a file that cannot be read is told by the commands that need it. */
function readJobs(directory: string): Job[] {
  try {
    return loadJobs(directory);
  } catch {
    return [];
  }
}

/** Longest time between two ticks that follow each other, of all jobs together; 0 without a job. */
function longestGapHours(jobs: readonly Job[], nowMs: number): number {
  let longest = 0;
  let tick = nextOf(jobs, nowMs);
  for (let count = 0; tick !== null && count < MAX_TICKS && tick - nowMs < MAX_SPAN_MS; count += 1) {
    const next = nextOf(jobs, tick);
    if (next !== null) longest = Math.max(longest, next - tick);
    tick = next;
  }
  return longest / HOUR_MS;
}

function nextOf(jobs: readonly Job[], fromMs: number): number | null {
  const ticks = jobs.map((job) => nextTick(job, fromMs)).filter((tick) => tick !== null);
  return ticks.length === 0 ? null : Math.min(...ticks);
}
