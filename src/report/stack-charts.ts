import { addDays } from '../day.ts';
import type { Chart, ChartName, LegendItem, Range } from './chart.ts';
import type { ChartData, Line } from './read-projects.ts';
import { drawTime, periodsOf, sumOf } from './draw-time.ts';
import { daysOf, formatCount, formatDays, formatPercent, noDataOf, plainLabel } from './text.ts';
import type { Token } from './style.ts';
import { type Band, sharesOf } from './week-figures.ts';

interface Part {
  label: string;
  token: Token;
  /** Height of the part in each period; null where there is no figure. */
  heights: (number | null)[];
  /** The end of the stack that the part touches; its 95 % intervals are drawn about its other edge. */
  edge?: 'top' | 'bottom';
  band?: Band;
}

interface Stack extends Pick<Chart, 'name' | 'title' | 'subtitle' | 'noData' | 'note'> {
  periods: readonly Range[];
  parts: readonly Part[];
  format: (height: number | null) => string;
  most?: number;
}

/** How long a period is, in words. */
function periodWord({ days }: Range): string {
  return days <= 45 ? 'day' : days <= 400 ? 'week (from Monday)' : 'month';
}

function stackChart(data: ChartData, range: Range, { periods, parts, format, most, ...words }: Stack): Chart {
  const nameOf = ({ from, days }: Range): string =>
    formatDays(addDays(data.start, from), addDays(data.start, from + days - 1));
  const totals = periods.map((_, index) =>
    parts.reduce<number | null>((sum, { heights }) => {
      const height = heights[index] ?? null;
      return height === null ? sum : (sum ?? 0) + height;
    }, null),
  );
  const newest = totals.findLastIndex((total) => total !== null && total > 0);
  const textOf = ({ heights, band }: Part, index: number): string => {
    const height = heights[index] ?? null;
    const ends = [band?.low[index] ?? null, band?.high[index] ?? null].map(format).join(' to ');
    return band === undefined || height === null ? format(height) : `${format(height)} (95 %: ${ends})`;
  };
  const toldOf = (index: number): string[] => parts.map((part) => `${part.label} ${textOf(part, index)}`);
  return {
    ...words,
    subtitle: `${words.subtitle} · ${daysOf(data, range)}`,
    description:
      newest < 0
        ? `${words.title}: no figures.`
        : `${words.title}. Newest period: ${toldOf(newest).join(', ')}.`,
    legend: [
      ...parts.map(({ label, token }): LegendItem => ({ label, token, shape: 'box' })),
      ...(parts.some(({ band }) => band !== undefined)
        ? [{ label: '95 % interval', token: 'ink', shape: 'tick' } satisfies LegendItem]
        : []),
    ],
    table: () => ({
      columns: [{ title: 'Period' }, ...parts.map(({ label }) => ({ title: label, isNumber: true }))],
      rows: periods.map((period, index) => [nameOf(period), ...parts.map((part) => textOf(part, index))]),
    }),
    tip: (place) => {
      const day = range.from + Math.floor(place * range.days);
      const found = periods.findIndex(({ from, days }) => day >= from && day < from + days);
      const index = found < 0 ? periods.length - 1 : found;
      const period = periods[index] ?? { from: range.from, days: 1 };
      return {
        text: [nameOf(period), ...toldOf(index)].join('\n'),
        at: (period.from - range.from + period.days / 2) / range.days,
      };
    },
    draw:
      newest < 0
        ? null
        : (width) =>
            drawTime(data, range, {
              width,
              height: 250,
              domain: [0, most ?? totals.reduce<number>((a, total) => Math.max(a, total ?? 0), 0) * 1.04],
              lines: [],
              boxes: periods.flatMap(({ from, days }, index) => {
                const day = from - range.from;
                let low = 0;
                const boxes = parts.flatMap(({ token, heights }) => {
                  const height = heights[index] ?? null;
                  if (height === null || height === 0) return [];
                  low += height;
                  return [{ day, days, low: low - height, high: low, token }];
                });
                const whiskers = parts.flatMap(({ edge, band }) => {
                  const [from, to] = [band?.low[index] ?? null, band?.high[index] ?? null];
                  if (from === null || to === null) return [];
                  const place = { day: day + days * 0.47, days: days * 0.06, token: 'ink' as const };
                  return edge === 'top'
                    ? [{ ...place, low: low - to, high: low - from }]
                    : [{ ...place, low: from, high: to }];
                });
                return [...boxes, ...whiskers];
              }),
            }),
  };
}

/** Responses by sentiment, each period adding up to 100 percent. */
export function sentimentChart(data: ChartData, range: Range): Chart {
  const kinds = [
    { key: 'positive', label: 'Positive', edge: 'bottom' },
    { key: 'neutral', label: 'Neutral' },
    { key: 'unknown', label: 'Not known' },
    { key: 'negative', label: 'Negative', edge: 'top' },
  ] as const;
  const periods = periodsOf(data.start, range);
  const sums = kinds.map(({ key }) => periods.map((period) => sumOf(data.daily[key], period).sum));
  const totals = periods.map((_, index) => sums.reduce((sum, counts) => sum + (counts[index] ?? 0), 0));
  return stackChart(data, range, {
    name: 'sentiment-split',
    title: 'Sentiment of responses',
    subtitle: `Share of responses per ${periodWord(range)}, percent`,
    noData: noDataOf(data, 'response_sentiment'),
    note: 'Responses that do not name the brand have no known sentiment: that part follows visibility. The thin bars are 95 % intervals of the positive and the negative share.',
    periods,
    parts: kinds.map(({ key, label, ...ends }, place) => {
      const band = sharesOf(
        totals.map((whole, index) => (whole === 0 ? null : { part: sums[place]?.[index] ?? 0, whole })),
      );
      return { label, token: key, heights: band.figures, ...('edge' in ends ? { ...ends, band } : {}) };
    }),
    format: formatPercent,
    most: 100,
  });
}

const SOURCE_TOKENS: readonly Token[] = ['own', 'rival2', 'rival1', 'rival3'];

interface Traffic {
  name: ChartName;
  title: string;
  endpoint: string;
  /** What is counted. */
  unit: string;
  lines: readonly Line[];
}

/** Means of a day by source: the largest sources, then all others together. */
function trafficChart(data: ChartData, range: Range, { name, title, endpoint, unit, lines }: Traffic): Chart {
  const periods = periodsOf(data.start, range);
  const heightsOf = (added: readonly Line[]): (number | null)[] =>
    periods.map((period) =>
      added.reduce<number | null>((total, { figures }) => {
        const { sum, known } = sumOf(figures, period);
        return known === 0 ? total : (total ?? 0) + sum / known;
      }, null),
    );
  const parts = lines.slice(0, SOURCE_TOKENS.length).map((line, place) => ({
    label: plainLabel(line.name),
    token: SOURCE_TOKENS[place] ?? 'other',
    heights: heightsOf([line]),
  }));
  const rest = lines.slice(SOURCE_TOKENS.length);
  if (rest.length > 0) parts.push({ label: 'Others', token: 'other', heights: heightsOf(rest) });
  return stackChart(data, range, {
    name,
    title,
    subtitle: `${unit} a day, mean of each ${periodWord(range)}`,
    noData: noDataOf(data, endpoint),
    periods,
    parts,
    format: formatCount,
  });
}

/** Requests of AI crawlers to your site, by crawler. */
export function crawlersChart(data: ChartData, range: Range): Chart {
  return trafficChart(data, range, {
    name: 'ai-crawlers',
    title: 'AI crawlers on your site',
    endpoint: 'crawler_requests',
    unit: 'Requests',
    lines: data.crawlers,
  });
}

/** Visits that come from AI answers, by where they come from. */
export function visitsChart(data: ChartData, range: Range): Chart {
  return trafficChart(data, range, {
    name: 'ai-visits',
    title: 'Visits from AI answers',
    endpoint: 'visitor_visits',
    unit: 'Visits',
    lines: data.visitors,
  });
}
