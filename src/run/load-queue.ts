import { LoadBatch, type Loader } from '../load/loader.ts';
import type { SliceOutcome } from '../load/prepare-answer.ts';
import type { OutcomeSink } from './ask.ts';
import { resultOf, type SliceResult } from './outcome.ts';

/** What was pushed and is not yet committed; with more, `push` and `waitForCapacity` wait for the writer. */
const MAX_IN_FLIGHT = { bytes: 16_777_216, rows: 150_000 } as const;
/** How long an outcome waits for others to share its transaction: a kill loses no more than that. */
const WAIT_MS = 1_000;

export interface LoadQueueOptions {
  loader: Pick<Loader, 'prepare' | 'commit'>;
  onLoaded: (result: SliceResult) => void;
  /** The warehouse can no longer be written, so asking for more is pointless. */
  onBroken: (error: unknown) => void;
}

/** Outcomes on their way into the warehouse. */
export interface OutcomeQueue extends OutcomeSink {
  /** Waits until all pushed outcomes are committed; returns what was loaded since the last call. @throws what broke the writer */
  drain(): Promise<SliceResult[]>;
  /** What was loaded since the last call, without waiting for more. */
  takeLoaded(): SliceResult[];
}

/** One writer for many askers: outcomes are read as they come, and loaded in batches, in the order of arrival. */
export class LoadQueue implements OutcomeQueue {
  readonly #options: LoadQueueOptions;
  #waiting = new LoadBatch();
  /** What is being committed. */
  #taken = new LoadBatch();
  #loaded: SliceResult[] = [];
  #timer: NodeJS.Timeout | null = null;
  #committing: Promise<void> | null = null;
  #broken: { error: unknown } | null = null;

  constructor(options: LoadQueueOptions) {
    this.#options = options;
  }

  async push(outcome: SliceOutcome): Promise<void> {
    this.#throwIfBroken();
    this.#waiting.add(this.#options.loader.prepare(outcome));
    if (this.#waiting.isFull) void this.#write();
    else this.#writeSoon();
    await this.waitForCapacity();
  }

  async waitForCapacity(): Promise<void> {
    const isFull = (what: keyof typeof MAX_IN_FLIGHT): boolean =>
      this.#waiting[what] + this.#taken[what] >= MAX_IN_FLIGHT[what];
    while (isFull('bytes') || isFull('rows')) await this.#write();
    this.#throwIfBroken();
  }

  async drain(): Promise<SliceResult[]> {
    while (this.#committing !== null || !this.#waiting.isEmpty) await this.#write();
    this.#throwIfBroken();
    return this.takeLoaded();
  }

  takeLoaded(): SliceResult[] {
    const loaded = this.#loaded;
    this.#loaded = [];
    return loaded;
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.#write(), WAIT_MS).unref();
  }

  /** Commits what waits, unless a batch is being committed; resolves when one is. Never rejects. */
  #write(): Promise<void> {
    this.#committing ??= this.#commit();
    return this.#committing;
  }

  async #commit(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    this.#taken = this.#waiting.take();
    try {
      for (const entry of await this.#options.loader.commit(this.#taken.outcomes)) {
        const result = resultOf(entry);
        this.#loaded.push(result);
        this.#options.onLoaded(result);
      }
    } catch (error) {
      this.#broken = { error };
      this.#waiting = new LoadBatch();
      this.#options.onBroken(error);
    } finally {
      this.#taken = new LoadBatch();
      this.#committing = null;
      if (this.#waiting.isFull) void this.#write();
      else if (!this.#waiting.isEmpty) this.#writeSoon();
    }
  }

  #throwIfBroken(): void {
    if (this.#broken !== null) throw this.#broken.error;
  }
}
