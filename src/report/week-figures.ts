/** Means of the 7 days that end on each day of a range, where at least 4 have a figure. */
export function weekMeans(
  figures: readonly (number | null)[],
  { from, days }: { from: number; days: number },
): (number | null)[] {
  return weekShares(
    figures,
    figures.map((figure) => (figure === null ? null : 1)),
    { from, days },
  );
}

/** The same for shares: the sum of 7 days over the sum of 7 days. */
export function weekShares(
  parts: readonly (number | null)[],
  wholes: readonly (number | null)[],
  range: { from: number; days: number },
): (number | null)[] {
  return weekSums(parts, wholes, range).map((sums) => (sums === null ? null : sums.part / sums.whole));
}

function weekSums(
  parts: readonly (number | null)[],
  wholes: readonly (number | null)[],
  { from, days }: { from: number; days: number },
): ({ part: number; whole: number } | null)[] {
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

/** Lows and highs of a line, for each of its days. */
export interface Band {
  low: (number | null)[];
  high: (number | null)[];
}

/** The 95 % interval (Wilson) of such a share, in percent. */
export function weekBand(
  parts: readonly (number | null)[],
  wholes: readonly (number | null)[],
  range: { from: number; days: number },
): Band {
  const ends = weekSums(parts, wholes, range).map((sums) =>
    sums === null ? null : wilson(sums.part, sums.whole),
  );
  return { low: ends.map((end) => end?.low ?? null), high: ends.map((end) => end?.high ?? null) };
}

/** The 95 % interval (Wilson) of `part` in `whole`, in percent. */
export function wilson(part: number, whole: number): { low: number; high: number } {
  const z = 1.96;
  const share = Math.min(1, part / whole);
  const middle = share + z ** 2 / (2 * whole);
  const half = z * Math.sqrt((share * (1 - share)) / whole + (z / (2 * whole)) ** 2);
  const scale = 100 / (1 + z ** 2 / whole);
  return { low: (middle - half) * scale, high: (middle + half) * scale };
}
