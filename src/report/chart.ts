import { type Markup, formatDays, NO_FIGURE, plainLabel } from './text.ts';
import type { ReportEvent, ChartData } from './read-projects.ts';
import { addDays } from '../day.ts';

type Ground = 'page' | 'card' | 'ink' | 'muted' | 'line' | 'faint' | 'pending';
type Sentiment = 'positive' | 'neutral' | 'negative' | 'unknown';
type Rival = `rival${1 | 2 | 3 | 4}`;
type Heat = `heat${0 | 1 | 2 | 3 | 4 | 5}`;
/** A colour by its meaning, as `page.css` has it. */
export type Token = 'own' | 'ownsoft' | 'other' | 'good' | 'bad' | Rival | Sentiment | Heat | Ground;

/** The colour as charts name it: a style sheet decides between light and dark. */
export function ink(token: Token): string {
  return `var(--${token})`;
}

/** Days in a row, counted from the first day of the data. */
export interface Range {
  from: number;
  days: number;
}

/** Marks of events: 10 pixels around the origin, and as a letter. One for actions of people, one for changes of the measurement. */
export const GLYPHS = {
  diamond: { path: 'M0,-5.5L5.5,0L0,5.5L-5.5,0Z', letter: '◆' },
  triangle: { path: 'M0,-5L5,4H-5Z', letter: '▲' },
} as const;
export type Glyph = keyof typeof GLYPHS;

/** The mark of an event: an action, or a change of prompts, models or monitors. */
export function glyphOf({ type }: Pick<ReportEvent, 'type'>): Glyph {
  return type === 'action' ? 'diamond' : 'triangle';
}

export interface LegendItem {
  label: string;
  token: Token;
  shape: 'line' | 'thin' | 'dashes' | 'band' | 'box' | 'tick' | Glyph;
}

/** A drawing: the inside of an SVG and its size. */
export interface Drawing {
  width: number;
  height: number;
  marks: Markup;
  /** Extent of the days, by which the page finds the day under the pointer. */
  plot?: { left: number; width: number };
}

export interface Chart {
  /** With its days, where they are not the chosen ones. */
  title: string;
  /** Unit, days and what is drawn. */
  subtitle: string;
  /** The text alternative. */
  description: string;
  legend: LegendItem[];
  /** The same figures in words and numbers. */
  table: () => { columns: readonly string[]; rows: string[][] };
  /** Null: there is nothing to draw, and `noData` has the reason. */
  draw: ((width: number) => Drawing) | null;
  noData: string;
  /** How to read it, below the chart. */
  note?: string;
  /** Takes the whole width of the page. */
  isWide?: boolean;
  /** The tooltip at a position, 0 to 1 of the plot's width; `at` is the centre of the day or period. */
  tip?: (place: number) => { text: string; at: number };
}

/** Figures of the periods of a range: a line, or a part of a stack. */
export interface Series {
  name: string;
  token: Token;
  figures: (number | null)[];
  band?: Band;
}

/** The parts that charts over time derive from their figures. */
export interface TimeFigures {
  /** Days, unless they are given. */
  periods?: readonly Range[];
  series: readonly Series[];
  format: (figure: number | null) => string;
}

/** Words, table and tooltip that every chart over time shares. */
export function overTime(data: ChartData, range: Range, { series, format, ...given }: TimeFigures) {
  const days = Array.from({ length: range.days }, (_, index) => ({ from: range.from + index, days: 1 }));
  const { periods = days } = given;
  const textOf = ({ figures, band }: Series, index: number): string => {
    const figure = figures[index] ?? null;
    const ends = [band?.low[index] ?? null, band?.high[index] ?? null].map(format).join(' to ');
    return band === undefined || figure === null ? format(figure) : `${format(figure)} (95%: ${ends})`;
  };
  const isFinal = ({ from, days }: Range): boolean => from + days <= data.finalDays;
  return {
    description: series.map((one) => describe(one, format)).join(' '),
    table: () => ({
      columns: ['Days', ...series.map(({ name }) => name), 'Events', 'Final'],
      rows: periods.map((period, index) => [
        rangeDays(data, period),
        ...series.map((one) => textOf(one, index)),
        eventTitles(data, period).join('; ') || NO_FIGURE,
        isFinal(period) ? 'yes' : 'provisional',
      ]),
    }),
    tip: (place: number) => {
      const day = range.from + Math.floor(place * range.days);
      const found = periods.findLastIndex(({ from }) => from <= day);
      // The days before the first whole week or month belong to it.
      const index = Math.max(0, found);
      const period = periods[index] ?? range;
      const events = eventTitles(data, period);
      const shown = events.length > 5 ? [...events.slice(0, 4), `and ${events.length - 4} more`] : events;
      const lines = series.map((one) => `${one.name} ${textOf(one, index)}`);
      const head = `${rangeDays(data, period)}${isFinal(period) ? '' : ' (provisional)'}`;
      const at = (period.from - range.from + period.days / 2) / range.days;
      return { text: [head, ...lines, ...shown].join('\n'), at };
    },
  };
}

/** The days of a range, in words. */
export function rangeDays(data: ChartData, { from, days }: Range): string {
  return formatDays(addDays(data.start, from), addDays(data.start, from + days - 1));
}

function eventTitles(data: ChartData, { from, days }: Range): string[] {
  const events = data.events.filter(({ day }) => day >= from && day < from + days);
  return events.map((event) => {
    const { type, action_type: action, prompt_count: prompts } = event;
    const { letter } = GLYPHS[glyphOf(event)];
    // `CONTENT_GAP`: content gap.
    const kind = action ? ` (${plainLabel(action.replaceAll('_', ' ').toLowerCase())})` : '';
    if (type === 'action') return `${letter} ${plainLabel(event.title)}${kind}`;
    if (type === 'setup_change') return `${letter} ${plainLabel(event.title)}`;
    const what = prompts === null ? 'prompts' : prompts === 1 ? '1 prompt' : `${prompts} prompts`;
    return `${letter} ${what} ${type === 'prompts_created' ? 'added' : 'removed'}`;
  });
}

/** First, last, low and high of a series. */
function describe({ name, figures }: Series, format: TimeFigures['format']): string {
  const known = figures.filter((figure) => figure !== null);
  if (known.length === 0) return `${name}: no figures.`;
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  return `${name}: ${known.length} figures, first ${format(known[0] ?? null)}, last ${format(known.at(-1) ?? null)}, lowest ${format(low)}, highest ${format(high)}.`;
}

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

/** The same for shares: the sum of 7 days over the sum of 7 days, with its interval. */
export function weekShares(parts: Figures, wholes: Figures, range: Range): Band {
  return sharesOf(weekSums(parts, wholes, range));
}

/** Shares in percent with their 95 % intervals (Wilson). */
export function sharesOf(sums: ReturnType<typeof weekSums>): Band {
  const ends = sums.map((sum) => {
    if (sum === null) return null;
    const { part, whole } = sum;
    const z = 1.96;
    const share = Math.min(1, part / whole);
    const middle = share + z ** 2 / (2 * whole);
    const half = z * Math.sqrt((share * (1 - share)) / whole + (z / (2 * whole)) ** 2);
    const scale = 100 / (1 + z ** 2 / whole);
    return { low: (middle - half) * scale, high: (middle + half) * scale };
  });
  return {
    figures: sums.map((sum) => sum && (100 * sum.part) / sum.whole),
    low: ends.map((end) => end && end.low),
    high: ends.map((end) => end && end.high),
  };
}

function weekSums(parts: Figures, wholes: Figures, { from, days }: Range) {
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
