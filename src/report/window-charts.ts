import type { Chart, LegendItem, Range, Drawing } from './chart.ts';
import type { ChartData, Ranked } from './read-projects.ts';
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
  textWidth,
  withSign,
  fitText,
  wrapText,
} from './text.ts';
import { niceTicks, sumOf } from './draw-time.ts';
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

/** Labels cut to `width`; those that would look the same leave out the words that they begin with alike. */
export function tellApart(labels: readonly string[], width: number): string[] {
  const cut = labels.map((label) => fitText(label, width, FONT));
  return labels.map((label, index) => {
    const twins = labels.filter((other, at) => other !== label && cut[at] === cut[index]);
    if (twins.length === 0) return cut[index] ?? label;
    const words = label.split(' ');
    const shared = Math.max(
      ...twins.map((twin) => {
        const others = twin.split(' ');
        return words.findIndex((word, at) => word !== others[at]);
      }),
    );
    return shared < 1 ? (cut[index] ?? label) : fitText(`… ${words.slice(shared).join(' ')}`, width, FONT);
  });
}

/** Bars from most to least, value right; the label left or, where one would be cut, above. A tick marks the period before. */
function drawBars(rows: readonly BarRow[], width: number): Drawing {
  const beside = Math.round(width * (width < 420 ? 0.38 : 0.42));
  const isCut = rows.some(({ label }) => textWidth(label, FONT) > beside - 12);
  const left = isCut ? 0 : beside;
  const labels = tellApart(
    rows.map(({ label }) => label),
    isCut ? width : left - 12,
  );
  const height = isCut ? ROW + LABEL : ROW;
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
    const label = isCut
      ? markup`<text x="0" y="${top - 6}" fill="${ink('ink')}">${labels[index] ?? ''}</text>`
      : markup`<text x="${left - 8}" y="${top + 11}" text-anchor="end" fill="${ink('ink')}">${labels[index] ?? ''}</text>`;
    return markup`<g class="tip"><title>${row.tip}</title><rect x="0" y="${index * height}" width="${width}" height="${height}" fill="transparent"/>${label}<rect x="${left}" y="${top}" width="${rounded(length)}" height="${BAR}" rx="2" fill="${ink(row.token)}"/>${tick}<text x="${rounded(end)}" y="${top + 11}">${row.valueText}</text></g>`;
  });
  return { width, height: rows.length * height + 4, marks: markup`${marks}` };
}

interface EffectRow {
  label: string;
  date: string;
  effect: number;
  low: number;
  high: number;
  effectText: string;
  token: Token;
  tip: string;
}

const STEP = 40;

/** An effect on a shared scale around 0 with its interval, the label above it. */
function drawEffects(rows: readonly EffectRow[], width: number): Drawing {
  const right = 60;
  const left = 8;
  const inner = width - left - right;
  const low = Math.min(0, ...rows.map((row) => row.low));
  const span = Math.max(0, ...rows.map((row) => row.high)) - low || 1;
  const x = (value: number): string => rounded(left + ((value - low) / span) * inner);
  const bottom = rows.length * STEP;
  const ticks = niceTicks([low, low + span], Math.max(2, Math.floor(inner / 90))).map(
    (value) =>
      markup`<path d="${rows.map((_, index) => `M${x(value)},${index * STEP + 19}v18`).join('')}" stroke="${ink(value === 0 ? 'muted' : 'line')}"/><text x="${x(value)}" y="${bottom + 16}" text-anchor="middle">${value === 0 ? '0' : withSign(value, String)}</text>`,
  );
  const dateWidth = 88;
  const marks = rows.map((row, index) => {
    const y = index * STEP + 28;
    return markup`<g class="tip"><title>${row.tip}</title><rect x="0" y="${index * STEP}" width="${width}" height="${STEP}" fill="transparent"/><text x="${left}" y="${index * STEP + 14}">${row.date}</text><text x="${left + dateWidth}" y="${index * STEP + 14}" fill="${ink('ink')}">${fitText(row.label, width - left - dateWidth - 8, FONT)}</text><path d="M${x(row.low)},${y}H${x(row.high)}" stroke="${ink(row.token)}" stroke-width="3" stroke-opacity="0.45"/><circle cx="${x(row.effect)}" cy="${y}" r="4.5" fill="${ink(row.token)}"/><text x="${width - 4}" y="${y + 4}" text-anchor="end" fill="${ink(row.token)}" font-weight="600">${row.effectText}</text></g>`;
  });
  return { width, height: bottom + 22, marks: markup`${ticks}${marks}` };
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
    subtitle: `Share scale: answers that name the brand, percent; not the score${heatmap === null ? '' : ` · ${formatDays(heatmap.start, heatmap.end)}`}`,
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

/** What visibility did after bursts of completed actions, the clearest effects. */
export function impactChart({ impact }: ChartData): Chart {
  const rows = impact.map((burst) => {
    const { visibility_before: before, visibility_effect: effect } = burst;
    const signed = (value: number): string => withSign(value, (size) => formatScore(size, before));
    const label = plainLabel(burst.titles);
    const row = {
      label: burst.actions === 1 ? label : `${burst.actions} actions: ${label}`,
      date: formatDay(burst.first_date),
      effect,
      low: burst.visibility_effect_low,
      high: burst.visibility_effect_high,
      effectText: signed(effect),
      token: burst.is_clear ? (effect > 0 ? ('good' as const) : ('bad' as const)) : ('other' as const),
    };
    const [low, high] = [signed(row.low), signed(row.high)];
    const levels = [formatScore(before), formatScore(burst.visibility_after)] as const;
    const tip = `${formatDays(burst.first_date, burst.last_date)}: ${label}\nEffect ${row.effectText}, 95 % from ${low} to ${high}${burst.is_clear ? ', clear' : ''}\nMean of 14 days before ${levels[0]}, after ${levels[1]}${burst.other_actions_count === 0 ? '' : `\nOther actions in these days: ${burst.other_actions_count}`}${burst.prompt_set_changed ? '\nThe set of prompts changed in these days' : ''}`;
    const told = [
      burst.first_date,
      row.label,
      ...levels,
      row.effectText,
      `${low} to ${high}`,
      String(burst.other_actions_count),
      burst.is_clear ? 'yes' : 'no',
    ];
    return { ...row, tip, told, description: `${row.label}: ${row.effectText}, ${low} to ${high}.` };
  });
  const [first] = impact;
  const count =
    first === undefined
      ? ''
      : ` · ${rows.length} of ${first.bursts_count} shown, ${first.judged_count} judged, by date`;
  const notJudged = first?.not_judged ?? null;
  return {
    name: 'action-impact',
    title: 'Visibility after completed actions',
    subtitle: `Change of the score after a burst of actions, less slow trend and market, with its 95 % range${count}`,
    description: rows.map(({ description }) => description).join(' '),
    legend: [
      { label: 'Clear rise', token: 'good', shape: 'line' },
      { label: 'Clear fall', token: 'bad', shape: 'line' },
      { label: 'Not clear', token: 'other', shape: 'line' },
    ],
    note: `A change after an action is not proof that the action caused it.${notJudged === null ? '' : ` Not judged: ${notJudged}.`}`,
    isFixed: true,
    noData: 'No burst of completed actions can be judged yet.',
    table: () => ({
      columns: [
        { title: 'From' },
        { title: 'Actions' },
        ...['Before', 'After', 'Effect', '95 % range', 'Other actions'].map((title) => ({
          title,
          isNumber: true,
        })),
        { title: 'Clear' },
      ],
      rows: rows.map(({ told }) => told),
    }),
    draw: rows.length === 0 ? null : (width) => drawEffects(rows, width),
  };
}

interface RankingWords extends Pick<Chart, 'name' | 'title'> {
  /** What the bars say; the window follows. */
  unit: string;
  endpoint: string;
  format: (value: number | null) => string;
  /** Heads of the columns: the value, and the value of the period before. */
  value: string;
  previous?: string;
}

/** Bars about the newest window that is stored, whatever days are chosen. */
function rankingChart(data: ChartData, ranking: readonly Ranked[], words: RankingWords): Chart {
  const { name, title, format, previous = 'Window before' } = words;
  const rows = ranking.map((row): BarRow => ({
    label: plainLabel(row.label),
    value: row.value,
    valueText: format(row.value),
    previous: row.previous,
    token: row.is_worst === true ? 'negative' : row.is_own ? 'own' : 'ownsoft',
    tip: `${plainLabel(row.label)}: ${format(row.value)}; before: ${format(row.previous)}`,
  }));
  const [first] = ranking;
  const days = first === undefined ? [] : [formatDays(first.window_start, first.window_end)];
  return barsChart(
    {
      name,
      title,
      subtitle: [words.unit, ...days].join(' · '),
      isFixed: true,
      noData: noDataOf(data, words.endpoint),
    },
    rows,
    { value: words.value, previous },
  );
}

/** The most and the least visible prompts; each counts alike, whatever its volume. */
export function promptsChart(data: ChartData): Chart {
  const chart = rankingChart(data, data.prompts, {
    name: 'prompts',
    title: 'Most and least visible prompts',
    unit: 'Prompt scale: average visibility of a prompt as the prompt list gives it, not weighted by volume',
    endpoint: 'prompts',
    format: formatScore,
    value: 'Visibility',
    previous: 'Snapshot before',
  });
  if (!data.prompts.some(({ is_worst: isWorst }) => isWorst)) return chart;
  const groups: LegendItem[] = [
    { label: 'Most visible', token: 'ownsoft', shape: 'box' },
    { label: 'Least visible', token: 'negative', shape: 'box' },
  ];
  return { ...chart, legend: [...groups, ...chart.legend] };
}

export function domainsChart(data: ChartData): Chart {
  return rankingChart(data, data.domains, {
    name: 'cited-domains',
    title: 'Most cited domains',
    unit: 'Citations in AI answers',
    endpoint: 'domain_citations',
    format: formatCount,
    value: 'Citations',
  });
}

export function pagesChart(data: ChartData): Chart {
  return rankingChart(data, data.pages, {
    name: 'crawled-pages',
    title: 'Most crawled pages of your site',
    unit: 'Requests of AI crawlers',
    endpoint: 'crawler_top_pages',
    format: formatCount,
    value: 'Requests',
  });
}
