import { contractError, type AnswerlakeError } from '../errors.ts';
import { describeSlice, seriesKey, sliceGrain, type Slice } from '../slice.ts';
import type { ApiError } from '../extract/api-error.ts';
import { RangeLimits } from '../extract/range-limits.ts';

/** Refused requests after which a run stops requesting a series. */
const MAX_REFUSED = 3;

/** The refused requests of one series in a run. */
interface Series {
  refused: number;
  /** The last refusal; null while nothing was refused. */
  error: ApiError | null;
}

/** Stops a run from requesting every window of a refused series (a wrong parameter, an expired trial) or range. */
export class Refusals {
  readonly #series = new Map<string, Series>();
  /** Endpoint → account → project and filter value → limits. */
  readonly #limits = new Map<string, Map<string, Map<string, RangeLimits>>>();

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
    for (const [endpoint, accounts] of this.#limits) {
      // The limits of an account share their lengths.
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
