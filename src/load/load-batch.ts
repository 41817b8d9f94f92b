import type { PreparedOutcome } from './prepare-answer.ts';

/** Slices of one transaction: enough to be cheap, few enough that a kill loses little. */
const MOST_SLICES = 400;
/** Rows and decoded bytes of one transaction: what waits for it is held in memory. */
const MOST_ROWS = 50_000;
const MOST_BYTES = 4_194_304;

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

  /** @param bytes size of its decoded bodies */
  add(outcome: PreparedOutcome, bytes: number): void {
    const rows = rowsOf(outcome);
    this.#waiting.push({ outcome, bytes, rows });
    this.#bytes += bytes;
    this.#rows += rows;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MOST_SLICES || this.#rows >= MOST_ROWS || this.#bytes >= MOST_BYTES;
  }

  /** What one transaction may take of what has been added, oldest first: as many slices as there are, but not their rows. */
  take(): Load & { outcomes: PreparedOutcome[] } {
    let [count, bytes, rows] = [0, 0, 0];
    for (const one of this.#waiting) {
      if (rows >= MOST_ROWS) break;
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

export function rowsOf(outcome: PreparedOutcome): number {
  return 'validated' in outcome ? outcome.rowCount : 0;
}
