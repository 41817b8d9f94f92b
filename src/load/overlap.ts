import type { DayRange } from '../day.ts';
import { sliceKey, sliceWindow, type Slice } from '../slice.ts';
import type { SliceOutcome } from './load-unit.ts';

/** The outcomes in their order, cut wherever one speaks of rows that an earlier one of the same batch speaks of too. */
export function batchesApart(outcomes: readonly SliceOutcome[]): SliceOutcome[][] {
  const batches: SliceOutcome[][] = [];
  let batch: SliceOutcome[] = [];
  let windows = new Map<string, (DayRange | null)[]>();
  for (const outcome of outcomes) {
    const slice = outcome.kind === 'answered' ? outcome.answer.slice : outcome.slice;
    const key = sliceKey(slice);
    const days = daysOf(slice);
    if (windows.get(key)?.some((other) => overlap(other, days)) === true) {
      batches.push(batch);
      batch = [];
      windows = new Map();
    }
    batch.push(outcome);
    windows.set(key, [...(windows.get(key) ?? []), days]);
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** Days that tell slices of one key apart; null where the key alone does. */
function daysOf(slice: Slice): DayRange | null {
  return slice.kind === 'window' ? null : sliceWindow(slice);
}

function overlap(one: DayRange | null, other: DayRange | null): boolean {
  return one === null || other === null || (one.start <= other.end && other.start <= one.end);
}
