import { LoadBatch, loadOf, type Load, type Loader } from '../load/loader.ts';
import type { LedgerEntry } from '../load/ledger.ts';
import type { PreparedOutcome, SliceOutcome } from '../load/prepare-answer.ts';
import type { OutcomeSink } from './ask.ts';
import { resultOf, type SliceResult } from './outcome.ts';

/** What was pushed and is not yet committed; with more, `push` and `room` wait for the writer. */
const MAX_IN_FLIGHT = { bytes: 16_777_216, rows: 150_000 } as const satisfies Load;
/** How long an outcome waits for others to share its transaction: a kill loses no more than that. */
const WAIT_MS = 1_000;

export interface LoadQueueOptions {
  loader: Pick<Loader, 'prepare' | 'release' | 'commit'>;
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
  readonly #waiting = new LoadBatch();
  readonly #inFlight: Load = { bytes: 0, rows: 0 };
  #loaded: SliceResult[] = [];
  #timer: NodeJS.Timeout | null = null;
  #committing: Promise<void> | null = null;
  #broken: { error: unknown } | null = null;

  constructor(options: LoadQueueOptions) {
    this.#options = options;
  }

  async push(outcome: SliceOutcome): Promise<void> {
    this.#throwIfBroken();
    this.#add(this.#options.loader.prepare(outcome));
    if (this.#waiting.isFull) void this.#write();
    else this.#writeSoon();
    await this.room();
  }

  async room(): Promise<void> {
    const { bytes, rows } = MAX_IN_FLIGHT;
    while (this.#inFlight.bytes >= bytes || this.#inFlight.rows >= rows) await this.#write();
    this.#throwIfBroken();
  }

  async drain(): Promise<SliceResult[]> {
    this.#add(this.#options.loader.release());
    while (this.#committing !== null || !this.#waiting.isEmpty) await this.#write();
    this.#throwIfBroken();
    return this.takeLoaded();
  }

  #add(prepared: readonly PreparedOutcome[]): void {
    for (const one of prepared) {
      const { bytes, rows } = loadOf(one);
      this.#waiting.add(one);
      this.#inFlight.bytes += bytes;
      this.#inFlight.rows += rows;
    }
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
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { outcomes, bytes, rows } = this.#waiting.take();
    try {
      this.#keep(await this.#options.loader.commit(outcomes));
      this.#inFlight.bytes -= bytes;
      this.#inFlight.rows -= rows;
    } catch (error) {
      this.#broken = { error };
      this.#waiting.clear();
      [this.#inFlight.bytes, this.#inFlight.rows] = [0, 0];
      this.#options.onBroken(error);
    } finally {
      this.#committing = null;
      if (this.#waiting.isFull) void this.#write();
      else if (!this.#waiting.isEmpty) this.#writeSoon();
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
