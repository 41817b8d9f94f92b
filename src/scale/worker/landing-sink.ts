import pLimit from 'p-limit';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError } from '../../errors.ts';
import { landPart, type PartContent } from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import { outcomeBytes, type SliceOutcome } from '../../load/prepare-answer.ts';
import { correctionMs, LARGEST_SKEW_MS, skewText } from '../../plan/selection.ts';
import { problemOf, type RoundEndJson } from '../queue/round.ts';
import type { OutcomeSink } from '../../run/ask.ts';
import { flatSlice, type ArchivedAnswer } from '../../slice.ts';

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
  /** How far the server's clock is ahead, by the last answer to an account; null if no answer had a time. */
  aheadOf: (account: string) => number | null;
  /** Requests and retries so far. */
  totals: () => { requests: number; retries: number };
  /** Once aborted, nothing may be landed. */
  lost: AbortSignal;
}

/** The clock of this host is too far off to ask or land anything. */
export class WrongClockError extends AnswerlakeError {
  constructor(serverAheadMs: number) {
    super(`${skewText(serverAheadMs)}: set this machine's clock, then start the worker again`, {
      class: 'configuration',
    });
  }
}

/**
 * Lands answers in parts; failed slices are reported at the end of the round. Their times are corrected by the server's clock, because those
 * of two hosts must be in order.
 */
export class LandingSink implements OutcomeSink {
  readonly #options: LandingSinkOptions;
  readonly failed: RoundEndJson['failed'] = [];
  /** By the first answer that has a time. */
  serverAheadMs: number | null = null;
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
      const at = outcome.at + correctionMs(this.serverAheadMs);
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
    const aheadMs = (this.serverAheadMs ??= this.#options.aheadOf(answer.account));
    if (Math.abs(aheadMs ?? 0) > LARGEST_SKEW_MS) this.#broken.abort(new WrongClockError(aheadMs ?? 0));
    this.broken.throwIfAborted();
    const laterMs = correctionMs(aheadMs);
    const pages = answer.pages.map((page) => ({ ...page, fetchedAt: page.fetchedAt + laterMs }));
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
