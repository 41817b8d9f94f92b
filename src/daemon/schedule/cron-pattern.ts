import { Cron } from 'croner';
import { messageOf } from '../../errors.ts';

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
