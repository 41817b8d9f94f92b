import { dayOf, type Day } from '../day.ts';
import { formatDuration } from '../text.ts';
import { AnswerlakeError } from '../errors.ts';

const HOUR_MS = 3_600_000;
const WARNED_SKEW_MS = HOUR_MS;
/** More than any time zone or late answer explains: one of the two clocks is wrong, and days would be entered that are not over. */
export const LARGEST_SKEW_MS = 36 * HOUR_MS;

/** What day it is where the data is. */
export interface ServerDay {
  day: Day;
  /** Set when this machine's clock differs by more than an hour. */
  warning: string | null;
}

/**
 * The UTC day by the server's clock, or by ours when no answer told the time.
 * @throws AnswerlakeError (configuration) when the two clocks differ by more than 36 hours
 */
export function serverDay(nowMs: number, serverAheadMs: number | null): ServerDay {
  const aheadMs = serverAheadMs ?? 0;
  const day = dayOf(nowMs + aheadMs);
  if (Math.abs(aheadMs) <= WARNED_SKEW_MS) return { day, warning: null };
  const text = skewText(aheadMs);
  if (Math.abs(aheadMs) > LARGEST_SKEW_MS) {
    throw new AnswerlakeError(`${text}: set this machine's clock, then run again; nothing was touched`, {
      class: 'configuration',
    });
  }
  return { day, warning: `${text}: ${day} counts as today, by the server's clock; set this machine's clock` };
}

/** What to add to this machine's clock so that runs are in order whichever clock they ran on; 0 while the two clocks agree. */
export function correctionMs(serverAheadMs: number | null): number {
  return serverAheadMs !== null && Math.abs(serverAheadMs) > WARNED_SKEW_MS ? serverAheadMs : 0;
}

/** Says by how much this machine's clock is wrong. @param aheadMs how far the server's clock is ahead of ours */
export function skewText(aheadMs: number): string {
  const direction = aheadMs > 0 ? 'behind' : 'ahead of';
  return `this machine's clock is ${formatDuration(Math.abs(aheadMs))} ${direction} the server's`;
}
