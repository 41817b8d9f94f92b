import { addDays, dayNumber, type DayRange, type Grain } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import * as slices from '../slice.ts';
import type { ArchivedAnswer, Scope, Slice, SliceTarget } from '../slice.ts';

/** The changed parts of a second request. */
export interface Variation {
  window?: DayRange;
  /** Exactly the window's days are requested. */
  isExact?: boolean;
  grain?: Grain;
  filter?: readonly [scope: Scope, value: string];
}

type Whole = Pick<ArchivedAnswer, 'slice' | 'asked'>;

/** The request for everything about a target, by day if possible. */
export function wholeOf({ cut }: Pick<Endpoint, 'cut'>, target: SliceTarget, asked: DayRange | null): Whole {
  if (asked === null) return { slice: slices.listSlice(target), asked };
  if (cut.kind === 'dated') return { slice: slices.datedSlice(target, asked), asked };
  if (cut.kind === 'window') return { slice: slices.windowSlice(target, 'last_28_days', asked), asked };
  return { slice: slices.seriesSlice(target, 'day', asked), asked };
}

/** The slice of the varied request, and its days: with the lead of the whole request. */
export function varied(
  slice: Slice,
  { window, isExact, grain, filter: [scope, scopeId] = [slice.scope, slice.scopeId] }: Variation,
  { slice: known, asked }: Whole,
): Whole {
  const target = { ...slice, scope, scopeId };
  const whole = slices.sliceWindow(known);
  if (window === undefined || target.kind === 'list' || asked === null || whole === null)
    return { slice: target, asked };
  const lead = dayNumber(whole.start) - dayNumber(asked.start);
  // Requests one day more from a server that does not count the last one.
  const more = isExact === true ? 0 : Math.max(0, dayNumber(asked.end) - dayNumber(whole.end));
  return {
    slice: { ...target, window, ...(target.kind === 'series' && grain !== undefined ? { grain } : {}) },
    asked: { start: addDays(window.start, -lead), end: addDays(window.end, more) },
  };
}
