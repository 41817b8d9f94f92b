import type { SliceOutcome } from '../load/slice-outcome.ts';

/** Where outcomes go: a loader, or anything that passes them on to one. */
export interface OutcomeSink {
  /** Resolves when there is room for one more: a request that is over holds no place, so nothing else keeps requests back. @throws as `push` */
  room(): Promise<void>;
  /** Resolves when there is room for more. @throws the error that stopped the loader */
  push(outcome: SliceOutcome): Promise<void>;
}
