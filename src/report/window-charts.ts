import type { Day } from '../day.ts';
import { ink, rangeDays } from './chart.ts';
import type { Chart, LegendItem, Range, Drawing, Token } from './chart.ts';
import type { ChartData } from './read-projects.ts';
import * as texts from './text.ts';
import { niceTicks, oneDecimal, sumOf } from './draw-time.ts';
import { shownBrands } from './time-charts.ts';

interface BarRow {
  label: string;
  /** Precedes the label. */
  date?: string;
  /** The bar: from 0 to the value, or an interval about `dot`. */
  ends: readonly [number, number];
  dot?: number;
  /** Value of the period before, drawn as a tick. */
  previous: number | null;
  text: string;
  token: Token;
  /** The cells of the row in its table. */
  cells: string[];
}

const ROW = 26;
const BAR = 14;
const FONT = 12;
/** Height of a label above its bar, and width of a date before it. */
const LABEL = 12;
const DATE = 88;

/** Labels cut to `width`; labels that would look alike drop their common first words. */
export function tellApart(labels: readonly string[], width: number): string[] {
  const cut = labels.map((label) => texts.fitText(label, width, FONT));
  return labels.map((label, index) => {
    const twins = labels.filter((other, at) => other !== label && cut[at] === cut[index]);
    if (twins.length === 0) return cut[index] ?? label;
    const words = label.split(' ');
    const sharedWith = (twin: string): number => {
      const others = twin.split(' ');
      return words.findIndex((word, at) => word !== others[at]);
    };
    const shared = Math.max(...twins.map(sharedWith));
    return shared < 1
      ? (cut[index] ?? label)
      : texts.fitText(`… ${words.slice(shared).join(' ')}`, width, FONT);
  });
}

/** Bars with their values right; the label left or, where one would be cut, above. */
function drawBars({ columns, rows, hasAxis = false }: Bars, width: number): Drawing {
  const beside = Math.round(width * (width < 420 ? 0.38 : 0.42));
  const isAbove = hasAxis || rows.some(({ label }) => texts.textWidth(label, FONT) > beside - 12);
  const left = hasAxis ? 12 : isAbove ? 0 : beside;
  const labelLeft = rows.some(({ date }) => date !== undefined) ? DATE : 0;
  const names = rows.map(({ label }) => label);
  const labels = tellApart(names, isAbove ? width - labelLeft : left - 12);
  const height = isAbove ? ROW + LABEL : ROW;
  const inner = width - left - 74;
  const values = rows.flatMap(({ ends, previous }) => [...ends, previous ?? 0]);
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (value: number): number => left + ((value - low) / span) * inner;
  const bottom = rows.length * height;
  const axis = (hasAxis ? niceTicks([low, low + span], Math.max(2, Math.floor(inner / 90))) : []).map(
    (value) =>
      texts.markup`<path d="${rows.map((_, index) => `M${oneDecimal(x(value))},${index * height + 18}v18`).join('')}" stroke="${ink(value === 0 ? 'muted' : 'line')}"/><text x="${oneDecimal(x(value))}" y="${bottom + 16}" text-anchor="middle">${value === 0 ? '0' : texts.withSign(value, String)}</text>`,
  );
  const marks = rows.map(({ ends: [from, to], dot, date = '', previous, text, token, cells }, index) => {
    const thick = dot === undefined ? BAR : 3;
    const middle = index * height + height - ROW / 2;
    const tick =
      previous === null
        ? ''
        : texts.markup`<path d="M${oneDecimal(x(previous))},${middle - BAR / 2 - 3}v${BAR + 6}" stroke="${ink('ink')}" stroke-width="2"/>`;
    const point =
      dot === undefined
        ? ''
        : texts.markup`<circle cx="${oneDecimal(x(dot))}" cy="${middle}" r="4.5" fill="${ink(token)}"/>`;
    const label = isAbove
      ? texts.markup`<text x="0" y="${middle - 13}">${date}</text><text x="${labelLeft}" y="${middle - 13}" fill="${ink('ink')}">${labels[index] ?? ''}</text>`
      : texts.markup`<text x="${left - 8}" y="${middle + 4}" text-anchor="end" fill="${ink('ink')}">${labels[index] ?? ''}</text>`;
    const tip = columns.map((column, at) => `${column}: ${cells[at] ?? texts.NO_FIGURE}`).join('\n');
    return texts.markup`<g class="tip"><title>${tip}</title><rect x="0" y="${index * height}" width="${width}" height="${height}" fill="transparent"/>${label}<rect x="${oneDecimal(x(from))}" y="${middle - thick / 2}" width="${oneDecimal(Math.max(1, x(to) - x(from)))}" height="${thick}" rx="2" fill="${ink(token)}"${dot === undefined ? '' : texts.markup` fill-opacity="0.45"`}/>${tick}${point}<text x="${oneDecimal(Math.max(x(to), x(previous ?? low)) + 7)}" y="${middle + 4}" fill="${ink(dot === undefined ? 'muted' : token)}">${text}</text></g>`;
  });
  return { width, height: bottom + (hasAxis ? 22 : 4), marks: texts.markup`${axis}${marks}` };
}

const CELL = 27;
const HEAD_FONT = 11;
const HEATS = ['heat0', 'heat1', 'heat2', 'heat3', 'heat4', 'heat5'] as const;

/** Cells of brands by models, darker for more; an empty cell has no figure. */
function drawGrid(columns: readonly string[], rows: ChartData['heatmap'], width: number): Drawing {
  const left = Math.min(180, Math.round(width * 0.3));
  const step = (width - left) / Math.max(1, columns.length);
  const heads = columns.map((name) => texts.wrapText(name, step - 6, HEAD_FONT).slice(0, 3));
  const top = heads.reduce((most, lines) => Math.max(most, lines.length), 1) * 13 + 8;
  const most = rows.flatMap(({ cells }) => cells).reduce<number>((a, cell) => Math.max(a, cell ?? 0), 0) || 1;
  const heading = heads.map((lines, column) =>
    lines.map(
      (line, index) =>
        texts.markup`<text x="${Math.round(left + (column + 0.5) * step)}" y="${top - 8 - (lines.length - 1 - index) * 13}" text-anchor="middle" font-size="${HEAD_FONT}">${texts.fitText(line, step - 2, HEAD_FONT)}</text>`,
    ),
  );
  const body = rows.map((row, index) => {
    const y = top + index * CELL;
    const cells = columns.map((column, place) => {
      const value = row.cells[place] ?? null;
      const heat = Math.min(5, Math.floor(((value ?? 0) / most) * 6));
      const x = Math.round(left + place * step);
      const text =
        value === null
          ? texts.markup`<text x="${Math.round(x + step / 2)}" y="${y + 17}" text-anchor="middle">·</text>`
          : texts.markup`<text x="${Math.round(x + step / 2)}" y="${y + 17}" text-anchor="middle" fill="${ink(heat < 4 ? 'ink' : 'card')}">${value.toFixed(step < 44 ? 0 : 1)}</text>`;
      return texts.markup`<g class="tip"><title>${row.name}, ${column}: ${value === null ? 'no figure' : texts.formatPercent(value)}</title><rect x="${x + 1}" y="${y + 1}" width="${Math.max(1, Math.round(step) - 2)}" height="${CELL - 2}" rx="3" fill="${ink(value === null ? 'faint' : (HEATS[heat] ?? 'heat0'))}"/>${text}</g>`;
    });
    const weight = row.is_own ? texts.markup` font-weight="700"` : '';
    return texts.markup`<text x="0" y="${y + 17}" fill="${ink('ink')}"${weight}>${texts.fitText(row.name, left - 10, FONT)}</text>${cells}`;
  });
  return { width, height: top + rows.length * CELL + 2, marks: texts.markup`${heading}${body}` };
}

/** Bars under one another. */
interface Bars extends Omit<Chart, 'description' | 'table' | 'draw'> {
  columns: readonly string[];
  rows: readonly BarRow[];
  /** Values on both sides of 0, above an axis. */
  hasAxis?: boolean;
}

/** Bars of one chart, with the same figures as a table. */
function barsChart(bars: Bars): Chart {
  const { columns, rows, hasAxis: _hasAxis, ...words } = bars;
  return {
    ...words,
    description: `${words.title}: ${rows.map(({ label, text }) => `${label} ${text}`).join(', ')}.`,
    table: () => ({ columns, rows: rows.map(({ cells }) => cells) }),
    draw: rows.length === 0 ? null : (width) => drawBars(bars, width),
  };
}

type Value = Pick<BarRow, 'label' | 'previous' | 'token'> & { value: number };

/** A bar of a value, beside that of the period before. */
function barOf({ value, ...row }: Value, format: (value: number | null) => string): BarRow {
  const text = format(value);
  return { ...row, ends: [0, value], text, cells: [row.label, text, format(row.previous)] };
}

function previousLegend(rows: readonly BarRow[], label: string): LegendItem[] {
  return rows.some(({ previous }) => previous !== null) ? [{ label, token: 'ink', shape: 'tick' }] : [];
}

/** Each brand's part in the mentions of the shown days, with the days before. */
export function brandShareChart(data: ChartData, range: Range): Chart {
  const before = { from: range.from - range.days, days: range.days };
  const hasBefore = before.from >= 0;
  const share = (figures: readonly (number | null)[], period: Range): number | null => {
    const all = sumOf(data.daily.all_brand_mentions, period).sum;
    return all === 0 ? null : (100 * sumOf(figures, period).sum) / all;
  };
  const brands = shownBrands(data, 8).flatMap(({ name: label, token, figures }) => {
    const value = share(figures, range);
    const previous = hasBefore ? share(figures, before) : null;
    return value === null ? [] : [{ label, token, value, previous }];
  });
  const rows = brands.toSorted((a, b) => b.value - a.value).map((one) => barOf(one, texts.formatPercent));
  const previous = `Previous ${range.days} days`;
  return barsChart({
    title: 'Share of brand mentions',
    subtitle: `Share of all mentions of tracked brands, percent · ${rangeDays(data, range)}`,
    legend: previousLegend(rows, previous),
    noData: texts.noDataOf(data, 'brand_visibility'),
    columns: ['Brand', 'Share', previous],
    rows,
  });
}

/** A title with the days of its window, which the chosen days do not change. */
function withWindow(title: string, shown: { window_start: Day; window_end: Day } | undefined): string {
  return shown ? `${title}, ${texts.formatWindow(shown.window_start, shown.window_end)}` : title;
}

/** Visibility of each brand in each model, newest window. */
export function heatmapChart(data: ChartData): Chart {
  const { heatmap } = data;
  const [first] = heatmap;
  const rows = heatmap.slice(0, 12).map((row) => ({ ...row, name: texts.plainLabel(row.name) }));
  const models = (first?.models ?? []).map((name) => texts.plainLabel(name));
  const words = rows.map(({ name, cells }) => {
    const shares = cells.map((cell, index) => `${models[index] ?? ''} ${texts.formatPercent(cell)}`);
    return `${name}: ${shares.join(', ')}.`;
  });
  return {
    title: withWindow('Brands by model', first),
    subtitle: 'Answers that mention the brand, percent (not the score)',
    description: words.join(' '),
    legend: [],
    noData: texts.noDataOf(data, 'competitor_heatmap'),
    table: () => ({
      columns: ['Brand', ...models],
      rows: rows.map(({ name, cells }) => [name, ...cells.map((cell) => texts.formatPercent(cell))]),
    }),
    draw: rows.length === 0 ? null : (width) => drawGrid(models, rows, width),
  };
}

/** What visibility did after bursts of completed actions, the clearest effects. */
export function impactChart({ impact }: ChartData): Chart {
  const rows = impact.map((burst): BarRow => {
    const { visibility_before: before, visibility_effect: effect, is_clear: isClear } = burst;
    const { visibility_effect_low: low, visibility_effect_high: high } = burst;
    const signed = (value: number): string =>
      texts.withSign(value, (size) => texts.formatScore(size, before));
    const text = signed(effect);
    const titles = texts.plainLabel(burst.titles);
    const label = burst.actions === 1 ? titles : `${burst.actions} actions: ${titles}`;
    return {
      label,
      date: texts.formatDay(burst.first_date),
      ends: [low, high],
      dot: effect,
      previous: null,
      text,
      token: isClear ? (effect > 0 ? 'good' : 'bad') : 'other',
      cells: [
        label,
        texts.formatDays(burst.first_date, burst.last_date),
        texts.formatScore(before),
        texts.formatScore(burst.visibility_after),
        text,
        `${signed(low)} to ${signed(high)}`,
        isClear ? 'yes' : 'no',
        String(burst.other_actions_count),
        burst.setup_change_titles ?? '',
      ],
    };
  });
  const [first] = impact;
  const last = impact.at(-1);
  const shown = first && last && { window_start: first.first_date, window_end: last.last_date };
  const count = first ? `; the ${rows.length} clearest of ${first.judged_count} judged, by date` : '';
  const notJudged = first?.not_judged ?? null;
  return barsChart({
    title: withWindow('Visibility after completed actions', shown),
    subtitle: `Change of the score after a group of actions, corrected for trend and market, with its 95% range${count}`,
    legend: [
      { label: 'Clear rise', token: 'good', shape: 'line' },
      { label: 'Clear fall', token: 'bad', shape: 'line' },
      { label: 'Not clear', token: 'other', shape: 'line' },
    ],
    note: `Clear: the range excludes 0, and the level after also differs from the six weeks before. A change after an action does not prove that the action caused it.${notJudged === null ? '' : ` Not judged: ${notJudged}.`}`,
    noData: 'No completed action can be judged yet.',
    columns: [
      'Actions',
      'Days',
      'Average of 14 days before',
      'After',
      'Effect',
      '95% range',
      'Clear',
      'Other actions nearby',
      'Changes of prompts, models or monitors',
    ],
    rows,
    hasAxis: true,
  });
}

/** Lists of the newest stored window: the subject of the bars, the value, and that of the preceding period. */
const RANKINGS = {
  prompts: {
    title: 'Most and least visible prompts',
    subtitle: 'Average visibility of each prompt, as the prompt list gives it; not weighted by volume',
    endpoint: 'prompts',
    format: texts.formatScore,
    columns: ['Prompt', 'Visibility', 'Previous snapshot'],
  },
  domains: {
    title: 'Most cited domains',
    subtitle: 'Citations in AI answers',
    endpoint: 'domain_citations',
    format: texts.formatCount,
    columns: ['Domain', 'Citations', 'Previous period'],
  },
  pages: {
    title: 'Most crawled pages of your site',
    subtitle: 'Requests from AI crawlers',
    endpoint: 'crawler_top_pages',
    format: texts.formatCount,
    columns: ['Page', 'Requests', 'Previous period'],
  },
} as const;

/** Bars of the newest stored window, whatever days are chosen; for prompts, the most and the least visible, in equal numbers. */
export function rankingChart(data: ChartData, kind: keyof typeof RANKINGS): Chart {
  const { title, format, endpoint, ...words } = RANKINGS[kind];
  const ranking = data[kind];
  const rows = ranking.map(({ label, value, previous, is_own: isOwn, is_worst: isWorst }) => {
    const token = isWorst === true ? 'negative' : isOwn ? 'own' : 'ownsoft';
    return barOf({ label: texts.plainLabel(label), value, previous, token }, format);
  });
  const groups: LegendItem[] = [
    { label: 'Most visible', token: 'ownsoft', shape: 'box' },
    { label: 'Least visible', token: 'negative', shape: 'box' },
  ];
  return barsChart({
    ...words,
    title: withWindow(title, ranking[0]),
    legend: [
      ...groups.filter(() => ranking.some(({ is_worst: isWorst }) => isWorst)),
      ...previousLegend(rows, words.columns[2]),
    ],
    noData: texts.noDataOf(data, endpoint),
    rows,
  });
}

const WHY_LEGEND: readonly LegendItem[] = [
  { label: 'Real rise', token: 'good', shape: 'box' },
  { label: 'Real fall', token: 'bad', shape: 'box' },
  { label: 'Real change, not clear', token: 'ink', shape: 'box' },
  { label: 'Changed prompts, models or monitors', token: 'rival3', shape: 'box' },
  { label: 'The same change by prompt', token: 'other', shape: 'box' },
];

/** Why visibility moved: the parts of its change, then the prompts that moved it most, over the longest window that the range holds; without one, over the shortest that there is. */
export function whyChart(data: ChartData, range: Range): Chart {
  const known = data.why.map(({ window_days: window }) => window);
  const fitting = known.filter((window) => window <= range.days);
  const chosen = fitting.length > 0 ? Math.max(...fitting) : Math.min(...known);
  const why = data.why.filter(({ window_days: window }) => window === chosen);
  const change = data.kpis.find(
    ({ measure, window_days: window }) => measure === 'visibility' && window === chosen,
  );
  const isClear = change?.is_changed === true ? change.real_is_clear : change?.is_clear === true;
  const rows = why.map(({ kind, label, points, ...row }): BarRow => {
    const words = kind === 'part' ? (texts.PART_WORDS[label] ?? label) : texts.plainLabel(label);
    const text = inPoints(points);
    const isReal = kind === 'part' && label === 'real_change';
    const real = !isClear ? 'ink' : points > 0 ? 'good' : 'bad';
    return {
      label: words,
      ends: [Math.min(0, points), Math.max(0, points)],
      previous: null,
      text,
      token: kind === 'prompt' ? 'other' : isReal ? real : 'rival3',
      cells: [words, text, texts.formatScore(row.visibility_before), texts.formatScore(row.visibility_after)],
    };
  });
  const [first] = why;
  const isAll = chosen === range.days;
  const parts = rows.filter((_, index) => why[index]?.kind === 'part');
  const said = parts.map(({ label, text }) => `${label.toLowerCase()} ${text}`).join(', ');
  const shown = first && { window_start: first.after_from, window_end: first.after_to };
  const before = first && texts.formatDays(first.before_from, first.before_to);
  return barsChart({
    title: withWindow('Why visibility moved', shown),
    subtitle: first ? `${inPoints(first.change)} points against ${before}: ${said}` : '',
    legend: WHY_LEGEND.filter(({ token }) => rows.some((row) => row.token === token)),
    note: `Points of the visibility score. The upper bars add up to the change; the grey bars show which prompts moved it most.${isAll ? '' : ` Why it moved over ${range.days} days takes prompt lists of twice as many.`}`,
    noData: texts.noDataOf(data, 'prompts'),
    columns: ['Part', 'Points', 'Visibility before', 'After'],
    rows,
    hasAxis: true,
  });
}

function inPoints(points: number): string {
  return texts.withSign(points, (size) => size.toFixed(1));
}
