import { endpointNamed } from '../endpoints/catalogue.ts';
import type { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import { askedDays, cutShorter, type PlannedSlice } from '../plan/plan.ts';

/** The largest window that the server accepts for each endpoint, learned in this run and in earlier ones. */
export class WindowLimits {
  readonly #maxDays: Map<string, number>;

  /** @param known endpoint → largest window in days */
  constructor(known: ReadonlyMap<string, number>) {
    this.#maxDays = new Map(known);
  }

  /** Endpoint → largest window in days. */
  get maxDays(): ReadonlyMap<string, number> {
    return this.#maxDays;
  }

  /** The server refused this many days: from now on we ask for half of them. */
  refused(planned: PlannedSlice): number {
    const { endpoint } = planned.slice;
    const half = Math.max(1, Math.floor(askedDays(planned) / 2));
    const days = Math.min(half, this.#maxDays.get(endpoint) ?? half);
    this.#maxDays.set(endpoint, days);
    return days;
  }

  /** Cuts a slice that was planned before its limit was known; empty when it fits or cannot be cut. */
  pieces(planned: PlannedSlice): PlannedSlice[] {
    const { endpoint } = planned.slice;
    const days = this.#maxDays.get(endpoint);
    if (days === undefined || askedDays(planned) <= days) return [];
    return cutShorter(planned, endpointNamed(endpoint), days);
  }
}

const SPEAKS_OF_RANGE = /\b(range|days|window|period|span|interval)\b/i;

/** True when the server refused the number of days, not the request itself. */
export function isRangeTooLarge(error: AnswerlakeError): boolean {
  if (!(error instanceof ApiError) || error.status !== 400) return false;
  if (error.code !== null) return error.code === 'DATE_RANGE_TOO_LARGE';
  return error.serverMessage !== null && SPEAKS_OF_RANGE.test(error.serverMessage);
}
