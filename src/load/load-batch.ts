import type { PreparedOutcome } from './prepare-answer.ts';

/** Slices of one transaction: enough to be cheap, few enough that a kill loses little. */
const MOST_SLICES = 400;
/** Rows and decoded bytes of one transaction: what waits for it is held in memory. */
const MOST_ROWS = 50_000;
const MOST_BYTES = 4_194_304;

/** Outcomes that wait for their transaction. */
export class LoadBatch {
  #outcomes: PreparedOutcome[] = [];
  #rows = 0;
  #bytes = 0;

  /** @param bytes size of its decoded bodies */
  add(outcome: PreparedOutcome, bytes: number): void {
    this.#outcomes.push(outcome);
    this.#bytes += bytes;
    if ('validated' in outcome) this.#rows += outcome.rowCount;
  }

  get isEmpty(): boolean {
    return this.#outcomes.length === 0;
  }

  get isFull(): boolean {
    return this.#outcomes.length >= MOST_SLICES || this.#rows >= MOST_ROWS || this.#bytes >= MOST_BYTES;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What has been added since the last call. */
  take(): PreparedOutcome[] {
    const outcomes = this.#outcomes;
    [this.#outcomes, this.#rows, this.#bytes] = [[], 0, 0];
    return outcomes;
  }
}
