import type { Day } from '../day.ts';
import type { Chart, ChartData, Range } from './chart.ts';
import { plainLabel } from './label.ts';
import { formatDay, formatDays, NO_FIGURE } from './numbers.ts';
import { dayAfter } from './scale.ts';

/** A series as tables and tips name it. */
export interface Told {
  name: string;
  figures: readonly (number | null)[];
  format: (figure: number | null) => string;
}

/** Words that every chart over days shares. */
export function overDays(data: ChartData, range: Range, told: readonly Told[]): Pick<Chart, 'table' | 'tip'> {
  const dayAt = (index: number): string => dayAfter(data.start, range.from + index);
  const isFinal = (index: number): boolean => range.from + index < data.finalDays;
  return {
    table: () => ({
      columns: [
        { title: 'Day' },
        ...told.map(({ name }) => ({ title: name, isNumber: true })),
        { title: 'Events' },
        { title: 'Final' },
      ],
      rows: Array.from({ length: range.days }, (_, index) => [
        dayAt(index),
        ...told.map(({ figures, format }) => format(figures[index] ?? null)),
        eventTitles(data, range.from + index).join('; ') || NO_FIGURE,
        isFinal(index) ? 'yes' : 'may change',
      ]),
    }),
    tip: (place) => {
      const index = Math.min(range.days - 1, Math.max(0, Math.floor(place * range.days)));
      const lines = told.map(({ name, figures, format }) => `${name} ${format(figures[index] ?? null)}`);
      const day = `${formatDay(dayAfter(data.start, range.from + index))}${isFinal(index) ? '' : ' (may change)'}`;
      const events = eventTitles(data, range.from + index);
      const shown = events.length > 5 ? [...events.slice(0, 4), `and ${events.length - 4} more`] : events;
      return {
        text: [day, ...lines, ...shown.map((title) => `◆ ${title}`)].join('\n'),
        at: (index + 0.5) / range.days,
      };
    },
  };
}

function eventTitles(data: ChartData, day: number): string[] {
  return data.events
    .filter((event) => event.day === day)
    .map(({ type, title, prompts }) => {
      if (type === 'action') return plainLabel(title);
      const count = prompts === null ? '' : `${prompts} `;
      return `${count}prompts ${type === 'prompts_created' ? 'added' : 'removed'}`;
    });
}

/** The days of a range, in words. */
export function daysOf(data: ChartData, { from, days }: Range): string {
  return formatDays(dayAfter(data.start, from), dayAfter(data.start, from + days - 1));
}

export function noDataOf(data: ChartData, endpoint: string): string {
  return data.notEnabled.includes(endpoint)
    ? 'Not enabled for this project.'
    : 'The stored answers have no figures for these days.';
}

/** The same for a chart of means over 7 days, which a young warehouse has figures for and yet cannot draw. */
export function noMeanOf(
  data: ChartData,
  endpoint: string,
  lines: readonly { figures: readonly (number | null)[] }[],
): string {
  return lines.some(({ figures }) => figures.some((figure) => figure !== null))
    ? 'Too few days with figures for a mean of 7 days.'
    : noDataOf(data, endpoint);
}

/** Words for a series: first, last, low and high. */
export function describe(
  name: string,
  figures: readonly (number | null)[],
  format: (one: number | null) => string,
): string {
  const known = figures.filter((figure) => figure !== null);
  if (known.length === 0) return `${name}: no figures.`;
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  return `${name}: ${known.length} days, from ${format(known[0] ?? null)} to ${format(known.at(-1) ?? null)}, between ${format(low)} and ${format(high)}.`;
}

/** The days of a plot. */
export interface Frame {
  start: Day;
  days: number;
  finalDays: number;
}

export function frameOf(data: ChartData, range: Range): Frame {
  return {
    start: dayAfter(data.start, range.from),
    days: range.days,
    finalDays: data.finalDays - range.from,
  };
}
