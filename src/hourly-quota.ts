/** What is left of an organization's hour, as last seen. */
export interface QuotaSnapshot {
  /** Requests an hour. */
  limit: number;
  remaining: number;
  /** Epoch milliseconds. */
  resetAt: number;
  /** False when the limit stands in because no answer named one. */
  isHourly?: boolean | undefined;
}

/** What may be remembered as an organization's hour; null when that is not known. */
export function hourOnly(seen: QuotaSnapshot | null): QuotaSnapshot | null {
  return seen?.isHourly === false ? null : seen;
}

/** Requests of an hour that are left to other people; at least one request stays ours. @param share 0..1 */
export function reservedRequests(limit: number, share: number): number {
  return Math.max(0, Math.min(Math.ceil(limit * share), limit - 1));
}
