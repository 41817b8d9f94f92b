import { addDays, minDay } from '../day.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import { RangeLimits } from '../extract/range-limits.ts';
import { askedDays, cutShorter, type PlannedSlice } from '../plan/plan.ts';

/** Requests under way for ranges earlier than any that was answered: each of them may be refused. */
const MAX_UNTRIED = 2;

/** The limits of one endpoint for one account, and the requests that try them out. */
interface Tried {
  range: RangeLimits;
  /** Waits while enough others try ranges as early as this one. Call what it returns when the request is over. */
  enter(planned: PlannedSlice, wait: (waiting: Promise<void>) => Promise<void>): Promise<() => void>;
}

/** What a run finds out about the ranges that each endpoint answers. */
export class EndpointLimits {
  readonly #known = new Map<string, Tried>();

  of(endpoint: string, account: string): Tried {
    const key = JSON.stringify([endpoint, account]);
    const known = this.#known.get(key) ?? openTried();
    this.#known.set(key, known);
    return known;
  }
}

function openTried(): Tried {
  const range = new RangeLimits();
  let untried = 0;
  let waiting: (() => void)[] = [];
  return {
    range,
    enter: async ({ asked }, wait) => {
      if (asked === null) return () => undefined;
      const isHeldBack = (): boolean => range.isUntried(asked) && untried >= MAX_UNTRIED;
      while (isHeldBack()) await wait(new Promise<void>((resolve) => waiting.push(resolve)));
      if (!range.isUntried(asked)) return () => undefined;
      untried += 1;
      return () => {
        untried -= 1;
        const woken = waiting;
        waiting = [];
        for (const resolve of woken) resolve();
      };
    },
  };
}

/** The parts of a slice to ask for instead, newest first; none: the slice itself. */
export function cutToLimits(
  planned: PlannedSlice,
  range: RangeLimits,
): readonly PlannedSlice[] | 'too old' | 'too long' {
  const { slice, asked } = planned;
  if (asked === null || slice.kind === 'list') return [];
  const { available, maxDays } = range;
  if (slice.kind === 'window') {
    if (range.isTooOld(asked)) return 'too old';
    return range.isTooLong(asked) ? 'too long' : [];
  }
  if (available !== null && slice.window.end < available) return 'too old';
  if (available !== null && slice.window.start < available) {
    const before = { start: slice.window.start, end: addDays(available, -1) };
    const after = { start: available, end: slice.window.end };
    return [
      { ...planned, slice: { ...slice, window: after }, asked: { start: after.start, end: asked.end } },
      {
        ...planned,
        slice: { ...slice, window: before },
        asked: { start: asked.start, end: minDay(asked.end, available) },
      },
    ];
  }
  if (maxDays === null || askedDays(planned) <= maxDays) return [];
  return cutShorter(planned, endpointNamed(slice.endpoint), maxDays).toReversed();
}

/** A slice in two parts, the newer one first; fewer when it cannot be cut. */
export function halvesOf(planned: PlannedSlice): readonly PlannedSlice[] {
  const { slice } = planned;
  if (slice.kind === 'list' || slice.kind === 'window') return [];
  const days = askedDays(planned);
  const endpoint = endpointNamed(slice.endpoint);
  let maxDays = Math.ceil(days / 2);
  let pieces = cutShorter(planned, endpoint, maxDays);
  // Requests overlap, so two halves ask for more days than the whole.
  while (pieces.length > 2) pieces = cutShorter(planned, endpoint, (maxDays += 1));
  return pieces.toReversed();
}
