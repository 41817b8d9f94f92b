import type { Size, Spec } from '../chart.ts';
import { fitText } from '../label.ts';
import type { Token } from '../palette.ts';
import { boxLayer, FONT_SIZE, plotSpec, pointerLayer, wordLayer } from '../plot.ts';

export interface RankedRow {
  label: string;
  value: number;
  valueText: string;
  /** Value of the period before, drawn as a tick. */
  previous: number | null;
  token: Token;
  tip: string;
}

const ROW = 26;
const BAR = 15;

/** Bars from most to least, label left, value right; a tick marks the period before. */
export function rankingSpec(rows: readonly RankedRow[], size: Size): Spec {
  const left = size.name === 'narrow' ? 132 : 176;
  const right = size.name === 'narrow' ? 54 : 66;
  const inner = size.width - left - right;
  const most = rows.reduce((a, row) => Math.max(a, row.value, row.previous ?? 0), 0) || 1;
  const place = (value: number): number => (value / most) * inner;
  const top = (index: number): number => index * ROW + (ROW - BAR) / 2;
  const middle = (index: number): number => (index + 0.5) * ROW;
  const ticks = rows.flatMap(({ previous }, index) => (previous === null ? [] : [{ previous, index }]));
  return plotSpec({
    width: size.width,
    height: rows.length * ROW,
    padding: { left, right, top: 2, bottom: 2 },
    layers: [
      boxLayer(
        rows.map((row, index) => ({
          x: 0,
          x2: Math.max(1, place(row.value)),
          y: top(index),
          y2: top(index) + BAR,
          fill: row.token,
        })),
        { cornerRadiusEnd: 2 },
      ),
      boxLayer(
        ticks.map(({ previous, index }) => ({
          x: place(previous) - 1.25,
          x2: place(previous) + 1.25,
          y: top(index) - 3,
          y2: top(index) + BAR + 3,
          fill: 'ink' as const,
          stroke: 'card' as const,
        })),
        { strokeWidth: 0.75 },
      ),
      wordLayer(
        rows.map((row, index) => ({
          x: -8,
          y: middle(index),
          text: fitText(row.label, left - 12, FONT_SIZE),
          token: 'ink',
        })),
        { align: 'right' },
      ),
      wordLayer(
        rows.map((row, index) => ({
          x: Math.max(place(row.value), place(row.previous ?? 0)) + 7,
          y: middle(index),
          text: row.valueText,
          token: 'muted',
        })),
      ),
      pointerLayer(
        rows.map((row, index) => ({
          x: -left,
          x2: inner + right,
          y: index * ROW,
          y2: (index + 1) * ROW,
          tip: row.tip,
        })),
      ),
    ],
  });
}
