import { endpointNamed } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';
import { transaction } from '../warehouse/transaction.ts';
import type { Connection } from '../warehouse/connection.ts';
import { writeLedger, type LedgerEntry, type SliceStatus } from './ledger.ts';
import { learnEndInclusive } from './limits.ts';
import { loadUnit, sliceFailure, type LoadRun, type LoadUnit, type SliceOutcome } from './load-unit.ts';
import { mergeUnits, type MergedSlice } from './merge.ts';
import { batchesApart } from './overlap.ts';
import type { RawArchive } from './raw-archive.ts';
import { RowCounts } from './row-counts.ts';
import { nothingVanishes } from './suspicion.ts';

export interface LoaderOptions {
  connection: Connection;
  run: LoadRun;
  /** Where answers are kept before their slice commits; null while they are read back from there. */
  archive: RawArchive | null;
  /** Names of the endpoints whose `endDate` is known to be counted in; grows as answers show it. */
  endInclusive: Set<string>;
}

/** Slice outcomes → tables and ledger: whole slices, several in one transaction, nothing half. */
export class Loader {
  readonly #options: LoaderOptions;
  /** Endpoints whose end is stored as counted in. */
  readonly #learned: Set<string>;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#learned = new Set(options.endInclusive);
  }

  /**
   * Loads a batch; a slice that cannot be loaded is entered as failed and stops no other.
   * @throws AnswerlakeError (storage, locked) when nothing can be written at all
   */
  async load(outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> {
    const answers = outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome.answer] : []));
    await this.#options.archive?.append(answers);
    const entries: LedgerEntry[] = [];
    for (const batch of batchesApart(outcomes)) entries.push(...(await this.#loadArchived(batch)));
    return entries;
  }

  async #loadArchived(outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> {
    const units: LoadUnit[] = [];
    const failed: LedgerEntry[] = [];
    for (const outcome of outcomes) {
      const checked = this.#check(outcome);
      if ('endpoint' in checked) units.push(checked);
      else failed.push(checked);
    }
    try {
      return await this.#commit(units, failed);
    } catch (error) {
      if (error instanceof AnswerlakeError && (error.class === 'storage' || error.class === 'locked'))
        throw error;
      if (outcomes.length > 1) return await this.#loadOneByOne(outcomes);
      const [unit] = units;
      if (unit === undefined) throw error;
      return await this.#commit([], [failedEntry(outcomeOf(unit, error))]);
    }
  }

  /** One of the batch broke the transaction: its siblings must not pay for it. */
  async #loadOneByOne(outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    for (const outcome of outcomes) entries.push(...(await this.#loadArchived([outcome])));
    return entries;
  }

  #check(outcome: SliceOutcome): LoadUnit | LedgerEntry {
    if (outcome.kind === 'failed') return failedEntry(outcome);
    const { slice } = outcome.answer;
    const endpoint = endpointNamed(slice.endpoint);
    try {
      const unit = loadUnit(endpoint, outcome.answer, this.#options.endInclusive.has(slice.endpoint));
      if (unit.showsEndInclusive) this.#options.endInclusive.add(slice.endpoint);
      return unit;
    } catch (error) {
      return failedEntry({
        kind: 'failed',
        slice,
        error,
        requests: outcome.answer.requests,
        httpStatus: outcome.answer.pages.at(-1)?.status ?? null,
        at: outcome.answer.pages.at(-1)?.fetchedAt ?? outcome.answer.runStartedAt,
      });
    }
  }

  async #commit(units: readonly LoadUnit[], failed: readonly LedgerEntry[]): Promise<LedgerEntry[]> {
    const { connection, run } = this.#options;
    const learned: string[] = [];
    const written = await transaction(connection, async () => {
      const entries: LedgerEntry[] = [...failed];
      const context = { connection, run, nothingVanishes: await nothingVanishes(connection) };
      for (const group of groupByEndpoint(units)) {
        const merged = await mergeUnits(context, group);
        entries.push(...merged.map(mergedEntry));
        const name = group.find((unit) => unit.showsEndInclusive)?.endpoint.name;
        if (name === undefined || this.#learned.has(name)) continue;
        await learnEndInclusive(connection, run, name);
        learned.push(name);
      }
      await writeLedger(connection, run, entries);
      return entries;
    });
    for (const name of learned) this.#learned.add(name);
    return written;
  }
}

function groupByEndpoint(units: readonly LoadUnit[]): LoadUnit[][] {
  const groups = new Map<string, LoadUnit[]>();
  for (const unit of units) {
    const group = groups.get(unit.endpoint.name);
    if (group === undefined) groups.set(unit.endpoint.name, [unit]);
    else group.push(unit);
  }
  return [...groups.values()];
}

function mergedEntry({ unit, counts, isHeld, conflicts }: MergedSlice): LedgerEntry {
  const { answer, validated } = unit;
  const last = answer.pages.at(-1);
  return {
    slice: answer.slice,
    status: statusOf(unit, isHeld),
    coveredEnd: unit.coveredEnd,
    requests: answer.requests,
    httpStatus: last?.status ?? null,
    counts,
    rejects: [...validated.rejects, ...conflicts],
    drift: validated.drift,
    isTruncated: validated.isTruncated,
    failure: null,
    fetchedAt: last?.fetchedAt ?? answer.runStartedAt,
  };
}

function statusOf({ validated }: LoadUnit, isHeld: boolean): SliceStatus {
  if (isHeld) return 'suspicious';
  if (validated.isNotEnabled) return 'not_enabled';
  if (validated.isTruncated) return 'truncated';
  return validated.isEmpty ? 'empty' : 'loaded';
}

function failedEntry(outcome: Extract<SliceOutcome, { kind: 'failed' }>): LedgerEntry {
  return {
    slice: outcome.slice,
    status: 'failed',
    coveredEnd: null,
    requests: outcome.requests,
    httpStatus: outcome.httpStatus,
    counts: new RowCounts(),
    rejects: [],
    drift: [],
    isTruncated: false,
    failure: sliceFailure(outcome.error),
    fetchedAt: outcome.at,
  };
}

function outcomeOf(unit: LoadUnit, error: unknown): Extract<SliceOutcome, { kind: 'failed' }> {
  const { slice, requests, pages, runStartedAt } = unit.answer;
  const last = pages.at(-1);
  return {
    kind: 'failed',
    slice,
    error,
    requests,
    httpStatus: last?.status ?? null,
    at: last?.fetchedAt ?? runStartedAt,
  };
}
