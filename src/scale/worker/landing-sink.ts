import pLimit from 'p-limit';
import type { Effects } from '../../effects.ts';
import { landPart, type PartContent } from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import { outcomeBytes, type SliceOutcome } from '../../load/prepare-answer.ts';
import { problemOf, type RoundEndJson } from '../queue/round.ts';
import type { OutcomeSink } from '../../run/ask.ts';
import { flatSlice, type ArchivedAnswer } from '../../slice.ts';
import type { RoundClock } from './round-clock.ts';

/** A kill loses at most the answers of one part that is not written yet. */
const MAX_ANSWERS = 200;
/** Decoded bytes of one part: its answers are in memory until it is landed. */
const MAX_BYTES = 4_194_304;
const MAX_WAIT_MS = 2_000;
/** Parts that are being written or wait for it; with more, `room` waits. */
const MAX_PARTS = 2;

export interface LandingSinkOptions extends Pick<PartContent, 'run' | 'version' | 'round' | 'organization'> {
  zone: Zone;
  effects: Effects;
  /** Corrects the times of answers: those of two hosts must be in order. */
  clock: RoundClock;
  /** Requests and retries so far. */
  totals: () => { requests: number; retries: number };
  /** Once aborted, nothing may be landed. */
  lost: AbortSignal;
}

/** Lands answers in parts; failed slices are reported at the end of the round. */
export class LandingSink implements OutcomeSink {
  readonly #options: LandingSinkOptions;
  readonly failed: RoundEndJson['failed'] = [];
  #waiting: ArchivedAnswer[] = [];
  #waitingBytes = 0;
  #firstAt = 0;
  #counted = { requests: 0, retries: 0 };
  /** One part after the other: each counts the requests since the previous one. */
  readonly #one = pLimit(1);
  #landing: Promise<void> = Promise.resolve();
  readonly #broken = new AbortController();

  constructor(options: LandingSinkOptions) {
    this.#options = options;
  }

  /** Aborted when a part cannot be landed. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  async room(): Promise<void> {
    while (this.#one.activeCount + this.#one.pendingCount >= MAX_PARTS) await this.#landing;
    this.broken.throwIfAborted();
  }

  async push(outcome: SliceOutcome): Promise<void> {
    this.broken.throwIfAborted();
    if (outcome.kind === 'failed') {
      const { kind: _kind, error, slice, ...facts } = outcome;
      const at = outcome.at + this.#options.clock.correctionMs;
      this.failed.push({ ...problemOf(error, {}), ...facts, slice: flatSlice(slice), at });
      return;
    }
    const { effects } = this.#options;
    const answer = this.#byServerClock(outcome.answer);
    if (this.#waiting.length === 0) this.#firstAt = effects.now();
    this.#waiting.push(answer);
    this.#waitingBytes += outcomeBytes(outcome);
    const isFull = this.#waiting.length >= MAX_ANSWERS || this.#waitingBytes >= MAX_BYTES;
    if (isFull || effects.now() - this.#firstAt >= MAX_WAIT_MS) await this.#land();
  }

  #byServerClock(answer: ArchivedAnswer): ArchivedAnswer {
    const { clock } = this.#options;
    try {
      clock.heard(answer.account);
    } catch (error) {
      this.#broken.abort(error);
      throw error;
    }
    const { correctionMs } = clock;
    if (correctionMs === 0) return answer;
    const pages = answer.pages.map((page) => ({ ...page, fetchedAt: page.fetchedAt + correctionMs }));
    return { ...answer, pages };
  }

  /** Lands the answers that wait. Returns the requests that no part counts. @throws the error that kept a part from being landed */
  async finish(): Promise<{ requests: number; retries: number }> {
    if (this.#waiting.length > 0) await this.#land();
    await this.#landing;
    this.broken.throwIfAborted();
    return this.#uncounted();
  }

  async #land(): Promise<void> {
    const answers = this.#waiting;
    [this.#waiting, this.#waitingBytes] = [[], 0];
    this.#landing = this.#one(() => this.#write(answers)).catch((error: unknown) =>
      this.#broken.abort(error),
    );
    await this.#landing;
    this.broken.throwIfAborted();
  }

  async #write(answers: readonly ArchivedAnswer[]): Promise<void> {
    const { zone, effects, lost } = this.#options;
    // A successor may be at work, and its answers must be the newest.
    lost.throwIfAborted();
    await landPart(zone, { ...this.#options, answers, ...this.#uncounted(), landedAt: effects.now() });
  }

  /** Requests since the last call. */
  #uncounted(): { requests: number; retries: number } {
    const before = this.#counted;
    const { requests, retries } = (this.#counted = this.#options.totals());
    return { requests: requests - before.requests, retries: retries - before.retries };
  }
}
