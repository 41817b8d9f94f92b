import { Cron } from 'croner';
import { messageOf } from '../errors.ts';

const MODE = '5-or-6-parts';

/** Opens a croner pattern that does nothing by itself. */
export function openPattern(pattern: string, timezone: string): Cron {
  return new Cron(pattern, { paused: true, mode: MODE, timezone });
}

/** What is wrong with a pattern; undefined when it is fine. */
export function cronProblem(pattern: string): string | undefined {
  try {
    const cron = openPattern(pattern, 'UTC');
    const next = cron.nextRun();
    cron.stop();
    return next === null ? 'never happens: choose a day that exists' : undefined;
  } catch (error) {
    const reason = messageOf(error).replace(/^CronPattern: /, '');
    return `is no cron pattern (${reason}): write 5 fields (minute hour day month weekday), for example '17 2 * * *'`;
  }
}

/** Last tick before an instant; null when there was none. Milliseconds since the epoch. */
export function previousTick(job: { schedule: string; timezone: string }, nowMs: number): number | null {
  const cron = openPattern(job.schedule, job.timezone);
  const [previous] = cron.previousRuns(1, new Date(nowMs));
  cron.stop();
  return previous?.getTime() ?? null;
}

export { MODE as CRON_MODE };
