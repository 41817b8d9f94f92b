import type { Day } from '../day.ts';

/** What stands in a table where there is no figure. */
export const NO_FIGURE = '–';

/** A count with thousands separators. */
export function formatCount(value: number | null): string {
  return value === null ? NO_FIGURE : Math.round(value).toLocaleString('en-GB');
}

/** A count short enough for a card: 12,345 or 1.23 M. */
export function formatShortCount(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(2)} bn`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  return formatCount(value);
}

/** A score on a scale we are not told: one decimal, more on scales of small values (`like` is one such value). */
export function formatScore(value: number | null, like: number | null = value): string {
  if (value === null) return NO_FIGURE;
  const size = Math.abs(like ?? value);
  return value.toFixed(size >= 2 || size === 0 ? 1 : size >= 0.2 ? 2 : 3).replace(/^-/, '−');
}

export function formatPercent(value: number | null): string {
  return value === null ? NO_FIGURE : `${value.toFixed(1).replace(/^-/, '−')} %`;
}

export function formatRank(value: number | null): string {
  return value === null ? NO_FIGURE : value.toFixed(Number.isInteger(value) ? 0 : 2);
}

/** With a sign; a true minus, so that it reads well beside figures. */
export function withSign(value: number, format: (size: number) => string): string {
  const text = format(Math.abs(value));
  if (/^[0.,\s%]*$/.test(text.replace(/[A-Za-z]+/g, ''))) return `±${text}`;
  return `${value < 0 ? '−' : '+'}${text}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `19 Nov 2026`. */
export function formatDay(day: Day): string {
  return `${formatShortDay(day)} ${day.slice(0, 4)}`;
}

/** `19 Nov`. */
export function formatShortDay(day: Day): string {
  return `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''}`;
}

/** `22 Aug – 19 Nov 2026`; the first year only where it differs. */
export function formatDays(start: Day, end: Day): string {
  const first = start.slice(0, 4) === end.slice(0, 4) ? formatShortDay(start) : formatDay(start);
  return `${first} – ${formatDay(end)}`;
}

/** `2026-11-21 01:20 UTC` of an instant in milliseconds. */
export function formatInstant(instantMs: number): string {
  return `${new Date(instantMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
