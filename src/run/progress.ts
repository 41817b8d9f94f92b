import type { Clients } from '../extract/clients.ts';
import { hourOnly } from '../extract/quota-state.ts';

/** Counts how far a run is, for display only. */
export class Progress {
  readonly #show: (progress: SyncProgress) => void;
  #stage: RunStage = 'accounts';
  #expected = 0;
  #done = 0;

  constructor(show: ((progress: SyncProgress) => void) | undefined) {
    this.#show = show ?? (() => undefined);
  }

  begin(stage: RunStage): void {
    this.#stage = stage;
  }

  /** Adds slices that are going to be asked for. */
  expect(slices: number): void {
    this.#expected += slices;
  }

  loaded(clients: Pick<Clients, 'quotas' | 'totals'>): void {
    this.#done += 1;
    const left = [...clients.quotas.values()].flatMap((quota) => hourOnly(quota.snapshot())?.remaining ?? []);
    this.#show({
      stage: this.#stage,
      done: this.#done,
      total: this.#expected,
      requests: clients.totals().requests,
      quotaRemaining: left.length === 0 ? null : Math.min(...left),
    });
  }
}

/** What a run is at: first the accounts, then the stages in the order in which a short quota is spent. */
type RunStage = 'accounts' | 'reference' | 'series' | 'named series' | 'windows' | 'finer scopes';

/** How far a run is. */
export interface SyncProgress {
  stage: RunStage;
  /** Slices of the whole run so far, and known to come. */
  done: number;
  total: number;
  requests: number;
  quotaRemaining: number | null;
}
