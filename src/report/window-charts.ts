import type { Chart, ChartData, LegendItem, Range, Ranking, Drawing } from './chart.ts';
import {
  daysOf,
  formatCount,
  formatDay,
  formatDays,
  formatPercent,
  formatScore,
  NO_FIGURE,
  noDataOf,
  plainLabel,
  withSign,
  fitText,
  wrapText,
} from './text.ts';
import { sumOf } from './draw-time.ts';
import { shownBrands } from './time-charts.ts';
import { markup } from './markup.ts';
import { ink, type Token } from './style.ts';

interface BarRow {
  label: string;
  value: number;
  valueText: string;
  /** Value of the period before, drawn as a tick. */
  previous: number | null;
  token: Token;
  tip: string;
}

const ROW = 26;
const BAR = 14;
const FONT = 12;
/** Height of a label that stands above its bar. */
const LABEL = 12;

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Whether labels that differ look the same once they are cut. */
function areAlike(labels: readonly string[], cut: readonly string[]): boolean {
  return new Set(cut).size < new Set(labels).size;
}

/** Bars from most to least, value right; the label left or, where labels would be cut alike, above. A tick marks the period before. */
function drawBars(rows: readonly BarRow[], width: number): Drawing {
  const beside = Math.round(width * (width < 420 ? 0.38 : 0.42));
  const isCutAlike = areAlike(
    rows.map(({ label }) => label),
    rows.map(({ label }) => fitText(label, beside - 12, FONT)),
  );
  const left = isCutAlike ? 0 : beside;
  const height = isCutAlike ? ROW + LABEL : ROW;
  const right = 74;
  const inner = width - left - right;
  const most = rows.reduce((a, row) => Math.max(a, row.value, row.previous ?? 0), 0) || 1;
  const marks = rows.map((row, index) => {
    const top = index * height + height - BAR - (ROW - BAR) / 2;
    const length = Math.max(1, (row.value / most) * inner);
    const before = row.previous === null ? null : left + (row.previous / most) * inner;
    const tick =
      before === null
        ? ''
        : markup`<path d="M${rounded(before)},${top - 3}v${BAR + 6}" stroke="${ink('ink')}" stroke-width="2"/>`;
    const end = Math.max(left + length, before ?? 0) + 7;
    const label = isCutAlike
      ? markup`<text x="0" y="${top - 6}" fill="${ink('ink')}">${fitText(row.label, width, FONT)}</text>`
      : markup`<text x="${left - 8}" y="${top + 11}" text-anchor="end" fill="${ink('ink')}">${fitText(row.label, left - 12, FONT)}</text>`;
    return markup`<g class="tip"><title>${row.tip}</title><rect x="0" y="${index * height}" width="${width}" height="${height}" fill="transparent"/>${label}<rect x="${left}" y="${top}" width="${rounded(length)}" height="${BAR}" rx="2" fill="${ink(row.token)}"/>${tick}<text x="${rounded(end)}" y="${top + 11}">${row.valueText}</text></g>`;
  });
  return { width, height: rows.length * height + 4, marks: markup`${marks}` };
}

interface StepRow {
  label: string;
  date: string;
  before: number;
  after: number;
  changeText: string;
  /** Its days are partly those of the row above. */
  sharesDays: boolean;
  token: Token;
  tip: string;
}

const STEP = 40;

/** A step from before to after on a shared scale, the label above it. */
function drawSteps(rows: readonly StepRow[], width: number): Drawing {
  const right = 64;
  const left = 8;
  const inner = width - left - right;
  const values = rows.flatMap(({ before, after }) => [before, after]);
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const span = values.reduce((a, b) => Math.max(a, b), -Infinity) - low || 1;
  const x = (value: number): number => left + ((value - low) / span) * inner;
  const marks = rows.map((row, index) => {
    const y = index * STEP + 28;
    const dateWidth = 88;
    const from = x(row.before);
    const to = x(row.after);
    const join = row.sharesDays
      ? markup`<path d="M1.5,${y - STEP}V${y}" stroke="${ink('muted')}" stroke-width="1.5"/>`
      : '';
    const head = to >= from ? -6 : 6;
    const arrow =
      Math.abs(to - from) < 4
        ? markup`<circle cx="${rounded(to)}" cy="${y}" r="3.5" fill="${ink(row.token)}"/>`
        : markup`<path d="M${rounded(from)},${y}H${rounded(to + head / 2)}" stroke="${ink(row.token)}" stroke-width="3"/><path d="M${rounded(to)},${y}l${head},-5v10Z" fill="${ink(row.token)}"/><circle cx="${rounded(from)}" cy="${y}" r="3.5" fill="${ink('card')}" stroke="${ink(row.token)}" stroke-width="2"/>`;
    return markup`<g class="tip"><title>${row.tip}</title><rect x="0" y="${index * STEP}" width="${width}" height="${STEP}" fill="transparent"/><text x="${left}" y="${index * STEP + 14}">${row.date}</text><text x="${left + dateWidth}" y="${index * STEP + 14}" fill="${ink('ink')}">${fitText(row.label, width - left - dateWidth - 8, FONT)}</text><path d="M${left},${y}H${width - right}" stroke="${ink('faint')}"/>${join}${arrow}<text x="${width - 4}" y="${y + 4}" text-anchor="end" fill="${ink(row.token)}" font-weight="600">${row.changeText}</text></g>`;
  });
  return { width, height: rows.length * STEP + 4, marks: markup`${marks}` };
}

interface GridRow {
  name: string;
  isOwn: boolean;
  cells: readonly (number | null)[];
}

const CELL = 27;
const HEAD_FONT = 11;
const HEATS = ['heat0', 'heat1', 'heat2', 'heat3', 'heat4', 'heat5'] as const;

/** Cells of brands by models, darker for more; an empty cell has no figure. */
function drawGrid(columns: readonly string[], rows: readonly GridRow[], width: number): Drawing {
  const left = Math.min(180, Math.round(width * 0.3));
  const step = (width - left) / Math.max(1, columns.length);
  const heads = columns.map((name) => wrapText(name, step - 6, HEAD_FONT).slice(0, 3));
  const top = heads.reduce((most, lines) => Math.max(most, lines.length), 1) * 13 + 8;
  const most = rows.flatMap(({ cells }) => cells).reduce<number>((a, cell) => Math.max(a, cell ?? 0), 0) || 1;
  const heading = heads.map((lines, column) =>
    lines.map(
      (line, index) =>
        markup`<text x="${Math.round(left + (column + 0.5) * step)}" y="${top - 8 - (lines.length - 1 - index) * 13}" text-anchor="middle" font-size="${HEAD_FONT}">${fitText(line, step - 2, HEAD_FONT)}</text>`,
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
          ? markup`<text x="${Math.round(x + step / 2)}" y="${y + 17}" text-anchor="middle">·</text>`
          : markup`<text x="${Math.round(x + step / 2)}" y="${y + 17}" text-anchor="middle" fill="${ink(`on${HEATS[heat] ?? 'heat0'}`)}">${value.toFixed(step < 44 ? 0 : 1)}</text>`;
      return markup`<g class="tip"><title>${row.name}, ${column}: ${value === null ? 'no figure' : formatPercent(value)}</title><rect x="${x + 1}" y="${y + 1}" width="${Math.max(1, Math.round(step) - 2)}" height="${CELL - 2}" rx="3" fill="${ink(value === null ? 'faint' : (HEATS[heat] ?? 'heat0'))}"/>${text}</g>`;
    });
    const weight = row.isOwn ? markup` font-weight="700"` : '';
    return markup`<text x="0" y="${y + 17}" fill="${ink('ink')}"${weight}>${fitText(row.name, left - 10, FONT)}</text>${cells}`;
  });
  return { width, height: top + rows.length * CELL + 2, marks: markup`${heading}${body}` };
}

type Words = Pick<Chart, 'name' | 'title' | 'subtitle' | 'noData' | 'isFixed'> & { note?: string };

function barsChart(
  words: Words,
  rows: readonly BarRow[],
  { previous, value }: { previous: string; value: string },
): Chart {
  const legend: LegendItem[] = rows.some((row) => row.previous !== null)
    ? [{ label: previous, token: 'ink', shape: 'tick' }]
    : [];
  return {
    ...words,
    description: `${words.title}: ${rows.map(({ label, valueText }) => `${label} ${valueText}`).join(', ')}.`,
    legend,
    table: () => ({
      columns: [{ title: 'Name' }, { title: value, isNumber: true }, { title: previous, isNumber: true }],
      rows: rows.map((row) => [
        row.label,
        row.valueText,
        row.previous === null ? NO_FIGURE : row.previous.toFixed(1).replace(/\.0$/, ''),
      ]),
    }),
    draw: rows.length === 0 ? null : (width) => drawBars(rows, width),
  };
}

/** Each brand's part in the mentions of the shown days, with the days before. */
export function brandShareChart(data: ChartData, range: Range): Chart {
  const before = { from: range.from - range.days, days: range.days };
  const hasBefore = before.from >= 0;
  const share = (figures: readonly (number | null)[], period: Range): number | null => {
    const all = sumOf(data.daily.all_brand_mentions, period).sum;
    return all === 0 ? null : (100 * sumOf(figures, period).sum) / all;
  };
  const rows = shownBrands(data, 8)
    .flatMap(({ name, token, figures }) => {
      const value = share(figures, range);
      if (value === null) return [];
      const previous = hasBefore ? share(figures, before) : null;
      const tip = `${name}: ${formatPercent(value)} of brand mentions; ${range.days} days before: ${formatPercent(previous)}`;
      return [{ label: name, value, valueText: formatPercent(value), previous, token, tip }];
    })
    .sort((a, b) => b.value - a.value);
  return barsChart(
    {
      name: 'brand-mention-share',
      title: 'Share of brand mentions',
      subtitle: `Mentions of a brand among those of all tracked brands, percent · ${daysOf(data, range)}`,
      noData: noDataOf(data, 'brand_visibility'),
    },
    rows,
    { value: 'Share', previous: `${range.days} days before` },
  );
}

/** Visibility of each brand in each model, newest window. */
export function heatmapChart(data: ChartData): Chart {
  const { heatmap } = data;
  const rows = (heatmap?.rows ?? []).slice(0, 12).map((row) => ({ ...row, name: plainLabel(row.name) }));
  const models = (heatmap?.models ?? []).map((name) => plainLabel(name));
  return {
    name: 'competitor-heatmap',
    title: 'Brands by model',
    subtitle: `Share of answers that name the brand, percent; not the visibility score${heatmap === null ? '' : ` · ${formatDays(heatmap.start, heatmap.end)}`}`,
    description: rows
      .map(
        ({ name, cells }) =>
          `${name}: ${cells.map((cell, index) => `${models[index] ?? ''} ${formatPercent(cell)}`).join(', ')}.`,
      )
      .join(' '),
    legend: [],
    isFixed: true,
    noData: noDataOf(data, 'competitor_heatmap'),
    table: () => ({
      columns: [{ title: 'Brand' }, ...models.map((title) => ({ title, isNumber: true }))],
      rows: rows.map(({ name, cells }) => [name, ...cells.map((cell) => formatPercent(cell))]),
    }),
    draw: rows.length === 0 ? null : (width) => drawGrid(models, rows, width),
  };
}

/** What visibility did around bursts of completed actions, the clearest changes. */
export function impactChart(data: ChartData): Chart {
  const rows = data.impact.map((burst) => {
    const change = burst.after - burst.before;
    const changeText = withSign(change, (size) => formatScore(size, burst.before));
    const label = plainLabel(burst.titles);
    const usual = burst.typical === null ? 'not known' : `±${formatScore(burst.typical, burst.before)}`;
    return {
      ...burst,
      label: burst.actions === 1 ? label : `${burst.actions} actions: ${label}`,
      date: formatDay(burst.first),
      changeText,
      token: burst.isClear ? (change > 0 ? ('good' as const) : ('bad' as const)) : ('other' as const),
      tip: `${formatDays(burst.first, burst.last)}: ${label}\n14 days before ${formatScore(burst.before)}, after ${formatScore(burst.after)} (${changeText}); usual ${usual}${burst.otherActions === 0 ? '' : `\nOther actions in these days: ${burst.otherActions}`}${burst.promptSetChanged ? '\nThe set of prompts changed in these days' : ''}`,
    };
  });
  return {
    name: 'action-impact',
    title: 'Visibility before and after completed actions',
    subtitle: 'Mean score of the 14 days before and after each burst of actions; the clearest, by date',
    description: rows.map(({ label, changeText }) => `${label}: ${changeText}.`).join(' '),
    legend: [
      { label: 'Clear: beyond the usual variation of the series', token: 'good', shape: 'line' },
      { label: 'Within the usual', token: 'other', shape: 'line' },
    ],
    note: `A change after an action is not proof that the action caused it.${rows.some(({ sharesDays }) => sharesDays) ? ' A line at the left joins bursts that share days: they stand beside the same change.' : ''}`,
    isFixed: true,
    noData: 'No burst of completed actions has 14 whole days before and after it.',
    table: () => ({
      columns: [
        { title: 'From' },
        { title: 'Actions' },
        ...['Before', 'After', 'Change', 'Usual', 'Other actions'].map((title) => ({
          title,
          isNumber: true,
        })),
        { title: 'Clear' },
      ],
      rows: rows.map((row) => [
        row.first,
        row.label,
        formatScore(row.before),
        formatScore(row.after),
        row.changeText,
        formatScore(row.typical, row.before),
        String(row.otherActions),
        row.isClear ? 'yes' : 'no',
      ]),
    }),
    draw: rows.length === 0 ? null : (width) => drawSteps(rows, width),
  };
}

function rankingRows(ranking: Ranking | null, format: (value: number | null) => string): BarRow[] {
  return (ranking?.rows ?? []).map((row) => ({
    label: plainLabel(row.label),
    value: row.value,
    valueText: format(row.value),
    previous: row.previous,
    token: row.isOwn ? 'own' : 'ownsoft',
    tip: `${plainLabel(row.label)}: ${format(row.value)}; before: ${format(row.previous)}`,
  }));
}

function windowOf(ranking: Ranking | null): string {
  return ranking === null ? '' : ` · ${formatDays(ranking.start, ranking.end)}`;
}

export function promptsChart(data: ChartData): Chart {
  return barsChart(
    {
      name: 'prompts',
      title: 'Most visible prompts',
      subtitle: `Average visibility of a prompt, as the prompt list gives it${data.prompts === null ? '' : ` on ${data.prompts.end}`}`,
      isFixed: true,
      noData: noDataOf(data, 'prompts'),
    },
    rankingRows(data.prompts, formatScore),
    { value: 'Visibility', previous: 'Snapshot before' },
  );
}

export function domainsChart(data: ChartData): Chart {
  return barsChart(
    {
      name: 'cited-domains',
      title: 'Most cited domains',
      subtitle: `Citations in AI answers${windowOf(data.domains)}`,
      isFixed: true,
      noData: noDataOf(data, 'domain_citations'),
    },
    rankingRows(data.domains, formatCount),
    { value: 'Citations', previous: 'Window before' },
  );
}

export function pagesChart(data: ChartData): Chart {
  return barsChart(
    {
      name: 'crawled-pages',
      title: 'Most crawled pages of your site',
      subtitle: `Requests of AI crawlers${windowOf(data.pages)}`,
      isFixed: true,
      noData: noDataOf(data, 'crawler_top_pages'),
    },
    rankingRows(data.pages, formatCount),
    { value: 'Requests', previous: 'Window before' },
  );
}
