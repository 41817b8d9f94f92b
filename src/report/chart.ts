import type { Token } from './palette.ts';

/** Names of the charts, in the order of the page. */
export const CHART_NAMES = [
  'visibility',
  'share-of-voice',
  'brand-mention-share',
  'brand-mention-trend',
  'competitor-heatmap',
  'cited-domains',
  'citation-rank',
  'sentiment-split',
  'action-impact',
  'ai-crawlers',
  'ai-visits',
  'freshness',
] as const;
export type ChartName = (typeof CHART_NAMES)[number];

/** Days shown unless asked otherwise. */
export const DEFAULT_DAYS = 90;

/** How wide a chart is drawn, in pixels: text keeps its size, the plot takes the rest. */
export interface Size {
  name: 'narrow' | 'half' | 'wide';
  width: number;
}

export const NARROW: Size = { name: 'narrow', width: 328 };
export const HALF: Size = { name: 'half', width: 600 };
export const WIDE: Size = { name: 'wide', width: 1240 };

/** A vega-lite specification as plain data. */
export type Spec = Record<string, unknown>;

export interface LegendItem {
  label: string;
  token: Token;
  shape: 'line' | 'thin' | 'box' | 'faded' | 'tick' | 'diamond' | 'up' | 'down';
}

/** The same figures in words and numbers. */
export interface Table {
  columns: { title: string; isNumber?: boolean }[];
  rows: string[][];
}

export interface Chart {
  name: ChartName;
  title: string;
  /** Unit, window and what is drawn. */
  subtitle: string;
  /** What a reader who does not see it should know. */
  description: string;
  legend: LegendItem[];
  table: Table;
  /** Null: there is nothing to draw, and `noData` says why. */
  draw: ((size: Size) => Spec) | null;
  noData: string;
  /** How to read it, under the chart. */
  note?: string;
  /** Days that may still change lie on a grey ground. */
  marksPending?: boolean;
  /** Takes the whole width of the page. */
  isWide?: boolean;
}
