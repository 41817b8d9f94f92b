import { addDays, maxDay, minDay, type Day } from '../day.ts';
import { quoteLiteral } from '../warehouse/quote.ts';
import type { Changes } from './changes.ts';

/** Days that lie further apart are looked at one by one. */
const MOST_GAP_DAYS = 31;
/** A view takes a while however few days it is asked for. */
const MOST_RANGES = 3;

/**
 * Conditions over `date` that take in every touched day together: DuckDB carries a range into the tables that a view joins, and a list of days it does not.
 * The last one has no end, because an answer without a figure covers days too.
 */
export function touchedRanges({ days, windows }: Changes): string[] {
  const newest = windows.reduce<Day | null>((last, day) => (last === null ? day : maxDay(last, day)), null);
  const [last, ...others] = runs([...days, ...(newest === null ? [] : [newest])]).toReversed();
  if (last === undefined) return [];
  const since = (day: Day): string => `date >= date ${quoteLiteral(day)}`;
  if (others.length >= MOST_RANGES)
    return [since(others.reduce((least, { start }) => minDay(least, start), last.start))];
  return [
    since(last.start),
    ...others.map(({ start, end }) => `${since(start)} and date <= date ${quoteLiteral(end)}`),
  ];
}

/** Days that lie close together, in order. */
function runs(days: readonly Day[]): { start: Day; end: Day }[] {
  const found: { start: Day; end: Day }[] = [];
  for (const day of days.toSorted()) {
    const run = found.at(-1);
    if (run !== undefined && day <= addDays(run.end, MOST_GAP_DAYS)) run.end = day;
    else found.push({ start: day, end: day });
  }
  return found;
}
