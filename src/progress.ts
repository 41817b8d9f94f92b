/** How far a run is. */
export interface SyncProgress {
  stage: string;
  /** Slices of the whole run so far, and known to come. */
  done: number;
  total: number;
  requests: number;
  quotaRemaining: number | null;
}
