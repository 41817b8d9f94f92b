import { addDays, type Day } from '../day.ts';
import { GLYPHS, ink } from './chart.ts';
import type { Band, Drawing, Glyph, Range, Series, Token } from './chart.ts';
import { Markup, markup, formatShortDay } from './text.ts';
import type { ChartData } from './read-projects.ts';

/** Low and high of an axis around all values. */
export function domainOf(values: readonly (number | null)[], most = Infinity): [number, number] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [0, 1];
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  const room = (high - low || Math.abs(high) * 0.2 || 1) * 0.08;
  return [low >= 0 ? Math.max(0, low - room) : low - room, Math.min(most, high + room)];
}

/** The subtitle's note about an axis that does not start at 0. */
export function axisWords([low]: readonly [number, number]): string {
  return low === 0 ? '' : ' · axis does not start at\u00A00';
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
  const all = Array.from({ length: days }, (_, index) => ({ index, day: addDays(start, index) }));
  const mondays = all.filter(({ day }) => new Date(day).getUTCDay() === 1);
  const months = all.filter(({ day }) => day.endsWith('-01'));
  const choices = [
    mondays,
    mondays.filter((_, place) => place % 2 === 0),
    ...[1, 2, 3, 6, 12].map((step) => months.filter(({ day }) => (Number(day.slice(5, 7)) - 1) % step === 0)),
  ];
  return (choices.find(({ length }) => length <= most) ?? months.slice(0, most)).map(({ index }) => index);
}

/** A range as days, as weeks from Monday on, or as months, at most about 60; a week or month that began before the range is left out. */
export function periodsOf(start: Day, { from, days }: Range): Range[] {
  const isFirst = (index: number): boolean => {
    if (days <= 45) return true;
    const day = addDays(start, index);
    return days <= 400 ? new Date(day).getUTCDay() === 1 : day.endsWith('-01');
  };
  const periods: Range[] = [];
  for (let index = from; index < from + days; index += 1) {
    const last = periods.at(-1);
    if (isFirst(index)) periods.push({ from: index, days: 1 });
    else if (last !== undefined) last.days += 1;
  }
  return periods;
}

/** Sum and number of the figures of a period. */
export function sumOf(figures: readonly (number | null)[], { from, days }: Range) {
  const known = figures.slice(Math.max(0, from), from + days).filter((figure) => figure !== null);
  return { sum: known.reduce((a, b) => a + b, 0), known: known.length };
}

/** An event on its day. */
export interface TimeMark {
  day: number;
  shape: Glyph;
  token: Token;
}

/** Lanes of marks, from the lowest up. */
const LANES = ['diamond', 'triangle'] as const satisfies readonly Glyph[];

interface TimeSpec {
  width: number;
  height: number;
  domain: readonly [number, number];
  lines: (Omit<Series, 'name'> & { weight: number })[];
  /** Boxes from `low` to `high`, over so many days from `day` of the range on. */
  boxes?: { day: number; days: number; low: number; high: number; token: Token }[];
  marks?: readonly TimeMark[];
  /** A level to reach, across the plot. */
  goal?: number | undefined;
}

const LEFT = 40;
const RIGHT = 12;
const FOOT = 24;
const LANE = 15;

/** Lines and boxes over the days of a range, with marks above them. */
export function drawTime(data: ChartData, { from, days }: Range, spec: TimeSpec): Drawing {
  const { width, height, domain } = spec;
  const start = addDays(data.start, from);
  const finalDays = Math.max(0, data.finalDays - from);
  const { marks: events = [], lines: shown } = spec;
  const ofShape = LANES.map((lane) => events.filter(({ shape }) => shape === lane));
  const lanes = ofShape.filter(({ length }) => length > 0);
  const top = 8 + lanes.length * LANE;
  const inner = width - LEFT - RIGHT;
  const bottom = height - FOOT;
  const x = (day: number): number => LEFT + (day / days) * inner;
  const y = (value: number): number =>
    bottom - ((value - domain[0]) / (domain[1] - domain[0])) * (bottom - top);
  const pending =
    finalDays >= days
      ? ''
      : markup`<rect x="${oneDecimal(x(finalDays))}" y="${top}" width="${oneDecimal(x(days) - x(finalDays))}" height="${oneDecimal(bottom - top)}" fill="${ink('pending')}"/>`;
  const grid = niceTicks(domain, Math.max(2, Math.floor((bottom - top) / 48))).map(
    (value) =>
      markup`<path d="M${LEFT},${oneDecimal(y(value))}H${oneDecimal(x(days))}" stroke="${ink('line')}"/><text x="${LEFT - 7}" y="${oneDecimal(y(value) + 4)}" text-anchor="end">${value.toLocaleString('en-GB', { maximumFractionDigits: 12 })}</text>`,
  );
  const ticks = dayTicks(start, days, Math.floor(inner / 62)).map(
    (day) =>
      markup`<path d="M${oneDecimal(x(day + 0.5))},${bottom}v4" stroke="${ink('line')}"/><text x="${oneDecimal(Math.min(x(day + 0.5), width - 26))}" y="${bottom + 17}" text-anchor="middle">${tickLabel(addDays(start, day), days)}</text>`,
  );
  const boxes = new Map<Token, string>();
  for (const { day, days: length, low, high, token } of spec.boxes ?? []) {
    const gap = Math.min(2, (inner / days) * length * 0.15);
    const across = tenths(Math.max(0.6, x(day + length) - x(day) - gap));
    const box = `M${tenths(x(day) + gap / 2)},${tenths(y(high))}h${across}v${tenths(Math.max(0, y(low) - y(high)))}h-${across}z`;
    boxes.set(token, (boxes.get(token) ?? '') + box);
  }
  const filled = [...boxes].map(
    ([token, path]) => markup`<path d="${path}" fill="${ink(token)}" transform="scale(.1)"/>`,
  );
  const bands = shown.map(({ band, token }) =>
    band === undefined
      ? ''
      : markup`<path d="${bandPath(band, (day) => x(day + 0.5), y)}" fill="${ink(token)}" fill-opacity="0.18"/>`,
  );
  const lines = shown.map(
    ({ figures, token, weight }) =>
      markup`<path d="${linePath(figures, (day) => x(day + 0.5), y)}" fill="none" stroke="${ink(token)}" stroke-width="${10 * weight}" stroke-linejoin="round" stroke-linecap="round" transform="scale(.1)"/>`,
  );
  const goal =
    spec.goal === undefined
      ? ''
      : markup`<path d="M${LEFT},${oneDecimal(y(spec.goal))}H${oneDecimal(x(days))}" stroke="${ink('ink')}" stroke-width="1.5" stroke-dasharray="5 3"/>`;
  const marks = markup`${pending}${grid}${ticks}${drawLanes(lanes, { x, top, bottom })}${filled}${bands}${lines}${goal}`;
  return { width, height, marks, plot: { left: LEFT, width: inner } };
}

function tickLabel(day: Day, days: number): string {
  return days > 400 || (day.endsWith('-01-01') && days > 60)
    ? `${formatShortDay(day).slice(2)} ${day.slice(2, 4)}`
    : formatShortDay(day);
}

/** Pixels with one decimal. */
export function oneDecimal(value: number): string {
  return String(tenths(value) / 10);
}

function tenths(value: number): number {
  return Math.round(value * 10);
}

/** Where a day or a value is, in pixels. */
type Scale = (value: number) => number;

/** A line that breaks where there is no figure, in tenths of a pixel; a figure between gaps is a dot. Steps are short text, and a page has many. */
export function linePath(figures: readonly (number | null)[], x: Scale, y: Scale): string {
  let path = '';
  let before: readonly [number, number] | null = null;
  for (const [day, figure] of figures.entries()) {
    const point = figure === null ? null : ([tenths(x(day)), tenths(y(figure))] as const);
    if (point !== null && before === null) path += `M${point[0]},${point[1]}h.1`;
    else if (point !== null && before !== null) path += `l${point[0] - before[0]},${point[1] - before[1]}`;
    before = point;
  }
  return path;
}

/** The ground between lows and highs, broken where one is missing. */
function bandPath({ low, high }: Band, x: Scale, y: Scale): string {
  let path = '';
  for (let first = 0; first < low.length; first += 1) {
    let end = first;
    while (low[end] !== null && end < low.length) end += 1;
    const days = Array.from({ length: end - first }, (_, index) => first + index);
    const pointOf = (ends: Band['low'], day: number): string =>
      `${oneDecimal(x(day))},${oneDecimal(y(ends[day] ?? 0))}`;
    const there = days.map((day) => pointOf(high, day));
    const back = days.toReversed().map((day) => pointOf(low, day));
    if (days.length > 1) path += `M${[...there, ...back].join('L')}Z`;
    first = end;
  }
  return path;
}

/** Pixels of a glyph, and of one with a number next to it. */
const GLYPH = 12;
const NUMBERED = 25;
/** Event days with a line through the plot; more would hide the figures. */
const MAX_GUIDES = 40;

/** Marks of a lane that are too close to distinguish share a glyph, on the first of their days. */
function clustersOf(marks: readonly TimeMark[], x: Scale): TimeMark[][] {
  const clusters: TimeMark[][] = [];
  for (const mark of marks.toSorted((a, b) => a.day - b.day)) {
    const last = clusters.at(-1);
    const room = last === undefined ? Infinity : x(mark.day) - x(last[0]?.day ?? 0);
    if (last === undefined || room >= (last.length > 1 ? NUMBERED : GLYPH)) clusters.push([mark]);
    else last.push(mark);
  }
  return clusters;
}

/** A lane of glyphs of one size above the plot; a number counts the events of a glyph. */
function drawLanes(lanes: readonly TimeMark[][], plot: { x: Scale; top: number; bottom: number }): Markup {
  const days = [...new Set(lanes.flat().map(({ day }) => day))];
  const guides = days.length > MAX_GUIDES ? [] : days;
  const glyphs = lanes.map((marks, place) =>
    clustersOf(marks, plot.x).map((cluster) => {
      const [first] = cluster;
      if (first === undefined) return '';
      const x = plot.x(first.day + 0.5);
      const y = plot.top - 9 - place * LANE;
      const count =
        cluster.length === 1
          ? ''
          : markup`<text x="${oneDecimal(x + 7)}" y="${oneDecimal(y + 4)}" font-size="11">${cluster.length}</text>`;
      return markup`<path transform="translate(${oneDecimal(x)},${oneDecimal(y)})" d="${GLYPHS[first.shape].path}" fill="${ink(first.token)}"/>${count}`;
    }),
  );
  return markup`${guides.map((day) => markup`<path d="M${oneDecimal(plot.x(day + 0.5))},${plot.top}V${plot.bottom}" stroke="${ink('line')}" stroke-dasharray="2 3"/>`)}${glyphs}`;
}
