/** What a run is at: first the accounts, then the stages in the order in which a short quota is spent. */
export type RunStage = 'accounts' | 'reference' | 'series' | 'named series' | 'windows' | 'finer scopes';

/** How far a run is. */
export interface SyncProgress {
  stage: RunStage;
  /** Slices of the whole run so far, and known to come. */
  done: number;
  total: number;
  requests: number;
  quotaRemaining: number | null;
}
