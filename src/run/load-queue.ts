import type { LedgerEntry } from '../load/ledger.ts';
import type { SliceOutcome } from '../load/slice-outcome.ts';
import type { Loader } from '../load/loader.ts';
import type { OutcomeSink } from './ask.ts';
import { resultOf, type SliceResult } from './slice-result.ts';

/** Slices per transaction: enough to be cheap, few enough that a kill loses little. */
const MAX_BATCH = 400;
/** Above this number of waiting outcomes, `push` waits for the writer. */
const MAX_WAITING = 600;

export interface LoadQueueOptions {
  loader: Pick<Loader, 'load'>;
  onLoaded: (result: SliceResult) => void;
  /** The warehouse can no longer be written, so asking for more is pointless. */
  onBroken: (error: unknown) => void;
}

/** One writer for many askers: outcomes are loaded in batches, in the order of arrival. */
export class LoadQueue implements OutcomeSink {
  readonly #options: LoadQueueOptions;
  #waiting: SliceOutcome[] = [];
  #loaded: SliceResult[] = [];
  #worker: Promise<void> | null = null;
  #broken: { error: unknown } | null = null;

  constructor(options: LoadQueueOptions) {
    this.#options = options;
  }

  async push(outcome: SliceOutcome): Promise<void> {
    this.#throwIfBroken();
    this.#waiting.push(outcome);
    this.#worker ??= this.#work();
    if (this.#waiting.length >= MAX_WAITING) await this.#worker;
    this.#throwIfBroken();
  }

  /** Waits until all pushed outcomes are committed; returns what was loaded since the last call. @throws what broke the writer */
  async drain(): Promise<SliceResult[]> {
    while (this.#worker !== null) await this.#worker;
    this.#throwIfBroken();
    return this.takeLoaded();
  }

  /** What was loaded since the last call, without waiting for more. */
  takeLoaded(): SliceResult[] {
    const loaded = this.#loaded;
    this.#loaded = [];
    return loaded;
  }

  async #work(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && this.#broken === null) {
        const batch = this.#waiting.splice(0, MAX_BATCH);
        this.#keep(await this.#options.loader.load(batch));
      }
    } catch (error) {
      this.#broken = { error };
      this.#waiting = [];
      this.#options.onBroken(error);
    } finally {
      this.#worker = null;
    }
  }

  #keep(entries: readonly LedgerEntry[]): void {
    for (const result of entries.map(resultOf)) {
      this.#loaded.push(result);
      this.#options.onLoaded(result);
    }
  }

  #throwIfBroken(): void {
    if (this.#broken !== null) throw this.#broken.error;
  }
}
