import { addDays, countDays, periodStart, shiftPeriod, type Day } from '../day.ts';
import type { Size, Spec } from './chart.ts';
import { dayStartMs } from './numbers.ts';
import { ink } from './palette.ts';
import { FONT_SIZE, plotSpec, type Layer, type Padding } from './plot.ts';

const HALF_DAY_MS = 43_200_000;

export interface TimePlot {
  size: Size;
  height: number;
  start: Day;
  end: Day;
  /** First day that may still change. */
  pendingFrom: Day | null;
  y: { domain: [number, number]; format: string; isReversed?: boolean; ticks?: number[] };
  layers: readonly Layer[];
  /** What pointing at a day, or at a period of `length` days, says. */
  tips: readonly { date: Day; text: string; length?: number }[];
  padding?: Partial<Padding>;
}

/** The plot of something over days: gaps stay gaps, days that may change lie on a grey ground. */
export function timeSpec(plot: TimePlot): Spec {
  const isNarrow = plot.size.name === 'narrow';
  const padding = {
    left: isNarrow ? 38 : 46,
    right: isNarrow ? 10 : 14,
    top: 8,
    bottom: 26,
    ...plot.padding,
  };
  const inner = plot.size.width - padding.left - padding.right;
  const domain = [dayStartMs(plot.start) - HALF_DAY_MS, dayStartMs(plot.end) + HALF_DAY_MS];
  const ticks = dayTicks(plot.start, plot.end, Math.max(2, Math.floor(inner / 82)));
  return plotSpec({
    width: plot.size.width,
    height: plot.height,
    padding,
    encoding: {
      x: {
        field: 't',
        type: 'quantitative',
        scale: { domain, nice: false, zero: false },
        axis: {
          values: ticks.values.map((day) => dayStartMs(day)),
          labelExpr: `utcFormat(datum.value, ${JSON.stringify(ticks.format)})`,
          grid: false,
          labelOverlap: false,
          labelFlush: FONT_SIZE,
          labelPadding: 4,
          tickSize: 4,
        },
      },
      y: {
        field: 'v',
        type: 'quantitative',
        scale: { domain: plot.y.domain, nice: false, zero: false, reverse: plot.y.isReversed === true },
        axis: {
          format: plot.y.format,
          ...(plot.y.ticks === undefined ? { tickCount: 4 } : { values: plot.y.ticks }),
          domain: false,
          ticks: false,
          labelPadding: 6,
          labelOverlap: true,
        },
      },
    },
    layers: [...pendingLayers(plot), ...plot.layers, tipLayer(plot)],
  });
}

function pendingLayers({ pendingFrom, start, end, height }: TimePlot): Layer[] {
  if (pendingFrom === null || pendingFrom > end) return [];
  const from = pendingFrom < start ? start : pendingFrom;
  return [
    {
      data: {
        values: [{ t: dayStartMs(from) - HALF_DAY_MS, t2: dayStartMs(end) + HALF_DAY_MS }],
      },
      mark: { type: 'rect', aria: false, fill: ink('pending') },
      encoding: { x2: { field: 't2' }, y: { value: 0 }, y2: { value: height } },
    },
  ];
}

function tipLayer({ tips, end, height }: TimePlot): Layer {
  const last = dayStartMs(end) + HALF_DAY_MS;
  return {
    data: {
      values: tips.map(({ date, text, length }) => {
        const t = dayStartMs(date) - HALF_DAY_MS;
        return { t, t2: Math.min(t + (length ?? 1) * 2 * HALF_DAY_MS, last), tip: text };
      }),
    },
    mark: { type: 'rect', fill: '#000', fillOpacity: 0 },
    encoding: {
      x2: { field: 't2' },
      y: { value: 0 },
      y2: { value: height },
      description: { field: 'tip', type: 'nominal' },
    },
  };
}

/** A line, and dots where a day stands alone between gaps. */
export function lineLayers(
  points: readonly { date: Day; value: number | null }[],
  mark: { stroke: string; strokeWidth: number; opacity?: number },
): Layer[] {
  const values = points.map(({ date, value }) => ({ t: dayStartMs(date), v: value }));
  const lonely = values.filter(
    ({ v }, index) =>
      v !== null && (values[index - 1]?.v ?? null) === null && (values[index + 1]?.v ?? null) === null,
  );
  const line = { data: { values }, mark: { type: 'line', aria: false, ...mark } };
  if (lonely.length === 0) return [line];
  const dot = { type: 'circle', aria: false, size: 14 + mark.strokeWidth * 6, fill: mark.stroke };
  return [line, { data: { values: lonely }, mark: { ...dot, opacity: mark.opacity ?? 1 } }];
}

/** Bars of `length` days from zero, or from `from`. */
export function barLayer(
  bars: readonly { date: Day; value: number | null; from?: number; length?: number }[],
  end: Day,
  mark: Layer,
): Layer {
  const last = dayStartMs(end) + HALF_DAY_MS;
  const values = bars.flatMap(({ date, value, from, length }) => {
    if (value === null) return [];
    const span = (length ?? 1) * 2 * HALF_DAY_MS;
    const t = dayStartMs(date) - HALF_DAY_MS;
    const gap = span * 0.09;
    return [{ t: t + gap, t2: Math.min(t + span, last) - gap, v: value, v2: from ?? 0 }];
  });
  return {
    data: { values },
    mark: { type: 'rect', aria: false, ...mark },
    encoding: { x2: { field: 't2' }, y2: { field: 'v2' } },
  };
}

/** Marked days: every day, every few days, Mondays, or firsts of months: the finest that `most` labels allow. */
export function dayTicks(start: Day, end: Day, most: number): { values: Day[]; format: string } {
  const days = countDays(start, end);
  for (const step of [1, 2, 7, 14]) {
    if (Math.ceil(days / step) > most) continue;
    const first = step >= 7 ? periodStart(addDays(start, 6), 'week') : start;
    const values: Day[] = [];
    for (let day = first; day <= end; day = addDays(day, step)) values.push(day);
    return { values, format: '%-d %b' };
  }
  for (const step of [1, 2, 3, 6, 12]) {
    const values: Day[] = [];
    const first = shiftPeriod(addDays(start, -1), 'month', 1);
    for (let day = first; day <= end; day = shiftPeriod(day, 'month', step)) values.push(day);
    if (values.length <= most || step === 12) return { values, format: days > 300 ? '%b %Y' : '%-d %b' };
  }
  return { values: [start], format: '%-d %b' };
}

/** A domain around the values with room above; from zero when asked. */
export function domainOf(
  values: readonly (number | null)[],
  options: { fromZero?: boolean; headroom?: number; most?: number } = {},
): [number, number] {
  const known = values.filter((value) => value !== null);
  const high = known.reduce((a, b) => Math.max(a, b), -Infinity);
  const low = options.fromZero === true ? 0 : known.reduce((a, b) => Math.min(a, b), Infinity);
  if (!Number.isFinite(high)) return [0, 1];
  const span = high - low || Math.abs(high) || 1;
  const top = high + span * (options.headroom ?? 0.06);
  const bottom = options.fromZero === true ? 0 : low - span * 0.1;
  return [low >= 0 ? Math.max(0, bottom) : bottom, Math.max(high, Math.min(top, options.most ?? Infinity))];
}
