import { addDays, minDay, type Day } from '../day.ts';
import { contractError, type AnswerlakeError } from '../errors.ts';
import { describeSlice, seriesKey, sliceGrain, type Slice } from '../slice.ts';
import type { ApiError } from '../extract/api-error.ts';
import { RangeLimits } from '../extract/range-limits.ts';
import type { PlannedSlice } from '../plan/plan.ts';

/** Refused requests after which a run stops requesting a series. */
const MAX_REFUSED = 3;

/** Stops a run from requesting every window of a refused series (a wrong parameter, an expired trial) or range. */
export class Refusals {
  /** Series → its refused requests and the last refusal. */
  readonly #series = new Map<string, { refused: number; error: ApiError | null }>();
  readonly #limits = new Map<string, { endpoint: string; range: RangeLimits }>();

  /** What the answers to other slices imply for this one. */
  of(slice: Slice, account: string) {
    const series = this.#series.get(seriesOf(slice)) ?? { refused: 0, error: null };
    return {
      range: this.#limitsOf(slice, account),
      /** Why the series is not requested again in this run; null if it is. */
      refused: series.refused < MAX_REFUSED ? null : series.error,
      /** Records a refusal. */
      add: (error: ApiError): void => {
        this.#series.set(seriesOf(slice), { refused: series.refused + 1, error });
      },
    };
  }

  /** Endpoint → the longest answered range in days, if a longer one was refused as too long. */
  get lengths(): ReadonlyMap<string, number> {
    const lengths = new Map<string, number>();
    for (const { endpoint, range } of this.#limits.values())
      if (range.maxDays !== null)
        lengths.set(endpoint, Math.min(range.maxDays, lengths.get(endpoint) ?? Infinity));
    return lengths;
  }

  #limitsOf({ endpoint, projectId, scope, scopeId }: Slice, account: string): RangeLimits {
    const limitsOf = (key: string, open: () => RangeLimits): RangeLimits => {
      const { range } = this.#limits.get(key) ?? { range: open() };
      this.#limits.set(key, { endpoint, range });
      return range;
    };
    // All limits of an endpoint and account share their lengths.
    const shared = limitsOf(keyOf(endpoint, account), () => new RangeLimits());
    const ofProject = limitsOf(keyOf(endpoint, account, projectId), () => new RangeLimits(shared));
    if (scope === 'project') return ofProject;
    const key = keyOf(endpoint, account, projectId, scope, scopeId);
    return limitsOf(key, () => new RangeLimits(shared, ofProject));
  }
}

/** Slices of one series are requested one after another, so that each answer guides the next request. */
export function seriesOf(slice: Slice): string {
  const key = seriesKey({ ...slice, grain: sliceGrain(slice) });
  return slice.kind === 'window' ? `${key} ${slice.windowKind}` : key;
}

/** @param why what the server refused @param cause the refusal */
export function notAsked(slice: Slice, why: string, cause?: ApiError): AnswerlakeError {
  return contractError(`${describeSlice(slice)}: not requested, because the server ${why}`, 'slice', cause);
}

function keyOf(...parts: (string | null)[]): string {
  return JSON.stringify(parts);
}

/**
 * Detects whether a lagging server refuses the sync day: the first request for that day runs alone, and if it succeeds only without the
 * day, the rest of the run leaves the day out.
 */
export class SyncDay {
  readonly #today: Day;
  /** Whether the server counts `endDate`, by endpoint. */
  readonly #endDateOf: (endpoint: string) => 'inclusive' | 'exclusive';
  /** Endpoints that were tried without the day. */
  readonly #tried = new Set<string>();
  /** Request without the day → the refused request with it. */
  readonly #trials = new Map<PlannedSlice, PlannedSlice>();
  #release: () => void = () => undefined;
  readonly #decided = new Promise<void>((resolve) => {
    this.#release = resolve;
  });
  #first: PlannedSlice | null = null;
  #isLeftOut = false;

  constructor(today: Day, endDateOf: (endpoint: string) => 'inclusive' | 'exclusive') {
    this.#today = today;
    this.#endDateOf = endDateOf;
  }

  /** Releases every waiting request. */
  decide(): void {
    this.#release();
  }

  /** Waits until the first request for the sync day is answered. @returns what to call once this one is */
  async admit(planned: PlannedSlice): Promise<() => void> {
    if (this.#trials.has(planned)) return () => this.decide();
    if (this.#without(planned) === planned) return () => undefined;
    if (this.#first !== null) {
      await this.#decided;
      return () => undefined;
    }
    this.#first = planned;
    return () => {
      if (![...this.#trials.values()].includes(planned)) this.decide();
    };
  }

  /** The request to send now; null: it covers only the sync day, which is left out. */
  limited(planned: PlannedSlice): PlannedSlice | null {
    return this.#isLeftOut ? this.#without(planned) : planned;
  }

  answered(planned: PlannedSlice): void {
    if (this.#trials.has(planned)) this.#isLeftOut = true;
  }

  /** The request to send instead of a refused one, once per endpoint; null: the sync day is not the reason. */
  instead(planned: PlannedSlice): PlannedSlice | null {
    const { endpoint } = planned.slice;
    const without = this.#tried.has(endpoint) ? null : this.#without(planned);
    if (without === null || without === planned) return null;
    this.#tried.add(endpoint);
    this.#trials.set(without, planned);
    return without;
  }

  /** The refused request with the sync day behind one without it. */
  refusedBefore(planned: PlannedSlice): PlannedSlice | null {
    return this.#trials.get(planned) ?? null;
  }

  #without(planned: PlannedSlice): PlannedSlice | null {
    const { slice, asked } = planned;
    if (slice.kind === 'list' || asked === null) return planned;
    const last = this.#endDateOf(slice.endpoint) === 'inclusive' ? this.#today : addDays(this.#today, 1);
    if (asked.end < last) return planned;
    const { start } = slice.window;
    const window = { start, end: minDay(slice.window.end, addDays(this.#today, -1)) };
    if (window.end < start) return null;
    return { ...planned, slice: { ...slice, window }, asked: { ...asked, end: addDays(last, -1) } };
  }
}
