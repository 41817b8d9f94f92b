import type { Day } from '../day.ts';

/** What an answer takes away: a row that it lacks, or figures that it leaves empty. */
export const VANISHING_CHANGES = ['gone', 'emptied'] as const;
export type VanishingChange = (typeof VANISHING_CHANGES)[number];

/** A stored row that an answer contradicts. */
export interface Missing {
  change: VanishingChange;
  /** The day or window of the row is over. */
  isClosed: boolean;
  /** What an earlier answer said about the same row, and on which sync day; null when none did. */
  earlier: VanishingChange | null;
  witnessedOn: Day | null;
}

/**
 * Whether a stored row goes now. On a closed day it takes two answers of different sync days; the running day follows
 * each answer.
 */
export function goesNow(
  { change, isClosed, earlier, witnessedOn }: Missing,
  { syncDay, acceptShrink }: { syncDay: Day; acceptShrink: boolean },
): boolean {
  if (!isClosed || acceptShrink) return true;
  return earlier === change && witnessedOn !== null && witnessedOn < syncDay;
}

/** True when a person should look: an answer lacks more than half of the closed rows that it could have. */
export function isSuspicious(missing: number, known: number): boolean {
  return missing * 2 > known;
}
