import { setImmediate } from 'node:timers/promises';
import { catalogue, endpointNamed } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';
import { transaction } from '../warehouse/transaction.ts';
import type { Connection } from '../warehouse/connection.ts';
import { disjointBatches } from './disjoint-batches.ts';
import { writeLedger, type LedgerEntry } from './ledger.ts';
import type { EndDays } from './end-days.ts';
import { learnEndDay } from './learned.ts';
import type { LoadRun } from './load-run.ts';
import { mergeAnswers } from './merge.ts';
import type { MergedSlice } from './merged-slice.ts';
import { prepareAnswer, type PreparedAnswer } from './prepare-answer.ts';
import type { RawArchive } from './raw-archive.ts';
import { RowCounts } from './row-counts.ts';
import {
  incompleteness,
  refusedAnswer,
  sliceFailure,
  type FailedSlice,
  type SliceOutcome,
} from './slice-outcome.ts';
import type { SliceStatus } from '../slice-status.ts';
import { StoredSlices } from './stored-slices.ts';
import { nothingVanishes } from './suspicious-answers.ts';

/** A batch of more rows is split between its slices, which bounds the memory. */
const ROWS_PER_TRANSACTION = 100_000;

export interface LoaderOptions {
  connection: Connection;
  run: LoadRun;
  /** Where answers are kept before their slice commits; null when they come from there. */
  archive: RawArchive | null;
  /** Whether `endDate` counts; grows as answers show it. */
  ends: EndDays;
}

/** Slice outcomes → tables and ledger: several slices in one transaction, each as a whole or not at all. */
export class Loader {
  readonly #options: LoaderOptions;
  /** Endpoints whose counted `endDate` is in `meta.limits`. */
  readonly #learned = new Set<string>();
  readonly #stored: StoredSlices;
  #archived: Promise<void> = Promise.resolve();

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#stored = new StoredSlices(options.connection);
    for (const { name } of catalogue) if (options.ends.shown(name) === true) this.#learned.add(name);
  }

  /**
   * Loads a batch; a slice that cannot be loaded is recorded as failed and does not stop the others.
   * @throws AnswerlakeError (storage, locked) when nothing can be written at all
   */
  async load(outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> {
    const answers = outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome.answer] : []));
    // Compressed while the answers are merged; no transaction commits before it is written.
    this.#archived = this.#options.archive?.append(answers) ?? Promise.resolve();
    this.#archived.catch(() => undefined);
    const entries: LedgerEntry[] = [];
    for (const batch of disjointBatches(outcomes)) entries.push(...(await this.#loadBatch(batch)));
    return entries;
  }

  async #loadBatch(outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    let answers: PreparedAnswer[] = [];
    let failed: FailedSlice[] = [];
    let rows = 0;
    let first = 0;
    for (const [index, outcome] of outcomes.entries()) {
      const prepared = this.#prepare(outcome);
      if ('validated' in prepared) {
        answers.push(prepared);
        rows += prepared.validated.rows.length;
      } else failed.push(prepared);
      // A large answer takes seconds: signals are heard in between.
      await setImmediate();
      const isLast = index === outcomes.length - 1;
      if (rows < ROWS_PER_TRANSACTION && !isLast) continue;
      entries.push(...(await this.#commitOrSplit(outcomes.slice(first, index + 1), answers, failed)));
      [answers, failed, rows, first] = [[], [], 0, index + 1];
    }
    return entries;
  }

  async #commitOrSplit(
    outcomes: readonly SliceOutcome[],
    answers: readonly PreparedAnswer[],
    failed: readonly FailedSlice[],
  ): Promise<LedgerEntry[]> {
    try {
      return await this.#commit(answers, failed);
    } catch (error) {
      if (error instanceof AnswerlakeError && (error.class === 'storage' || error.class === 'locked'))
        throw error;
      if (outcomes.length > 1) return await this.#loadOneByOne(outcomes);
      const [only] = answers;
      if (only === undefined) throw error;
      return await this.#commit([], [refusedAnswer(only.answer, error)]);
    }
  }

  /** One slice broke the transaction of the whole batch; the others are loaded without it. */
  async #loadOneByOne(outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    for (const outcome of outcomes) entries.push(...(await this.#loadBatch([outcome])));
    return entries;
  }

  #prepare(outcome: SliceOutcome): PreparedAnswer | FailedSlice {
    if (outcome.kind === 'failed') return outcome;
    const { answer } = outcome;
    const name = answer.slice.endpoint;
    const endpoint = endpointNamed(name);
    try {
      const prepared = prepareAnswer(endpoint, answer, this.#options.ends);
      if (prepared.showsEndDay) this.#options.ends.learn(name, true);
      return prepared;
    } catch (error) {
      return refusedAnswer(answer, error);
    }
  }

  async #commit(answers: readonly PreparedAnswer[], failed: readonly FailedSlice[]): Promise<LedgerEntry[]> {
    const { connection, run } = this.#options;
    const learned: string[] = [];
    const written = await transaction(connection, async () => {
      const context = {
        connection,
        run,
        stored: this.#stored,
        nothingVanishes: await nothingVanishes(connection),
      };
      const merged = await mergeAnswers(context, answers);
      const entries = [...failed.map(failedEntry), ...merged.map(mergedEntry)];
      for (const name of endpointsShowingEnd(answers)) {
        if (this.#learned.has(name)) continue;
        await learnEndDay(connection, run, { endpoint: name, isCounted: true });
        learned.push(name);
      }
      await writeLedger(connection, run, entries);
      await this.#archived;
      return entries;
    });
    for (const name of learned) this.#learned.add(name);
    return written;
  }
}

function endpointsShowingEnd(answers: readonly PreparedAnswer[]): Set<string> {
  return new Set(answers.filter(({ showsEndDay }) => showsEndDay).map(({ endpoint }) => endpoint.name));
}

function mergedEntry({ prepared, counts, isSuspicious, conflicts }: MergedSlice): LedgerEntry {
  const { answer, validated } = prepared;
  const last = answer.pages.at(-1);
  return {
    slice: answer.slice,
    status: isSuspicious ? 'suspicious' : answeredStatus(prepared),
    coveredEnd: prepared.coveredEnd,
    askedEnd: answer.asked?.end ?? null,
    newestDay: prepared.validated.newestDay,
    timezone: answer.timezone ?? null,
    requests: answer.requests,
    httpStatus: last?.status ?? null,
    counts,
    rejects: [...validated.rejects, ...conflicts],
    drift: validated.drift,
    isTruncated: validated.isTruncated || answer.incomplete !== undefined,
    failure: incompleteness(answer),
    fetchedAt: last?.fetchedAt ?? answer.runStartedAt,
  };
}

function answeredStatus({ answer, validated }: PreparedAnswer): SliceStatus {
  if (validated.isNotEnabled) return 'not_enabled';
  if (validated.isTruncated || answer.incomplete !== undefined) return 'truncated';
  return validated.isEmpty ? 'empty' : 'loaded';
}

function failedEntry(failed: FailedSlice): LedgerEntry {
  return {
    slice: failed.slice,
    status: 'failed',
    coveredEnd: null,
    askedEnd: null,
    newestDay: null,
    timezone: null,
    requests: failed.requests,
    httpStatus: failed.httpStatus,
    counts: new RowCounts(),
    rejects: [],
    drift: [],
    isTruncated: false,
    failure: sliceFailure(failed.error),
    fetchedAt: failed.at,
  };
}
