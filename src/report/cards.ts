import { GLYPHS, ink, rangeDays, type Chart, type LegendItem, type Range } from './chart.ts';
import { markup, type Markup, textWidth, tableMarkup } from './text.ts';
import type { ChartData } from './read-projects.ts';
import * as timeCharts from './time-charts.ts';
import { brandShareChart, heatmapChart, impactChart, rankingChart, whyChart } from './window-charts.ts';

/** The last days of a project; 0: all. */
export function rangeOf({ days }: ChartData, wanted: number): Range {
  const shown = wanted === 0 ? days : Math.min(wanted, days);
  return { from: days - shown, days: shown };
}

/** Project and days: the head of every printed page, and the title of the page. */
export function pageHead(name: string, data: ChartData, wanted: number): string {
  return `${name}, ${rangeDays(data, rangeOf(data, wanted))}`;
}

type DrawChart = (data: ChartData, range: Range) => Chart | null;

/** The charts of a project by name, in the order of the page; null: the project has none of it. */
const CHARTS: Readonly<Record<string, DrawChart>> = {
  visibility: timeCharts.visibilityChart,
  'model-visibility': timeCharts.modelChart,
  'share-of-voice': timeCharts.shareOfVoiceChart,
  'brand-mention-trend': timeCharts.brandTrendChart,
  'brand-mention-share': brandShareChart,
  'competitor-heatmap': heatmapChart,
  'action-impact': impactChart,
  'sentiment-split': timeCharts.sentimentChart,
  'goal-sentiment': (data, range) => timeCharts.goalChart(data, range, 'sentiment'),
  'goal-net-sentiment': (data, range) => timeCharts.goalChart(data, range, 'net_sentiment_known'),
  'goal-citations': (data, range) => timeCharts.goalChart(data, range, 'citations'),
  prompts: (data, range) => (data.why.length === 0 ? rankingChart(data, 'prompts') : whyChart(data, range)),
  'cited-domains': (data) => rankingChart(data, 'domains'),
  'ai-crawlers': (data, range) => timeCharts.trafficChart(data, range, 'crawlers'),
  'ai-visits': (data, range) => timeCharts.trafficChart(data, range, 'visitors'),
  'crawled-pages': (data) => rankingChart(data, 'pages'),
};

/** The charts that every project has. */
export const CHART_NAMES = Object.keys(CHARTS).filter((name) => !name.startsWith('goal-'));

/** A chart with its name. */
export type NamedChart = Chart & { name: string };

export function chartsOf(data: ChartData, range: Range): NamedChart[] {
  return Object.entries(CHARTS).flatMap(([name, draw]) => {
    const chart = draw(data, range);
    return chart === null ? [] : { ...chart, name };
  });
}

/** The body of a card, its drawing as one `<svg>` element with an accessible name: identical here and in the page. */
export function cardBody(chart: Chart, cardWidth: number): Markup {
  const subtitle = markup`<p class="subtitle">${chart.subtitle}</p>`;
  if (chart.draw === null)
    return markup`${subtitle}<p class="empty"><strong>No data.</strong> ${chart.noData}</p>`;
  const { width, height, marks, plot } = chart.draw(cardWidth);
  const place = plot && markup` data-left="${plot.left}" data-inner="${Math.round(plot.width)}"`;
  const svg = markup`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-size="12" fill="${ink('muted')}" aria-label="${chart.title}"${place ?? ''}><desc>${chart.description}</desc>${marks}</svg>`;
  return markup`${subtitle}${legendList(chart.legend)}<div class="plot">${svg}</div>${chart.note === undefined ? '' : markup`<p class="note">${chart.note}</p>`}`;
}

/** The figures of a chart as a table. */
export function figuresTable({ columns, rows }: ReturnType<Chart['table']>, title: string): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Figures: ${title}">${tableMarkup(columns, rows)}</div>`;
}

/** A sample of the mark, 18 by 12 pixels. */
function sample({ shape, token }: LegendItem): Markup {
  const colour = ink(token);
  switch (shape) {
    case 'line':
      return markup`<path d="M1,6H17" stroke="${colour}" stroke-width="3" stroke-linecap="round" fill="none"/>`;
    case 'thin':
      return markup`<path d="M1,6H17" stroke="${colour}" stroke-width="1.5" fill="none"/>`;
    case 'dashes':
      return markup`<path d="M1,6H17" stroke="${colour}" stroke-width="1.5" stroke-dasharray="5 3" fill="none"/>`;
    case 'box':
      return markup`<rect x="3" y="1" width="12" height="10" rx="2" fill="${colour}"/>`;
    case 'band':
      return markup`<rect x="1" y="1" width="16" height="10" fill="${colour}" fill-opacity="0.18"/>`;
    case 'tick':
      return markup`<rect x="8" y="0" width="2.5" height="12" fill="${colour}"/>`;
    default:
      return markup`<path transform="translate(9,6)" d="${GLYPHS[shape].path}" fill="${colour}"/>`;
  }
}

/** The legend of a page. */
function legendList(items: readonly LegendItem[]): Markup {
  const entries = items.map(
    (item) =>
      markup`<li><svg width="18" height="12" viewBox="0 0 18 12" aria-hidden="true">${sample(item)}</svg>${item.label}</li>`,
  );
  return items.length === 0 ? markup`` : markup`<ul class="legend">${entries}</ul>`;
}

const FONT_SIZE = 12;
const LINE = 20;

/** The legend of a separate picture, in as many lines as `width` needs. */
export function legendRows(items: readonly LegendItem[], width: number): { rows: Markup; height: number } {
  let x = 0;
  let y = 0;
  const entries = items.map((item) => {
    const length = 24 + textWidth(item.label, FONT_SIZE) + 18;
    if (x > 0 && x + length > width) {
      x = 0;
      y += LINE;
    }
    const entry = markup`<g transform="translate(${x.toFixed(1)},${y})">${sample(item)}<text x="24" y="10" font-size="${FONT_SIZE}" fill="${ink('muted')}">${item.label}</text></g>`;
    x += length;
    return entry;
  });
  return { rows: markup`${entries}`, height: items.length === 0 ? 0 : y + LINE };
}
