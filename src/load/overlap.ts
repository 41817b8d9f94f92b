import type { DayRange } from '../day.ts';
import type { Slice } from '../slice.ts';
import type { SliceOutcome } from './load-unit.ts';

/** The outcomes in their order, cut wherever one speaks of rows that an earlier one of the same batch speaks of too. */
export function batchesApart(outcomes: readonly SliceOutcome[]): SliceOutcome[][] {
  const batches: SliceOutcome[][] = [];
  let batch: SliceOutcome[] = [];
  let windows = new Map<string, (DayRange | null)[]>();
  for (const outcome of outcomes) {
    const slice = outcome.kind === 'answered' ? outcome.answer.slice : outcome.slice;
    const subject = subjectOf(slice);
    const days = slice.windowKind === null ? slice.window : null;
    if (windows.get(subject)?.some((other) => overlap(other, days)) === true) {
      batches.push(batch);
      batch = [];
      windows = new Map();
    }
    batch.push(outcome);
    windows.set(subject, [...(windows.get(subject) ?? []), days]);
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** What a slice is about; slices of one series differ by their days alone. */
function subjectOf({ endpoint, projectId, scope, scopeId, grain, windowKind, window }: Slice): string {
  const start = windowKind === null ? null : (window?.start ?? null);
  return JSON.stringify([endpoint, projectId, scope, scopeId, grain, windowKind, start]);
}

function overlap(one: DayRange | null, other: DayRange | null): boolean {
  return one === null || other === null || (one.start <= other.end && other.start <= one.end);
}
