import type { Log } from '../log.ts';
import type { WorkingFileNotice } from '../warehouse/working-file.ts';

/** Tells the log what was found when the working file was opened. */
export function tellNotices(notices: readonly WorkingFileNotice[], log: Log): void {
  for (const { event, message } of notices) {
    const level = event === 'set_aside' ? 'warn' : 'info';
    log[level](`working_file.${event}`, { message });
  }
}

/** What was damaged, for people who read no log. */
export function damageOf(notices: readonly WorkingFileNotice[]): string[] {
  return notices.filter(({ event }) => event === 'set_aside').map(({ message }) => message);
}
