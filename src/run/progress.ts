import type { Clients } from '../accounts/clients.ts';
import type { SyncProgress } from '../progress.ts';

/** How far a run is; nothing but what it shows depends on it. */
export class Progress {
  readonly #show: (progress: SyncProgress) => void;
  #stage = 'accounts';
  #expected = 0;
  #done = 0;

  constructor(show: ((progress: SyncProgress) => void) | undefined) {
    this.#show = show ?? (() => undefined);
  }

  begin(stage: string): void {
    this.#stage = stage;
  }

  /** So many slices more are known to come. */
  expect(slices: number): void {
    this.#expected += slices;
  }

  loaded(clients: Pick<Clients, 'quotas' | 'totals'>): void {
    this.#done += 1;
    const left = [...clients.quotas.values()].flatMap((quota) => quota.snapshot()?.remaining ?? []);
    this.#show({
      stage: this.#stage,
      done: this.#done,
      total: this.#expected,
      requests: clients.totals().requests,
      quotaRemaining: left.length === 0 ? null : Math.min(...left),
    });
  }
}
