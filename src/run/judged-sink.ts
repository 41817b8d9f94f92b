import { placedRows } from '../believe/placed-rows.ts';
import { readAnswer, type ValidatedAnswer } from '../believe/read-answer.ts';
import { Suspicions, type Judged, type Probe, type Question } from '../believe/suspicion.ts';
import { AnswerlakeError } from '../errors.ts';
import { outcomeBytes, refusedAnswer, type Answered, type SliceOutcome } from '../load/prepare-answer.ts';
import type { OutcomeSink } from './ask.ts';
import type { Prober } from './prober.ts';

/** Decoded bytes and rows of answers that wait to be compared; with more, the stage ends early for them. */
const MAX_WAITING = { bytes: 8_388_608, rows: 50_000 } as const;

export interface JudgedSinkOptions {
  sink: OutcomeSink;
  prober: Prober;
  signal: AbortSignal;
  /** How many projects are asked for. */
  projects: number;
  /** What was found out before. */
  probed: readonly Probe[];
}

/** Passes answers on once they are judged: where they look as if the question was ignored, one more question is asked first. */
export class JudgedSink implements OutcomeSink {
  readonly #options: JudgedSinkOptions;
  readonly #suspicions: Suspicions<Answered>;
  readonly #waiting = { bytes: 0, rows: 0 };
  #settling: Promise<void> = Promise.resolve();
  #probes: Probe[] = [];

  constructor(options: JudgedSinkOptions) {
    this.#options = options;
    this.#suspicions = new Suspicions(options);
  }

  async waitForCapacity(): Promise<void> {
    await this.#options.sink.waitForCapacity();
  }

  async push(outcome: SliceOutcome): Promise<void> {
    const read = outcome.kind === 'answered' ? readComparable(outcome) : null;
    if (outcome.kind === 'failed' || read === null) return await this.#options.sink.push(outcome);
    const { endpoint, answer } = outcome;
    const { slice, askedWith } = answer;
    const placed = placedRows(endpoint, answer, read);
    const item = { ...outcome, read };
    this.#count(item, 1);
    await this.#pass(this.#suspicions.offer({ item, endpoint, slice, askedWith, placed }));
    const { bytes, rows } = this.#waiting;
    if (bytes >= MAX_WAITING.bytes || rows >= MAX_WAITING.rows) await this.settle();
  }

  /** Ends the stage: asks about what looks ignored, and passes everything on. @throws what stopped the client or the sink */
  async settle(): Promise<void> {
    // One after the other, so that nothing is asked twice.
    this.#settling = this.#settling.catch(() => undefined).then(() => this.#settle());
    await this.#settling;
  }

  /** What was found out since the last call. */
  takeProbes(): Probe[] {
    const probes = this.#probes;
    this.#probes = [];
    return probes;
  }

  async #settle(): Promise<void> {
    const { signal } = this.#options;
    let isStopped = false;
    // While one question is asked, more answers may come.
    for (let asked = this.#suspicions.questions(); asked.length > 0; asked = this.#suspicions.questions()) {
      for (const question of asked) {
        isStopped = signal.aborted || !(await this.#ask(question));
        // What is not judged is asked for again by the next run.
        if (isStopped) break;
      }
      if (isStopped) break;
    }
    await this.#pass(this.#suspicions.release({ isStopped }));
  }

  /** False where the run is stopped. */
  async #ask(question: Question<Answered>): Promise<boolean> {
    const { prober, signal } = this.#options;
    try {
      const finding = await prober.ask(question);
      this.#probes.push(...this.#suspicions.settle(question, finding));
      return true;
    } catch (error) {
      if (signal.aborted || (error instanceof AnswerlakeError && error.class === 'stopped')) return false;
      throw error;
    }
  }

  async #pass(all: readonly Judged<Answered>[]): Promise<void> {
    const { sink } = this.#options;
    for (const { item } of all) this.#count(item, -1);
    for (const { item, verdict } of all) {
      const { endpoint, answer } = item;
      if (verdict === 'good') await sink.push(item);
      else if (typeof verdict === 'string')
        await sink.push({ kind: 'answered', endpoint, answer: { ...answer, verdict } });
      else await sink.push(refusedAnswer(answer, verdict));
    }
  }

  #count(item: Answered, sign: 1 | -1): void {
    this.#waiting.bytes += sign * outcomeBytes(item);
    this.#waiting.rows += sign * (item.read?.rowCount ?? 0);
  }
}

/** Null for an answer that no other is compared with, and for one that cannot be read. */
function readComparable({ endpoint, answer }: Answered): ValidatedAnswer | null {
  const { askedPer, cut, outputs } = endpoint;
  const isCompared = cut.kind === 'series' || cut.kind === 'window' || outputs[0].ownedId !== null;
  if (askedPer !== 'project' || cut.kind === 'lookup' || !isCompared) return null;
  try {
    return readAnswer(endpoint, answer);
  } catch {
    // The loader refuses it, and says why.
    return null;
  }
}
