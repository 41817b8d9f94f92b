import type { Day } from '../../day.ts';
import { formatDays } from '../numbers.ts';

/** One sentence on a series: span, how many days are known, first, last, lowest, highest. */
export function describeSeries<Row extends { date: Day }>(
  what: string,
  rows: readonly Row[],
  { valueOf, format }: { valueOf: (row: Row) => number | null; format: (value: number) => string },
): string {
  const first = rows[0]?.date;
  const last = rows.at(-1)?.date;
  const known = rows.map(valueOf).filter((value) => value !== null);
  const [start, end] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || start === undefined || end === undefined) {
    return `${what}: no figures.`;
  }
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  return `${what}, ${formatDays(first, last)}: ${known.length} of ${rows.length} days have a figure; first ${format(start)}, last ${format(end)}, lowest ${format(low)}, highest ${format(high)}.`;
}
