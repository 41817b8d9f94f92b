import type { Markup } from './markup.ts';
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

/** Marks of events: 10 pixels around the origin, and as a letter. */
export const GLYPHS = {
  bar: { path: 'M-5,-1.2H5V1.2H-5Z', letter: '▬' },
  diamond: { path: 'M0,-5L5,0L0,5L-5,0Z', letter: '◆' },
  circle: { path: 'M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0Z', letter: '●' },
  square: { path: 'M-4,-4H4V4H-4Z', letter: '■' },
  hexagon: { path: 'M-5,0L-2.5,-4.4H2.5L5,0L2.5,4.4H-2.5Z', letter: '⬢' },
  pentagon: { path: 'M0,-5L4.8,-1.5L2.9,4.2H-2.9L-4.8,-1.5Z', letter: '⬟' },
  star: {
    path: 'M0.0,-5.2L1.3,-1.8L4.9,-1.6L2.1,0.7L3.1,4.2L0.0,2.2L-3.1,4.2L-2.1,0.7L-4.9,-1.6L-1.3,-1.8Z',
    letter: '★',
  },
  plus: { path: 'M-1.7,-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z', letter: '✚' },
  right: { path: 'M-4,-5L5,0L-4,5Z', letter: '▶' },
  left: { path: 'M4,-5L-5,0L4,5Z', letter: '◀' },
  times: {
    path: 'M-4.5,-2.7L-2.7,-4.5L0,-1.8L2.7,-4.5L4.5,-2.7L1.8,0L4.5,2.7L2.7,4.5L0,1.8L-2.7,4.5L-4.5,2.7L-1.8,0Z',
    letter: '✖',
  },
  up: { path: 'M0,-5L5,4H-5Z', letter: '▲' },
  down: { path: 'M0,5L5,-4H-5Z', letter: '▼' },
} as const;
export type Glyph = keyof typeof GLYPHS;

/** The action types of the API; others share the diamond. */
const ACTION_GLYPHS: Readonly<Record<string, Glyph>> = {
  CONTENT_GAP: 'circle',
  WEBSITE_HEALTH: 'square',
  WEBSITE_PERFORMANCE: 'hexagon',
  OFFSITE_MENTION: 'pentagon',
  SENTIMENT: 'star',
  SETUP: 'plus',
  UNTAPPED_PAGE: 'right',
  UNTRACKED_PAGE: 'left',
  REDDIT_SOCIAL: 'times',
};

/** The mark of an event, by its type and that of its action. */
export function glyphOf({ type, action_type: action }: Pick<ReportEvent, 'type' | 'action_type'>): Glyph {
  if (type === 'action') return ACTION_GLYPHS[action ?? ''] ?? 'diamond';
  if (type === 'setup_change') return 'bar';
  return type === 'prompts_created' ? 'up' : 'down';
}

export interface LegendItem {
  label: string;
  token: Token;
  shape: 'line' | 'thin' | 'band' | 'box' | 'tick' | Glyph;
}

/** The same figures in words and numbers. */
export interface Table {
  columns: readonly string[];
  rows: string[][];
}

/** What is drawn: an SVG's inside and its size. */
export interface Drawing {
  width: number;
  height: number;
  marks: Markup;
  /** Where days lie, so that the page can tell which one is pointed at. */
  plot?: { left: number; width: number };
}

export interface Chart {
  name: ChartName;
  title: string;
  /** Unit, window and what is drawn. */
  subtitle: string;
  /** What a reader who does not see it should know. */
  description: string;
  legend: LegendItem[];
  table: () => Table;
  /** Null: there is nothing to draw, and `noData` says why. */
  draw: ((width: number) => Drawing) | null;
  noData: string;
  /** How to read it, under the chart. */
  note?: string;
  /** Shows its own days, whatever days are chosen. */
  isFixed?: boolean;
  /** Takes the whole width of the page. */
  isWide?: boolean;
  /** The tooltip at a position, 0 to 1 of the plot's width; `at` is the centre of the day or period. */
  tip?: (place: number) => { text: string; at: number };
}
