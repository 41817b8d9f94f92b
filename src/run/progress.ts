import type { Clients } from '../extract/clients.ts';
import { hourOnly } from '../extract/quota-state.ts';
import type { LedgerEntry } from '../load/ledger.ts';
import type { Stage } from '../plan/owed.ts';

/** The share reached once all planned requests are done: the first tenth covers learning the finer scopes, which take most requests. */
const CEILINGS: Partial<Record<Stage, number>> = { reference: 10, 'finer scopes': 95, confirmations: 100 };

const START = {
  /** 0 to 100; never decreases. */
  percent: 0,
  /** Requests of the whole run so far, and planned requests. */
  done: 0,
  planned: 0,
  /** False while later stages still depend on what is being loaded. */
  isPlanned: false,
  /** Name or id of the project that was loaded last; null for a list without a project. */
  project: null as string | null,
  quotaRemaining: null as number | null,
};

/** The progress of a run. */
export type SyncProgress = typeof START;

/** Tracks the progress of a run, for display only. */
export class Progress {
  readonly #show: (progress: SyncProgress) => void;
  readonly #now: SyncProgress = { ...START };
  #ceiling = 0;
  #names: ReadonlyMap<string, string> = new Map();

  constructor(show: ((progress: SyncProgress) => void) | undefined) {
    this.#show = show ?? (() => undefined);
  }

  /** @param slices those of the stage's round */
  begin(stage: Stage, slices: number): void {
    this.#now.isPlanned ||= stage === 'finer scopes';
    this.#ceiling = CEILINGS[stage] ?? this.#ceiling;
    if (this.#ceiling === 100 && slices === 0) this.#tell();
  }

  /** @param names by project id */
  nameProjects(names: ReadonlyMap<string, string>): void {
    this.#names = names;
  }

  /** Adds slices to request: each takes one request or more. */
  expect(slices: number): void {
    this.#now.planned += slices;
  }

  loaded(
    clients: Pick<Clients, 'quotas'>,
    { requests, slice: { projectId } }: Pick<LedgerEntry, 'requests' | 'slice'>,
  ): void {
    const now = this.#now;
    const sent = Math.max(1, requests);
    now.done += sent;
    // Only the answers show how many more pages there are.
    now.planned += sent - 1;
    now.project = projectId === null ? null : (this.#names.get(projectId) ?? projectId);
    const left = [...clients.quotas.values()].flatMap((quota) => hourOnly(quota.snapshot())?.remaining ?? []);
    now.quotaRemaining = left.length === 0 ? null : Math.min(...left);
    this.#tell();
  }

  #tell(): void {
    const now = this.#now;
    if (now.done === 0) return;
    const share = now.done / Math.max(now.planned, now.done);
    now.percent = Math.max(now.percent, Math.floor(share * this.#ceiling));
    this.#show({ ...now });
  }
}
