import type { Markup } from './text.ts';
import type { ReportEvent } from './read-projects.ts';
import type { Token } from './style.ts';

/** Names of the charts, in the order of the page. */
export const CHART_NAMES = [
  'visibility',
  'model-visibility',
  'share-of-voice',
  'brand-mention-trend',
  'brand-mention-share',
  'competitor-heatmap',
  'action-impact',
  'sentiment-split',
  'prompts',
  'cited-domains',
  'ai-crawlers',
  'ai-visits',
  'crawled-pages',
] as const;
export type ChartName = (typeof CHART_NAMES)[number];

/** Days in a row, counted from the first day of the data. */
export interface Range {
  from: number;
  days: number;
}

/** Marks of events: 10 pixels around the origin, and as a letter. One for what people did, one for what is measured. */
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
  shape: 'line' | 'thin' | 'band' | 'box' | 'tick' | Glyph;
}

/** The same figures in words and numbers. */
export interface FiguresTable {
  columns: readonly string[];
  rows: string[][];
}

/** What is drawn: an SVG's inside and its size. */
export interface Drawing {
  width: number;
  height: number;
  marks: Markup;
  /** Extent of the days, by which the page finds the day under the pointer. */
  plot?: { left: number; width: number };
}

export interface Chart {
  name: ChartName;
  /** With its days, where they are not the chosen ones. */
  title: string;
  /** Unit, days and what is drawn. */
  subtitle: string;
  /** What a reader who does not see it should know. */
  description: string;
  legend: LegendItem[];
  table: () => FiguresTable;
  /** Null: there is nothing to draw, and `noData` says why. */
  draw: ((width: number) => Drawing) | null;
  noData: string;
  /** How to read it, under the chart. */
  note?: string;
  /** Takes the whole width of the page. */
  isWide?: boolean;
  /** The tooltip at a position, 0 to 1 of the plot's width; `at` is the centre of the day or period. */
  tip?: (place: number) => { text: string; at: number };
}
