import { isOwnList, placedRows } from '../believe/placed-rows.ts';
import { readAnswer, type ValidatedAnswer } from '../believe/read-answer.ts';
import { Suspicions, type Judged, type Question } from '../believe/suspicion.ts';
import type { Probe } from '../believe/probe.ts';
import { AnswerlakeError, orNull } from '../errors.ts';
import { outcomeBytes, refusedAnswer, type Answered, type SliceOutcome } from '../load/prepare-answer.ts';
import type { OutcomeSink } from './ask.ts';
import type { Prober } from '../check/prober.ts';

/** Upper bound of everything that waits in memory: a kill loses no more than that. */
export const BACKLOG = { bytes: 16_777_216, rows: 50_000, ageMs: 30_000 } as const;
/** Memory of an outcome in addition to its body. */
const ENVELOPE_BYTES = 16_384;
/** How long prepared outcomes wait for others to share a transaction. */
const PAUSE_MS = 1_000;

/** Writes the outcomes of the backlog. */
export interface BacklogWriter<Prepared> {
  /** Prepares an outcome, in write order; may be called during a write. */
  prepare: (outcome: SliceOutcome) => Prepared;
  /** Writes outcomes, each one whole; the next call waits for this one. @throws when nothing can be written at all */
  write: (prepared: readonly Prepared[]) => Promise<void>;
}

export interface BacklogOptions<Prepared> {
  writer: BacklogWriter<Prepared>;
  prober: Pick<Prober, 'ask'>;
  signal: AbortSignal;
  /** Number of requested projects. */
  projects: number;
  /** Earlier verdicts. */
  probed: readonly Probe[];
  /** Called when nothing more can be written, so further requests are pointless. */
  onBroken: (error: unknown) => void;
}

/** `weight`: the share of the backlog that it takes. */
type Held = Answered & { read: ValidatedAnswer; weight: number };

/** Where answers wait to be compared, and then to be written. If an answer looks as if the server ignored its parameters, a second request checks it. */
export class Backlog<Prepared> implements OutcomeSink {
  readonly #options: BacklogOptions<Prepared>;
  readonly #suspicions: Suspicions<Held>;
  #probes: Probe[] = [];
  /** Weight of everything that waits or is being written. */
  #held = 0;
  #ready: Prepared[] = [];
  #readyWeight = 0;
  #settling: Promise<void> = Promise.resolve();
  #writing: Promise<void> | null = null;
  #pause: NodeJS.Timeout | null = null;
  #age: NodeJS.Timeout | null = null;
  #broken: { error: unknown } | null = null;

  constructor(options: BacklogOptions<Prepared>) {
    this.#options = options;
    this.#suspicions = new Suspicions(options);
  }

  /** Accepts an outcome. Resolves when another can be pushed. @throws what broke the writer */
  async push(outcome: SliceOutcome): Promise<void> {
    this.#throwIfBroken();
    // An answer that cannot be read: the writer refuses it and reports why.
    const read =
      outcome.kind === 'answered' ? orNull(() => readAnswer(outcome.endpoint, outcome.answer)) : null;
    const bytes = ENVELOPE_BYTES + outcomeBytes(outcome);
    const weight = Math.max(bytes / BACKLOG.bytes, (read?.rowCount ?? 0) / BACKLOG.rows);
    this.#held += weight;
    if (outcome.kind === 'failed' || read === null) this.#enqueue(outcome, weight);
    else if (isCompared(outcome)) this.#compare({ ...outcome, read, weight });
    else this.#enqueue({ ...outcome, read }, weight);
    await this.waitForCapacity();
  }

  async waitForCapacity(): Promise<void> {
    while (this.#held >= 1) {
      // The backlog is full: stop waiting for answers to compare with.
      if (this.#ready.length === 0 && this.#writing === null) await this.settle();
      else await this.#write();
    }
    this.#throwIfBroken();
  }

  /** Checks suspicious answers with second requests and releases all that wait for comparison. @throws what stopped the client */
  async settle(): Promise<void> {
    clearTimeout(this.#age ?? undefined);
    this.#age = null;
    // One at a time, so that no request is sent twice.
    this.#settling = this.#settling.catch(() => undefined).then(() => this.#settle());
    await this.#settling;
  }

  /** Waits until everything pushed is written; returns the findings since the last call. @throws as `settle` and `push` */
  async drain(): Promise<Probe[]> {
    await this.settle();
    while (this.#writing !== null || this.#ready.length > 0) await this.#write();
    this.#throwIfBroken();
    const probes = this.#probes;
    this.#probes = [];
    return probes;
  }

  #compare(item: Held): void {
    const { endpoint, answer, read } = item;
    const { slice, askedWith } = answer;
    const settle = (): void => void this.settle().catch((error: unknown) => this.#break(error));
    this.#age ??= setTimeout(settle, BACKLOG.ageMs).unref();
    const placed = placedRows(endpoint, answer, read);
    this.#pass(this.#suspicions.offer({ item, endpoint, slice, askedWith, placed }));
  }

  async #settle(): Promise<void> {
    const { signal } = this.#options;
    let isStopped = false;
    // While one check is under way, more answers may arrive.
    for (let asked = this.#suspicions.questions(); asked.length > 0; asked = this.#suspicions.questions()) {
      for (const question of asked) isStopped ||= signal.aborted || !(await this.#ask(question));
      if (isStopped) break;
    }
    this.#pass(this.#suspicions.release({ isStopped }));
  }

  /** False if the run is stopped. */
  async #ask(question: Question<Held>): Promise<boolean> {
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

  #pass(all: readonly Judged<Held>[]): void {
    for (const { item, verdict } of all) {
      const { weight, ...answered } = item;
      // The next run requests it again.
      if (verdict === null) this.#held -= weight;
      else if (verdict === 'good') this.#enqueue(answered, weight);
      else if (typeof verdict === 'string')
        this.#enqueue({ ...answered, read: undefined, answer: { ...item.answer, verdict } }, weight);
      else this.#enqueue(refusedAnswer(item.answer, verdict), weight);
    }
  }

  #enqueue(outcome: SliceOutcome, weight: number): void {
    if (this.#broken !== null) return;
    try {
      this.#ready.push(this.#options.writer.prepare(outcome));
    } catch (error) {
      this.#break(error);
      return;
    }
    this.#readyWeight += weight;
    this.#writeSoon();
  }

  /** Starts at half the bound, to leave room for answers that arrive during the write. */
  #writeSoon(): void {
    if (this.#readyWeight >= 0.5) void this.#write();
    else this.#pause ??= setTimeout(() => void this.#write(), PAUSE_MS).unref();
  }

  /** Writes what is ready, unless a write is under way; resolves when that write ends. Never rejects. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeReady();
    return this.#writing;
  }

  async #writeReady(): Promise<void> {
    clearTimeout(this.#pause ?? undefined);
    this.#pause = null;
    const [taken, weight] = [this.#ready, this.#readyWeight];
    [this.#ready, this.#readyWeight] = [[], 0];
    try {
      await this.#options.writer.write(taken);
    } catch (error) {
      this.#break(error);
    } finally {
      this.#writing = null;
      this.#held -= weight;
      if (this.#ready.length > 0) this.#writeSoon();
    }
  }

  /** Everything that waits is lost, as in a kill. */
  #break(error: unknown): void {
    if (this.#broken !== null) return;
    this.#broken = { error };
    this.#ready = [];
    this.#held = 0;
    this.#options.onBroken(error);
  }

  #throwIfBroken(): void {
    if (this.#broken !== null) throw this.#broken.error;
  }
}

/** Whether an answer is compared with others to detect ignored parameters. */
function isCompared({ endpoint }: Answered): boolean {
  const { askedPer, cut, outputs } = endpoint;
  if (askedPer !== 'project') return false;
  return (
    cut.kind === 'series' ||
    cut.kind === 'window' ||
    isOwnList(endpoint) ||
    (cut.kind !== 'lookup' && outputs[0].ownedId !== null)
  );
}
