import { addDays, type Day } from '../day.ts';

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
  { from, days }: { from: number; days: number },
): (number | null)[] {
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
    return known >= 4 ? part / whole : null;
  });
}

/** Low and high of an axis around all values. */
export function domainOf(
  values: readonly (number | null)[],
  options: { fromZero?: boolean; most?: number } = {},
): [number, number] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [0, 1];
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  if (options.fromZero === true) return [0, high <= 0 ? 1 : Math.min(options.most ?? Infinity, high * 1.06)];
  const room = (high - low || Math.abs(high) * 0.2 || 1) * 0.08;
  return [low >= 0 ? Math.max(0, low - room) : low - room, Math.min(options.most ?? Infinity, high + room)];
}

/** Round values inside a domain, about `count` of them. */
export function niceTicks([low, high]: readonly [number, number], count: number): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough * 0.8) ?? 10);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) {
    ticks.push(Number((at * step).toPrecision(12)));
  }
  return ticks;
}

/** Mondays or firsts of months inside a range, at most `most`, as days after its start. */
export function dayTicks(start: Day, days: number, most: number): number[] {
  const all = Array.from({ length: days }, (_, index) => index);
  const mondays = all.filter((index) => new Date(addDays(start, index)).getUTCDay() === 1);
  for (const step of [1, 2]) {
    const chosen = mondays.filter((_, place) => place % step === 0);
    if (chosen.length <= most) return chosen;
  }
  const months = all.filter((index) => addDays(start, index).endsWith('-01'));
  for (const step of [1, 2, 3, 6, 12]) {
    const chosen = months.filter((index) => (Number(addDays(start, index).slice(5, 7)) - 1) % step === 0);
    if (chosen.length <= most) return chosen;
  }
  return months.slice(0, most);
}

/** A day, a week or a month of a range. */
export interface Period {
  /** Days from the start of the data. */
  from: number;
  days: number;
}

/** A range as days, as weeks from Monday on, or as months: at most about 60. */
export function periodsOf(start: Day, { from, days }: { from: number; days: number }): Period[] {
  const isFirst = (index: number): boolean => {
    if (days <= 45) return true;
    const day = addDays(start, index);
    return days <= 400 ? new Date(day).getUTCDay() === 1 : day.endsWith('-01');
  };
  const periods: Period[] = [];
  for (let index = from; index < from + days; index += 1) {
    const last = periods.at(-1);
    if (last === undefined || isFirst(index)) periods.push({ from: index, days: 1 });
    else last.days += 1;
  }
  return periods;
}

/** Sum and number of the figures of a period. */
export function sumOf(
  figures: readonly (number | null)[],
  { from, days }: Period,
): { sum: number; known: number } {
  let sum = 0;
  let known = 0;
  for (let at = from; at < from + days; at += 1) {
    const figure = figures[at] ?? null;
    if (figure === null) continue;
    sum += figure;
    known += 1;
  }
  return { sum, known };
}
