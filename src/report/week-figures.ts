import type { Range } from './chart.ts';

type Figures = readonly (number | null)[];

/** Means of the 7 days that end on each day of a range, where at least 4 have a figure. */
export function weekMeans(figures: Figures, range: Range): (number | null)[] {
  const ones = figures.map((figure) => (figure === null ? null : 1));
  return weekSums(figures, ones, range).map((sums) => sums && sums.part / sums.whole);
}

/** Figures with the 95 % interval of each. */
export interface Band {
  figures: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}

interface Sum {
  part: number;
  whole: number;
}

/** The same for shares: the sum of 7 days over the sum of 7 days, with its interval. */
export function weekShares(parts: Figures, wholes: Figures, range: Range): Band {
  return sharesOf(weekSums(parts, wholes, range));
}

/** Shares in percent with their 95 % intervals (Wilson). */
export function sharesOf(sums: readonly (Sum | null)[]): Band {
  const ends = sums.map((sum) => sum && wilson(sum));
  return {
    figures: sums.map((sum) => sum && (100 * sum.part) / sum.whole),
    low: ends.map((end) => end && end.low),
    high: ends.map((end) => end && end.high),
  };
}

function weekSums(parts: Figures, wholes: Figures, { from, days }: Range): (Sum | null)[] {
  return Array.from({ length: days }, (_, index) => {
    let part = 0;
    let whole = 0;
    let known = 0;
    for (let at = Math.max(0, from + index - 6); at <= from + index; at += 1) {
      const one = parts[at] ?? null;
      const all = wholes[at] ?? null;
      if (one === null || all === null || all <= 0) continue;
      part += one;
      whole += all;
      known += 1;
    }
    return known >= 4 ? { part, whole } : null;
  });
}

function wilson({ part, whole }: Sum): { low: number; high: number } {
  const z = 1.96;
  const share = Math.min(1, part / whole);
  const middle = share + z ** 2 / (2 * whole);
  const half = z * Math.sqrt((share * (1 - share)) / whole + (z / (2 * whole)) ** 2);
  const scale = 100 / (1 + z ** 2 / whole);
  return { low: (middle - half) * scale, high: (middle + half) * scale };
}
