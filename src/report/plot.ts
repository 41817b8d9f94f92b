import type { Spec } from './chart.ts';
import { ink, type Token } from './palette.ts';

/** One layer of a specification. */
export type Layer = Record<string, unknown>;

export const FONT_SIZE = 12;

const CONFIG = {
  background: null,
  aria: true,
  font: 'sans-serif',
  view: { stroke: null },
  axis: {
    aria: false,
    labelFontSize: FONT_SIZE,
    labelColor: ink('muted'),
    gridColor: ink('line'),
    domainColor: ink('line'),
    tickColor: ink('line'),
    labelFontWeight: 'normal',
    title: null,
  },
  line: { strokeCap: 'round', strokeJoin: 'round', invalid: 'break-paths-show-path-domains' },
  area: { invalid: 'break-paths-show-path-domains' },
};

export interface Padding {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A specification whose outer size is `width` and whose plot is exactly what the padding leaves. */
export function plotSpec(plot: {
  width: number;
  height: number;
  padding: Padding;
  layers: readonly Layer[];
  encoding?: Record<string, unknown>;
}): Spec {
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width: plot.width - plot.padding.left - plot.padding.right,
    height: plot.height,
    padding: plot.padding,
    autosize: { type: 'none' },
    config: CONFIG,
    ...(plot.encoding === undefined ? {} : { encoding: plot.encoding }),
    layer: plot.layers,
  };
}

export interface Box {
  x: number;
  x2: number;
  y: number;
  y2: number;
  fill: Token;
  stroke?: Token | undefined;
  opacity?: number;
  /** Shown on pointing; boxes with a text are what a reader can point at. */
  tip?: string;
}

const pixels = (field: string): Layer => ({ field, type: 'quantitative', scale: null, axis: null });
const asIs = (field: string): Layer => ({ field, type: 'nominal', scale: null, legend: null });

/** Rectangles placed in pixels of the plot. */
export function boxLayer(boxes: readonly Box[], mark: Layer = {}): Layer {
  return {
    data: {
      values: boxes.map((box) => ({
        ...box,
        fill: ink(box.fill),
        stroke: box.stroke === undefined ? 'none' : ink(box.stroke),
        opacity: box.opacity ?? 1,
        tip: box.tip ?? '',
      })),
    },
    mark: { type: 'rect', aria: boxes.some((box) => box.tip !== undefined), ...mark },
    encoding: {
      x: pixels('x'),
      x2: { field: 'x2' },
      y: pixels('y'),
      y2: { field: 'y2' },
      fill: asIs('fill'),
      stroke: asIs('stroke'),
      fillOpacity: { field: 'opacity', type: 'quantitative', scale: null, legend: null },
      description: { field: 'tip', type: 'nominal' },
    },
  };
}

export interface Words {
  x: number;
  y: number;
  text: string;
  token: Token;
}

/** Texts placed in pixels of the plot. */
export function wordLayer(words: readonly Words[], mark: Layer = {}): Layer {
  return {
    data: { values: words.map((word) => ({ ...word, fill: ink(word.token) })) },
    mark: { type: 'text', aria: false, fontSize: FONT_SIZE, baseline: 'middle', align: 'left', ...mark },
    encoding: {
      x: pixels('x'),
      y: pixels('y'),
      text: { field: 'text', type: 'nominal' },
      color: asIs('fill'),
    },
  };
}

/** Areas to point at that are not seen; placed in pixels. */
export function pointerLayer(boxes: readonly Omit<Box, 'fill'>[]): Layer {
  return boxLayer(boxes.map((box) => ({ ...box, fill: 'ink', opacity: 0 })));
}

/** Vertical lines in pixels of the plot. */
export function ruleLayer(rules: readonly { x: number; y: number; y2: number }[], token: Token): Layer {
  return {
    data: { values: rules },
    mark: { type: 'rule', aria: false, stroke: ink(token), strokeWidth: 1 },
    encoding: { x: pixels('x'), y: pixels('y'), y2: { field: 'y2' } },
  };
}
