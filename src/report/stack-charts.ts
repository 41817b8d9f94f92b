import type { Chart, ChartName, LegendItem, Range } from './chart.ts';
import type { ChartData, Line } from './read-projects.ts';
import { drawTime, periodsOf, sumOf } from './draw-time.ts';
import { daysOf, hasFigures, overTime, type Series } from './series.ts';
import { formatCount, formatPercent, noDataOf, plainLabel } from './text.ts';
import type { Token } from './style.ts';
import { sharesOf } from './week-figures.ts';

interface Part extends Series {
  /** The end of the stack that the part touches; its 95 % intervals are drawn about its other edge. */
  edge?: 'top' | 'bottom';
}

interface Stack extends Pick<Chart, 'name' | 'title' | 'subtitle' | 'noData' | 'note'> {
  periods: readonly Range[];
  parts: readonly Part[];
  format: (height: number | null) => string;
  most?: number;
}

/** How long a period is, in words. */
function periodWord({ days }: Range): 'day' | 'week' | 'month' {
  return days <= 45 ? 'day' : days <= 400 ? 'week' : 'month';
}

/** The days that the bars cover. */
function daysCovered(data: ChartData, periods: readonly Range[], range: Range): string {
  const from = periods[0]?.from ?? range.from;
  return daysOf(data, { from, days: range.from + range.days - from });
}

function stackChart(data: ChartData, range: Range, { periods, parts, format, most, ...words }: Stack): Chart {
  const tops = periods.map((_, index) => parts.reduce((sum, { figures }) => sum + (figures[index] ?? 0), 0));
  return {
    ...words,
    subtitle: `${words.subtitle} · ${daysCovered(data, periods, range)}`,
    legend: [
      ...parts.map(({ name, token }): LegendItem => ({ label: name, token, shape: 'box' })),
      ...(parts.some(({ band }) => band !== undefined)
        ? [{ label: '95% range', token: 'ink', shape: 'tick' } satisfies LegendItem]
        : []),
    ],
    ...overTime(data, range, { periods, series: parts, format }),
    draw: !parts.some(hasFigures)
      ? null
      : (width) =>
          drawTime(data, range, {
            width,
            height: 250,
            domain: [0, most ?? (Math.max(...tops) * 1.04 || 1)],
            lines: [],
            boxes: periods.flatMap(({ from, days }, index) => {
              const day = from - range.from;
              let low = 0;
              const boxes = parts.flatMap(({ token, figures }) => {
                const height = figures[index] ?? 0;
                if (height === 0) return [];
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
    { key: 'unknown', label: 'Unknown' },
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
    note: 'Responses that do not mention the brand have no known sentiment, so that part follows visibility. Thin bars show the 95% range of the positive and the negative share.',
    periods,
    parts: kinds.map(({ key, label, ...ends }, place) => {
      const band = sharesOf(
        totals.map((whole, index) => (whole === 0 ? null : { part: sums[place]?.[index] ?? 0, whole })),
      );
      return { name: label, token: key, figures: band.figures, ...('edge' in ends ? { ...ends, band } : {}) };
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
    name: plainLabel(line.name),
    token: SOURCE_TOKENS[place] ?? 'other',
    figures: heightsOf([line]),
  }));
  const rest = lines.slice(SOURCE_TOKENS.length);
  if (rest.length > 0) parts.push({ name: 'Others', token: 'other', figures: heightsOf(rest) });
  return stackChart(data, range, {
    name,
    title,
    subtitle:
      periodWord(range) === 'day'
        ? `${unit} per day`
        : `${unit} per day, average of each ${periodWord(range)}`,
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
