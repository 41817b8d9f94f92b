/** What is left of an organization's hour, as last seen. */
export interface QuotaSnapshot {
  /** Requests an hour. */
  limit: number;
  remaining: number;
  /** Epoch milliseconds. */
  resetAt: number;
}

/** Requests of an hour that are left to other people; at least one request stays ours. @param share 0..1 */
export function reservedRequests(limit: number, share: number): number {
  return Math.max(0, Math.min(Math.ceil(limit * share), limit - 1));
}
