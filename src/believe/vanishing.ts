import type { Day } from '../day.ts';

/** What an answer removes: a row that it lacks, or figures that it leaves empty. */
export const VANISHING_CHANGES = ['gone', 'emptied'] as const;
export type VanishingChange = (typeof VANISHING_CHANGES)[number];

/** Earlier evidence against a stored row. */
export interface Earlier {
  change: VanishingChange;
  /** Sync days with such answers, and the last of them. */
  witnesses: number;
  lastOn: Day;
}

/** Sync days that remove a row, and those needed if an answer lacks most of the known rows. */
const ENOUGH = 2;
const ENOUGH_OF_SHRUNK = 3;

/** Sync days with the same evidence against a row, including this one. */
export function witnessesOf(change: VanishingChange, earlier: Earlier | null, syncDay: Day): number {
  if (earlier?.change !== change) return 1;
  return earlier.witnesses + (earlier.lastOn < syncDay ? 1 : 0);
}

/** Whether a stored row of a closed day is removed now. */
export function isWitnessed(witnesses: number, isShrunk: boolean): boolean {
  return witnesses >= (isShrunk ? ENOUGH_OF_SHRUNK : ENOUGH);
}

/** Rows that an answer may lack without being suspicious. */
const FEW = 3;

/** True if a person should look: an answer lacks or empties more than half of the known closed rows, and more than three. */
export function isShrunk(missing: number, known: number): boolean {
  return missing > FEW && missing * 2 > known;
}
