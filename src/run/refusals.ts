import { contractError, type AnswerlakeError } from '../errors.ts';
import { describeSlice, seriesKey, sliceGrain, type Slice } from '../slice.ts';
import type { ApiError } from '../extract/api-error.ts';
import { RangeLimits } from '../extract/range-limits.ts';

/** Refused requests of one series, after which a run asks no more of it. */
const MAX_REFUSED = 3;

/** The refused requests of one series in a run. */
interface Series {
  refused: number;
  /** What the server said last; null while nothing was refused. */
  error: ApiError | null;
}

/** Keeps an API that refuses a series (a wrong parameter, an expired trial) or a range from being asked for each window. */
export class Refusals {
  readonly #series = new Map<string, Series>();
  /** Endpoint → account → project and filter value → limits. */
  readonly #limits = new Map<string, Map<string, Map<string, RangeLimits>>>();

  /** What others have shown of a slice. */
  of(slice: Slice, account: string) {
    const series = this.#series.get(seriesOf(slice)) ?? { refused: 0, error: null };
    return {
      range: this.#limitsOf(slice, account),
      /** Why the series is not asked again in this run; null when it is. */
      refused: series.refused < MAX_REFUSED ? null : series.error,
      /** Notes that the server refused a request. */
      add: (error: ApiError): void => {
        this.#series.set(seriesOf(slice), { refused: series.refused + 1, error });
      },
    };
  }

  /** Endpoint → the longest range in days that was answered, where a longer one was refused as too long. */
  get lengths(): ReadonlyMap<string, number> {
    const lengths = new Map<string, number>();
    for (const [endpoint, accounts] of this.#limits) {
      // Those of one account share what they know of lengths.
      const known = [...accounts.values()].flatMap((limits) => [...limits.values()][0]?.maxDays ?? []);
      if (known.length > 0) lengths.set(endpoint, Math.min(...known));
    }
    return lengths;
  }

  #limitsOf(slice: Slice, account: string): RangeLimits {
    const accounts = this.#limits.get(slice.endpoint) ?? new Map<string, Map<string, RangeLimits>>();
    this.#limits.set(slice.endpoint, accounts);
    const known = accounts.get(account) ?? new Map<string, RangeLimits>();
    accounts.set(account, known);
    const limitsOf = (key: string, ofProject: RangeLimits | null): RangeLimits => {
      const [sibling] = known.values();
      const limits = known.get(key) ?? new RangeLimits(sibling, ofProject);
      known.set(key, limits);
      return limits;
    };
    const { projectId, scope, scopeId } = slice;
    const ofProject = limitsOf(keyOf(projectId), null);
    return scope === 'project' ? ofProject : limitsOf(keyOf(projectId, scope, scopeId), ofProject);
  }
}

/** Slices of one series are asked one after the other: what one shows is known before the next. */
export function seriesOf(slice: Slice): string {
  const key = seriesKey({ ...slice, grain: sliceGrain(slice) });
  return slice.kind === 'window' ? `${key} ${slice.windowKind}` : key;
}

/** @param why what the server refused @param cause how it refused that */
export function notAsked(slice: Slice, why: string, cause?: ApiError): AnswerlakeError {
  return contractError(`${describeSlice(slice)}: not asked, because the server ${why}`, 'slice', cause);
}

function keyOf(...parts: (string | null)[]): string {
  return JSON.stringify(parts);
}
