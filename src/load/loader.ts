import { setImmediate } from 'node:timers/promises';
import { DATE_PARAMETERS, MisunderstoodError, zoneError } from '../believe/fit.ts';
import type { SliceStatus } from '../believe/terms.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { AnswerlakeError, errorClassOf, messageOf } from '../errors.ts';
import { type Connection, transaction } from '../warehouse/connection.ts';
import { withMoreMemory } from '../warehouse/memory.ts';
import { writeAskedDays, writeTooOld } from './asked-days.ts';
import { writeLedger, type LedgerEntry } from './ledger.ts';
import type { LoadRun } from './load-run.ts';
import { Merger, type MergedSlice, NO_ROWS } from './merge.ts';
import { scaleError } from './scale.ts';
import type { Shrunk } from './vanishing.ts';
import * as prepare from './prepare-answer.ts';
import type { RawArchive } from './raw-archive.ts';
import { overlap, type DayRange } from '../day.ts';
import {
  describeSlice,
  sliceKey,
  sliceWindow,
  type ArchivedAnswer,
  type Ignored,
  type Slice,
} from '../slice.ts';

export interface LoaderOptions {
  connection: Connection;
  run: LoadRun;
  /** Archives answers before their slice commits; null if they come from the archive. */
  archive: RawArchive | null;
}

/** Slice outcomes → tables and ledger: several slices per transaction, each one completely or not at all. */
export class Loader {
  readonly #options: LoaderOptions;
  readonly #merger: Merger;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#merger = new Merger(options.connection);
  }

  /**
   * Loads outcomes; a slice that cannot be loaded is recorded as failed and does not stop the others.
   * @throws AnswerlakeError (storage, locked) when nothing can be written at all
   */
  async load(outcomes: readonly prepare.SliceOutcome[]): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    let batch: prepare.PreparedOutcome[] = [];
    let rows = 0;
    for (const outcome of outcomes) {
      const prepared = this.prepare(outcome);
      batch.push(prepared);
      rows += 'validated' in prepared ? prepared.validated.rowCount : 0;
      // A large answer takes seconds: handle signals in between.
      await setImmediate();
      if (batch.length < MAX_SLICES && rows < MAX_ROWS) continue;
      entries.push(...(await this.commit(batch)));
      [batch, rows] = [[], 0];
    }
    return [...entries, ...(await this.commit(batch))];
  }

  /** Reads and archives an outcome, in order of arrival; may be called while an earlier one is being committed. */
  prepare(outcome: prepare.SliceOutcome): prepare.PreparedOutcome {
    if (outcome.kind === 'failed') return outcome;
    const { endpoint, answer, read } = outcome;
    this.#options.archive?.add(answer);
    try {
      if (answer.verdict !== undefined) throw misunderstood(endpoint, answer, answer.verdict);
      return prepare.prepareAnswer(endpoint, answer, read);
    } catch (error) {
      return prepare.refusedAnswer(answer, error);
    }
  }

  /** Stores prepared outcomes once their answers are in the archive. @throws as `load` */
  async commit(outcomes: readonly prepare.PreparedOutcome[]): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    for (const batch of disjointBatches(outcomes)) {
      entries.push(...(await this.#commitOrSplit(batch)));
    }
    return entries;
  }

  async #commitOrSplit(outcomes: readonly prepare.PreparedOutcome[]): Promise<LedgerEntry[]> {
    const { connection } = this.#options;
    try {
      return await withMoreMemory(connection, () => this.#commitBatch(outcomes));
    } catch (error) {
      // The caller's transaction cannot drop a part of its work.
      if (connection.isInTransaction) throw error;
      if (error instanceof AnswerlakeError && (error.class === 'storage' || error.class === 'locked'))
        throw error;
      const [only, ...others] = outcomes;
      if (only === undefined) throw error;
      if (others.length === 0) {
        if (!('validated' in only)) throw error;
        return await this.#commitBatch([prepare.refusedAnswer(only.answer, error)]);
      }
      // One slice broke the shared transaction; load the others without it.
      const entries: LedgerEntry[] = [];
      for (const outcome of outcomes) entries.push(...(await this.#commitOrSplit([outcome])));
      return entries;
    }
  }

  async #commitBatch(outcomes: readonly prepare.PreparedOutcome[]): Promise<LedgerEntry[]> {
    const { connection, run, archive } = this.#options;
    const answers = outcomes.filter((outcome) => 'validated' in outcome);
    const failed = outcomes.filter((outcome): outcome is prepare.FailedSlice => !('validated' in outcome));
    return await transaction(connection, async () => {
      const merged = await this.#merger.merge(run, answers);
      const entries = [...failed.map(failedEntry), ...merged.map(mergedEntry)];
      await writeLedger(connection, run, entries);
      await writeAskedDays(connection, run, merged);
      await writeTooOld(connection, run, failed);
      await archive?.flush();
      return entries;
    });
  }
}

/** Why a readable answer is not stored. */
function misunderstood({ scopes }: Endpoint, answer: ArchivedAnswer, ignored: Ignored): MisunderstoodError {
  if (ignored === 'zone')
    return zoneError(
      answer,
      'the newest day in its date-times has a different row, or none, when requested alone',
    );
  const { scope } = answer.slice;
  const header = 'the header X-Project-Id, which the server or a cache ignores';
  const texts = {
    filter: ['a nonexistent value returns the same answer', `the filter parameter ${scopes[scope] ?? scope}`],
    window: ['future days return the same answer', DATE_PARAMETERS],
    project: ['another project returns the same answer', header],
    steps: ['it lacks a day that has a row when requested alone', 'max_window_days, or the names'],
  } as const;
  const [what, named] = texts[ignored];
  return new MisunderstoodError(answer, what, named);
}

function mergedEntry({ prepared, counts, shrunk, rescaled, conflicts }: MergedSlice): LedgerEntry {
  const { answer, validated } = prepared;
  if (rescaled !== null) return failedEntry(prepare.refusedAnswer(answer, scaleError(answer, rescaled)));
  const failure = shrunk === null ? prepared.failure : shrunkFailure(answer.slice, shrunk);
  const last = answer.pages.at(-1);
  const rejects = [...validated.rejects, ...validated.strays, ...conflicts];
  const { inserted, updated, deleted, unchanged, deduplicated } = counts;
  return {
    slice: answer.slice,
    status: shrunk === null ? answeredStatus(prepared) : 'suspicious',
    asked_with: answer.askedWith ?? null,
    asked_limit: answer.limit,
    timezone: answer.timezone ?? null,
    requests: answer.requests,
    http_status: last?.status ?? null,
    counts: {
      ...counts,
      received: inserted + updated + unchanged + deduplicated + rejects.length,
      changed: inserted + updated + deleted,
      rejected: rejects.length,
    },
    rejects,
    drift: validated.drift,
    truncated: validated.isTruncated || answer.incomplete !== undefined,
    got_nothing: prepared.gotNothing,
    failure,
    fetched_at: last?.fetchedAt ?? answer.startedAt,
  };
}

function shrunkFailure(slice: Slice, { missing, known }: Shrunk): prepare.SliceFailure {
  const message = `${describeSlice(slice)}: lacks or empties ${String(missing)} of ${String(known)} known rows, which stay until answers of two later sync days agree; --accept-shrink accepts it at once`;
  return { errorClass: 'contract', message, alarm: 'shrunk' };
}

function answeredStatus(prepared: prepare.PreparedAnswer): SliceStatus {
  const { answer, validated, failure } = prepared;
  if (failure?.isUnread === true) return 'failed';
  if (validated.isNotEnabled) return 'not_enabled';
  if (validated.isTruncated || answer.incomplete !== undefined) return 'truncated';
  return validated.isEmpty ? 'empty' : 'loaded';
}

function failedEntry(failed: prepare.FailedSlice): LedgerEntry {
  const { error } = failed;
  return {
    slice: failed.slice,
    status: failed.refused === undefined ? 'failed' : 'refused',
    asked_with: null,
    asked_limit: null,
    timezone: null,
    requests: failed.requests,
    http_status: failed.httpStatus,
    counts: NO_ROWS,
    rejects: [],
    drift: [],
    truncated: false,
    got_nothing: true,
    failure: { errorClass: errorClassOf(error), message: messageOf(error), alarm: failed.alarm ?? null },
    fetched_at: failed.at,
  };
}

/** Maximum slices and rows per transaction for stored answers. */
const MAX_SLICES = 400;
const MAX_ROWS = 25_000;

/** The outcomes in order, in batches; an outcome that covers rows of its batch starts a new one. */
function disjointBatches(outcomes: readonly prepare.PreparedOutcome[]): prepare.PreparedOutcome[][] {
  const batches: prepare.PreparedOutcome[][] = [];
  let batch: prepare.PreparedOutcome[] = [];
  let windows = new Map<string, (DayRange | null)[]>();
  for (const outcome of outcomes) {
    const slice = 'validated' in outcome ? outcome.answer.slice : outcome.slice;
    const key = sliceKey(slice);
    // The days that distinguish slices with the same key; for a window, the key alone is enough.
    const days = slice.kind === 'window' ? null : sliceWindow(slice);
    if (windows.get(key)?.some((other) => overlap(other, days)) === true) {
      batches.push(batch);
      batch = [];
      windows = new Map();
    }
    batch.push(outcome);
    windows.set(key, [...(windows.get(key) ?? []), days]);
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
