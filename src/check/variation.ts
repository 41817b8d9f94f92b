import { addDays, dayNumber, type DayRange, type Grain } from '../day.ts';
import { sliceWindow, type ArchivedAnswer, type Scope, type Slice } from '../slice.ts';

/** What one more question has in place of what a known one has. */
export interface Variation {
  window?: DayRange;
  grain?: Grain;
  filter?: readonly [scope: Scope, value: string];
}

/** The slice of the varied question, and its days: asked for with the lead that the whole question had. */
export function varied(
  slice: Slice,
  { window, grain, filter: [scope, scopeId] = [slice.scope, slice.scopeId] }: Variation,
  { slice: known, asked }: Pick<ArchivedAnswer, 'slice' | 'asked'>,
): Pick<ArchivedAnswer, 'slice' | 'asked'> {
  const target = { ...slice, scope, scopeId };
  const whole = sliceWindow(known);
  if (window === undefined || target.kind === 'list' || asked === null || whole === null)
    return { slice: target, asked };
  const lead = dayNumber(whole.start) - dayNumber(asked.start);
  // A server that does not count the last day is asked for one more.
  const more = Math.max(0, dayNumber(asked.end) - dayNumber(whole.end));
  return {
    slice: { ...target, window, ...(target.kind === 'series' && grain !== undefined ? { grain } : {}) },
    asked: { start: addDays(window.start, -lead), end: addDays(window.end, more) },
  };
}
