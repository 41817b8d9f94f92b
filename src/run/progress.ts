import type { Clients } from '../extract/clients.ts';
import { hourOnly } from '../extract/quota-state.ts';
import type { LedgerEntry } from '../load/ledger.ts';
import type { Stage } from '../plan/owed.ts';

/** A first run learns the finer scopes, which take most requests, from its first tenth. */
const PERCENT_BEFORE_PLANNED = 10;

/** Counts how far a run is, for display only. */
export class Progress {
  readonly #show: (progress: SyncProgress) => void;
  #planned = 0;
  #done = 0;
  #percent = 0;
  #names: ReadonlyMap<string, string> = new Map();
  #isPlanned = false;

  constructor(show: ((progress: SyncProgress) => void) | undefined) {
    this.#show = show ?? (() => undefined);
  }

  begin(stage: Stage): void {
    this.#isPlanned ||= stage === 'finer scopes';
  }

  /** @param names by project id */
  nameProjects(names: ReadonlyMap<string, string>): void {
    this.#names = names;
  }

  /** Adds slices that are going to be asked for: each takes one request or more. */
  expect(slices: number): void {
    this.#planned += slices;
  }

  loaded(
    clients: Pick<Clients, 'quotas'>,
    { requests, slice: { projectId } }: Pick<LedgerEntry, 'requests' | 'slice'>,
  ): void {
    const sent = Math.max(1, requests);
    this.#done += sent;
    // Only the answers show how many more pages there were.
    this.#planned += sent - 1;
    const share = this.#done / Math.max(this.#planned, this.#done);
    const percent = Math.floor(share * (this.#isPlanned ? 100 : PERCENT_BEFORE_PLANNED));
    this.#percent = Math.max(this.#percent, percent);
    const left = [...clients.quotas.values()].flatMap((quota) => hourOnly(quota.snapshot())?.remaining ?? []);
    this.#show({
      percent: this.#percent,
      done: this.#done,
      planned: this.#planned,
      isPlanned: this.#isPlanned,
      project: projectId === null ? null : (this.#names.get(projectId) ?? projectId),
      quotaRemaining: left.length === 0 ? null : Math.min(...left),
    });
  }
}

/** How far a run is. */
export interface SyncProgress {
  /** 0 to 100; never less than before. */
  percent: number;
  /** Requests of the whole run so far, and those planned. */
  done: number;
  planned: number;
  /** False while more stages are still to be planned from what is loaded. */
  isPlanned: boolean;
  /** Name of the project that was loaded last, or its id; null for a list that belongs to no project. */
  project: string | null;
  quotaRemaining: number | null;
}
