import type { Day } from '../day.ts';

/** What an answer takes away: a row that it lacks, or figures that it leaves empty. */
export const VANISHING_CHANGES = ['gone', 'emptied'] as const;
export type VanishingChange = (typeof VANISHING_CHANGES)[number];

/** What earlier answers said of a stored row. */
export interface Earlier {
  change: VanishingChange;
  /** Sync days whose answers said so, and the last of them. */
  witnesses: number;
  lastOn: Day;
}

/** Sync days that take a row away, and those that do where an answer lacks most of what is known. */
const ENOUGH = 2;
const ENOUGH_OF_SHRUNK = 3;

/** Sync days whose answers have said the same of a row, this one included. */
export function witnessesOf(change: VanishingChange, earlier: Earlier | null, syncDay: Day): number {
  if (earlier?.change !== change) return 1;
  return earlier.witnesses + (earlier.lastOn < syncDay ? 1 : 0);
}

/** Whether a stored row of a closed day goes now. */
export function isWitnessed(witnesses: number, isShrunk: boolean): boolean {
  return witnesses >= (isShrunk ? ENOUGH_OF_SHRUNK : ENOUGH);
}

/** Rows that an answer may lack without being suspicious. */
const FEW = 3;

/** True when a person should look: an answer lacks or empties more than half of the closed rows that are known, and more than three. */
export function isShrunk(missing: number, known: number): boolean {
  return missing > FEW && missing * 2 > known;
}
