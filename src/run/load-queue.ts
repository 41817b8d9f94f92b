import type { LedgerEntry } from '../load/ledger.ts';
import type { SliceOutcome } from '../load/load-unit.ts';
import type { Loader } from '../load/loader.ts';

/** Whole slices in one transaction: enough to make it cheap, few enough to lose little by a kill. */
const MAX_BATCH = 100;
/** Beyond this the readers wait for the writer. */
const MAX_WAITING = 400;

export interface LoadQueueOptions {
  loader: Loader;
  onLoaded: (entry: LedgerEntry) => void;
  /** The warehouse cannot be written any more: nobody needs to ask for more. */
  onBroken: (error: unknown) => void;
}

/** Many readers, one writer: outcomes are loaded in the order of arrival, in batches. */
export class LoadQueue {
  readonly #options: LoadQueueOptions;
  #waiting: SliceOutcome[] = [];
  #worker: Promise<void> | null = null;
  #broken: { error: unknown } | null = null;

  constructor(options: LoadQueueOptions) {
    this.#options = options;
  }

  /** Resolves when there is room for more. @throws what broke the writer */
  async push(outcome: SliceOutcome): Promise<void> {
    this.#throwIfBroken();
    this.#waiting.push(outcome);
    this.#worker ??= this.#work();
    if (this.#waiting.length >= MAX_WAITING) await this.#worker;
    this.#throwIfBroken();
  }

  /** Resolves when everything pushed so far is committed. @throws what broke the writer */
  async drain(): Promise<void> {
    while (this.#worker !== null) await this.#worker;
    this.#throwIfBroken();
  }

  async #work(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && this.#broken === null) {
        const batch = this.#waiting.splice(0, MAX_BATCH);
        for (const entry of await this.#options.loader.load(batch)) this.#options.onLoaded(entry);
      }
    } catch (error) {
      this.#broken = { error };
      this.#waiting = [];
      this.#options.onBroken(error);
    } finally {
      this.#worker = null;
    }
  }

  #throwIfBroken(): void {
    if (this.#broken !== null) throw this.#broken.error;
  }
}
