import { setImmediate } from 'node:timers/promises';
import { catalogue, endpointNamed } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';
import { isInTransaction, transaction } from '../warehouse/transaction.ts';
import type { Connection } from '../warehouse/connection.ts';
import { releaseWhereLarge } from '../warehouse/less-memory.ts';
import { disjointBatches } from './disjoint-batches.ts';
import { writeLedger, type LedgerEntry } from './ledger.ts';
import type { EndDays } from './end-days.ts';
import { learnEndDays } from './learned.ts';
import type { LoadRun } from './load-run.ts';
import { mergeAnswers } from './merge.ts';
import type { MergedSlice } from './merged-slice.ts';
import { LoadBatch } from './load-batch.ts';
import { prepareAnswer, preparedSlice, type PreparedAnswer, type PreparedOutcome } from './prepare-answer.ts';
import type { RawArchive } from './raw-archive.ts';
import { RowCounts } from './row-counts.ts';
import {
  incompleteness,
  outcomeBytes,
  refusedAnswer,
  sliceFailure,
  type FailedSlice,
  type SliceOutcome,
} from './slice-outcome.ts';
import type { SliceStatus } from '../slice-status.ts';
import { StoredSlices } from './stored-slices.ts';
import { nothingVanishes } from './suspicious-answers.ts';

export interface LoaderOptions {
  connection: Connection;
  run: LoadRun;
  /** Where answers are kept before their slice commits; null when they come from there. */
  archive: RawArchive | null;
  /** Whether `endDate` counts; grows as answers show it. */
  ends: EndDays;
  /** Does one transaction, again where it pays: what was committed before it must not be done twice. */
  attempt?: (transaction: () => Promise<LedgerEntry[]>) => Promise<LedgerEntry[]>;
}

/** Slice outcomes → tables and ledger: several slices in one transaction, each as a whole or not at all. */
export class Loader {
  readonly #options: LoaderOptions;
  /** Endpoints whose counted `endDate` is in `meta.limits`. */
  readonly #learned = new Set<string>();
  readonly #stored: StoredSlices;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#stored = new StoredSlices(options.connection);
    for (const { name } of catalogue) if (options.ends.shown(name) === true) this.#learned.add(name);
  }

  /**
   * Loads outcomes; a slice that cannot be loaded is recorded as failed and does not stop the others.
   * @throws AnswerlakeError (storage, locked) when nothing can be written at all
   */
  async load(outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    const batch = new LoadBatch();
    for (const outcome of outcomes) {
      batch.add(this.prepare(outcome), outcomeBytes(outcome));
      // A large answer takes seconds: signals are heard in between.
      await setImmediate();
      if (batch.isFull) entries.push(...(await this.commit(batch.take().outcomes)));
    }
    return [...entries, ...(await this.commit(batch.take().outcomes))];
  }

  /** Reads and archives an outcome, in the order of arrival; may be called while an earlier one is being committed. */
  prepare(outcome: SliceOutcome): PreparedOutcome {
    if (outcome.kind === 'failed') return outcome;
    const { answer } = outcome;
    const name = answer.slice.endpoint;
    this.#options.archive?.add(answer);
    try {
      const prepared = prepareAnswer(endpointNamed(name), answer, this.#options.ends);
      if (prepared.showsEndDay) this.#options.ends.learn(name, true);
      return prepared;
    } catch (error) {
      return refusedAnswer(answer, error);
    }
  }

  /** Stores prepared outcomes, once their answers are in the archive. @throws as `load` */
  async commit(outcomes: readonly PreparedOutcome[]): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    for (const batch of disjointBatches(outcomes, preparedSlice)) {
      entries.push(...(await this.#commitOrSplit(batch)));
    }
    return entries;
  }

  async #commitOrSplit(outcomes: readonly PreparedOutcome[]): Promise<LedgerEntry[]> {
    const { attempt = (work) => work() } = this.#options;
    try {
      return await attempt(() => this.#commitBatch(outcomes));
    } catch (error) {
      // Nothing can be taken out of the caller's transaction.
      if (isInTransaction(this.#options.connection)) throw error;
      if (error instanceof AnswerlakeError && (error.class === 'storage' || error.class === 'locked'))
        throw error;
      const [only, ...others] = outcomes;
      if (only === undefined || (others.length === 0 && !('validated' in only))) throw error;
      if (others.length === 0 && 'validated' in only)
        return await this.#commitBatch([refusedAnswer(only.answer, error)]);
      // One slice broke the transaction of all; the others are loaded without it.
      const entries: LedgerEntry[] = [];
      for (const outcome of outcomes) entries.push(...(await this.#commitOrSplit([outcome])));
      return entries;
    }
  }

  async #commitBatch(outcomes: readonly PreparedOutcome[]): Promise<LedgerEntry[]> {
    const { connection, run, archive, ends } = this.#options;
    const answers = outcomes.filter((outcome) => 'validated' in outcome);
    const failed = outcomes.filter((outcome): outcome is FailedSlice => !('validated' in outcome));
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
      for (const name of endpointsShowingEnd(answers)) if (!this.#learned.has(name)) learned.push(name);
      const alike = learned.flatMap((name) => ends.alike(name));
      await learnEndDays(connection, run, { endpoints: alike, isCounted: true });
      await writeLedger(connection, run, entries);
      await archive?.flush();
      await releaseWhereLarge(connection);
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
