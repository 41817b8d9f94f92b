import type { Effects } from '../../effects.ts';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import { landPart } from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import type { LoadRun } from '../../load/load-run.ts';
import { outcomeBytes, type FailedSlice, type SliceOutcome } from '../../load/slice-outcome.ts';
import { problemOf, sliceJson, type RoundEndJson } from '../queue/round.ts';
import type { OutcomeSink } from '../../run/ask.ts';
import type { ArchivedAnswer } from '../../slice.ts';
import type { RoundClock } from './round-clock.ts';

/** Answers of one part, and how long the first of them waits for the others: a kill loses so much at most. */
const MAX_ANSWERS = 200;
/** Decoded bytes of one part: what waits for it is held in memory, and so is what is being landed. */
const MAX_BYTES = 4_194_304;
const LONGEST_WAIT_MS = 2_000;
/** Parts that are being landed or wait for that; with more, `room` waits. */
const MAX_PARTS = 2;

export interface LandingSinkOptions {
  zone: Zone;
  run: LoadRun;
  version: string;
  round: string;
  organization: string;
  effects: Effects;
  /** By it answers are entered: those of two hosts must be in order. */
  clock: RoundClock;
  /** Requests and retries so far. */
  totals: () => { requests: number; retries: number };
  /** Nothing may be landed any more. */
  lost: AbortSignal;
  /** Nothing can be landed any more. */
  onBroken: (error: unknown) => void;
}

/** Lands answers in parts; what failed is told at the end of the round. */
export class LandingSink implements OutcomeSink {
  readonly #options: LandingSinkOptions;
  readonly failed: RoundEndJson['failed'] = [];
  #waiting: ArchivedAnswer[] = [];
  #waitingBytes = 0;
  #firstAt = 0;
  #counted = { requests: 0, retries: 0 };
  #landing: Promise<void> = Promise.resolve();
  #parts = 0;
  #broken: { error: unknown } | null = null;

  constructor(options: LandingSinkOptions) {
    this.#options = options;
  }

  async room(): Promise<void> {
    while (this.#parts >= MAX_PARTS) await this.#landing;
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
    if (isFull || effects.now() - this.#firstAt >= LONGEST_WAIT_MS) await this.#land();
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

  /** Lands what waits. Returns the requests that no part counts. @throws what keeps it from landing */
  async finish(): Promise<{ requests: number; retries: number }> {
    if (this.#waiting.length > 0) await this.#land();
    await this.#landing;
    this.#throwIfBroken();
    return this.#uncounted();
  }

  /** One part after the other: each counts the requests since the one before. */
  async #land(): Promise<void> {
    const answers = this.#waiting;
    [this.#waiting, this.#waitingBytes] = [[], 0];
    this.#landing = this.#writeAfter(this.#landing, answers);
    await this.#landing;
    this.#throwIfBroken();
  }

  async #writeAfter(before: Promise<void>, answers: readonly ArchivedAnswer[]): Promise<void> {
    this.#parts += 1;
    await before;
    try {
      await this.#write(answers);
    } catch (error) {
      this.#break(error);
    } finally {
      this.#parts -= 1;
    }
  }

  async #write(answers: readonly ArchivedAnswer[]): Promise<void> {
    const { zone, run, version, round, organization, effects, lost } = this.#options;
    // A successor may be at work: what it lands must be the last word.
    lost.throwIfAborted();
    const since = this.#uncounted();
    const content = { run, version, round, organization, answers, ...since, landedAt: effects.now() };
    await landPart(zone, content);
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

function failedJson({
  slice,
  error,
  requests,
  httpStatus,
  at,
  refused,
}: FailedSlice): RoundEndJson['failed'][number] {
  const known =
    error instanceof AnswerlakeError ? error : new AnswerlakeError(messageOf(error), { class: 'bug' });
  return {
    ...problemOf(known, {}),
    slice: sliceJson(slice),
    requests,
    httpStatus,
    at,
    ...(refused === undefined ? {} : { refused }),
  };
}
