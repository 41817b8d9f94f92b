import type { PreparedOutcome } from './prepare-answer.ts';
import type { DayRange } from '../day.ts';
import { sliceKey, sliceWindow, type Slice } from '../slice.ts';

/** Slices of one transaction: enough to be cheap, few enough that a kill loses little. */
const MAX_SLICES = 400;
/** Rows and decoded bytes of one transaction: what waits for it is held in memory. */
const MAX_ROWS = 50_000;
const MAX_BYTES = 4_194_304;

/** What outcomes take: decoded bytes, and the rows that were read from them. A series of numbers has a row in three bytes. */
export interface Load {
  bytes: number;
  rows: number;
}

/** Outcomes that wait for their transaction. */
export class LoadBatch {
  #waiting: (Load & { outcome: PreparedOutcome })[] = [];
  #rows = 0;
  #bytes = 0;

  add(outcome: PreparedOutcome): void {
    const { rows, bytes } = loadOf(outcome);
    this.#waiting.push({ outcome, bytes, rows });
    this.#bytes += bytes;
    this.#rows += rows;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MAX_SLICES || this.#rows >= MAX_ROWS || this.#bytes >= MAX_BYTES;
  }

  /** What one transaction may take of what has been added, oldest first: as many slices as there are, but not their rows. */
  take(): Load & { outcomes: PreparedOutcome[] } {
    let [count, bytes, rows] = [0, 0, 0];
    for (const one of this.#waiting) {
      if (rows >= MAX_ROWS) break;
      count += 1;
      bytes += one.bytes;
      rows += one.rows;
    }
    this.#bytes -= bytes;
    this.#rows -= rows;
    return { outcomes: this.#waiting.splice(0, count).map(({ outcome }) => outcome), bytes, rows };
  }

  clear(): void {
    [this.#waiting, this.#rows, this.#bytes] = [[], 0, 0];
  }
}

/** What one outcome takes. */
export function loadOf(outcome: PreparedOutcome): Load {
  return 'validated' in outcome ? { rows: outcome.rowCount, bytes: outcome.bytes } : { rows: 0, bytes: 0 };
}

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
