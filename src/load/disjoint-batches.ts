import type { DayRange } from '../day.ts';
import { sliceKey, sliceWindow, type Slice } from '../slice.ts';

/** The parts in order, in batches; a new batch starts where a part covers rows that its batch already covers. */
export function disjointBatches<Part>(parts: readonly Part[], sliceOf: (part: Part) => Slice): Part[][] {
  const batches: Part[][] = [];
  let batch: Part[] = [];
  let windows = new Map<string, (DayRange | null)[]>();
  for (const part of parts) {
    const slice = sliceOf(part);
    const key = sliceKey(slice);
    const days = daysOf(slice);
    if (windows.get(key)?.some((other) => overlap(other, days)) === true) {
      batches.push(batch);
      batch = [];
      windows = new Map();
    }
    batch.push(part);
    windows.set(key, [...(windows.get(key) ?? []), days]);
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** The days that tell slices with the same key apart; null where the key alone is enough. */
function daysOf(slice: Slice): DayRange | null {
  return slice.kind === 'window' ? null : sliceWindow(slice);
}

function overlap(one: DayRange | null, other: DayRange | null): boolean {
  return one === null || other === null || (one.start <= other.end && other.start <= one.end);
}
