import pLimit from 'p-limit';
import type { Effects } from '../../effects.ts';
import { landPart, type PartContent } from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import { outcomeBytes, type FailedSlice, type SliceOutcome } from '../../load/prepare-answer.ts';
import { problemOf, sliceJson, type RoundEndJson } from '../queue/round.ts';
import type { OutcomeSink } from '../../run/ask.ts';
import type { ArchivedAnswer } from '../../slice.ts';
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
  /** Called when a part cannot be landed. */
  onBroken: (error: unknown) => void;
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
  #broken: { error: unknown } | null = null;

  constructor(options: LandingSinkOptions) {
    this.#options = options;
  }

  async room(): Promise<void> {
    while (this.#one.activeCount + this.#one.pendingCount >= MAX_PARTS) await this.#landing;
    this.#throwIfBroken();
  }

  async push(outcome: SliceOutcome): Promise<void> {
    this.#throwIfBroken();
    if (outcome.kind === 'failed') {
      const at = outcome.at + this.#options.clock.correctionMs;
      this.failed.push(failedJson({ ...outcome, at }));
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
      this.#break(error);
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
    this.#throwIfBroken();
    return this.#uncounted();
  }

  async #land(): Promise<void> {
    const answers = this.#waiting;
    [this.#waiting, this.#waitingBytes] = [[], 0];
    this.#landing = this.#one(() => this.#write(answers)).catch((error: unknown) => this.#break(error));
    await this.#landing;
    this.#throwIfBroken();
  }

  async #write(answers: readonly ArchivedAnswer[]): Promise<void> {
    const { zone, effects, lost } = this.#options;
    // A successor may be at work, and its answers must be the newest.
    lost.throwIfAborted();
    const since = this.#uncounted();
    await landPart(zone, { ...this.#options, answers, ...since, landedAt: effects.now() });
    this.#counted = {
      requests: this.#counted.requests + since.requests,
      retries: this.#counted.retries + since.retries,
    };
  }

  #uncounted(): { requests: number; retries: number } {
    const { requests, retries } = this.#options.totals();
    return { requests: requests - this.#counted.requests, retries: retries - this.#counted.retries };
  }

  #break(error: unknown): void {
    this.#broken ??= { error };
    this.#options.onBroken(error);
  }

  #throwIfBroken(): void {
    if (this.#broken !== null) throw this.#broken.error;
  }
}

function failedJson({ slice, error, requests, httpStatus, at, refused }: FailedSlice) {
  return {
    ...problemOf(error, {}),
    slice: sliceJson(slice),
    requests,
    httpStatus,
    at,
    ...(refused === undefined ? {} : { refused }),
  };
}
