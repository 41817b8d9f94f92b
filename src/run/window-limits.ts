import { endpointNamed } from '../endpoints/catalogue.ts';
import type { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import { askedDays, cutShorter, type PlannedSlice } from '../plan/plan.ts';

/** How many days an endpoint answers for at once, as the server taught it in this run and in earlier ones. */
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

  /** The server refused so many days: half of them from now on. */
  refused(planned: PlannedSlice): number {
    const { endpoint } = planned.slice;
    const half = Math.max(1, Math.floor(askedDays(planned) / 2));
    const days = Math.min(half, this.#maxDays.get(endpoint) ?? half);
    this.#maxDays.set(endpoint, days);
    return days;
  }

  /** A slice that was planned before its limit was known, in shorter windows; empty when it fits or cannot be cut. */
  pieces(planned: PlannedSlice): PlannedSlice[] {
    const { endpoint } = planned.slice;
    const days = this.#maxDays.get(endpoint);
    if (days === undefined || askedDays(planned) <= days) return [];
    return cutShorter(planned, endpointNamed(endpoint), days);
  }
}

const SPEAKS_OF_RANGE = /\b(range|days|window|period|span|interval)\b/i;

/** Whether the server refused the number of days and not the request as such. */
export function isRangeTooLarge(error: AnswerlakeError): boolean {
  if (!(error instanceof ApiError) || error.status !== 400) return false;
  if (error.code !== null) return error.code === 'DATE_RANGE_TOO_LARGE';
  return error.serverMessage !== null && SPEAKS_OF_RANGE.test(error.serverMessage);
}
