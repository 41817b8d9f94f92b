import type { Chart, ChartData, LegendItem, Range, Ranking } from './chart.ts';
import { drawBars, drawGrid, drawSteps, type BarRow } from './draw-window.ts';
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
} from './text.ts';
import { sumOf } from './scale.ts';
import { shownBrands } from './time-charts.ts';

type Words = Pick<Chart, 'name' | 'title' | 'subtitle' | 'noData'> & { note?: string };

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
      noData: noDataOf(data, 'crawler_top_pages'),
    },
    rankingRows(data.pages, formatCount),
    { value: 'Requests', previous: 'Window before' },
  );
}
