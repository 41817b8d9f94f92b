import { addDays, type Day } from '../day.ts';
import type { Chart, ChartData, LegendItem, Line, Range } from './chart.ts';
import { drawTime, periodsOf, sumOf, type Period } from './draw-time.ts';
import {
  daysOf,
  formatCount,
  formatDay,
  formatDays,
  formatPercent,
  frameOf,
  noDataOf,
  plainLabel,
} from './text.ts';
import type { Token } from './style.ts';
import { wilson } from './week-figures.ts';

interface Part {
  label: string;
  token: Token;
  /** Height of the part in each period; null where there is no figure. */
  heights: (number | null)[];
  /** 95 % intervals of a part that touches an end of the stack; drawn about its other edge. */
  intervals?: { of: 'top' | 'bottom'; ends: ({ low: number; high: number } | null)[] };
}

interface Stack {
  words: Pick<Chart, 'name' | 'title' | 'subtitle' | 'noData'> & { note?: string };
  periods: readonly Period[];
  parts: readonly Part[];
  format: (height: number | null) => string;
  most?: number;
}

/** How long a period is, in words. */
function periodWord({ days }: Range): string {
  return days <= 45 ? 'day' : days <= 400 ? 'week (from Monday)' : 'month';
}

function stackChart(data: ChartData, range: Range, { words, periods, parts, format, most }: Stack): Chart {
  const dayAt = (day: number): Day => addDays(data.start, day);
  const nameOf = ({ from, days }: Period): string =>
    days === 1 ? formatDay(dayAt(from)) : formatDays(dayAt(from), dayAt(from + days - 1));
  const totals = periods.map((_, index) =>
    parts.reduce<number | null>((sum, { heights }) => {
      const height = heights[index] ?? null;
      return height === null ? sum : (sum ?? 0) + height;
    }, null),
  );
  const newest = totals.findLastIndex((total) => total !== null && total > 0);
  const textOf = ({ heights, intervals }: Part, index: number): string => {
    const ends = intervals?.ends[index];
    const range = ends ? ` (95 %: ${format(ends.low)} to ${format(ends.high)})` : '';
    return format(heights[index] ?? null) + range;
  };
  const toldOf = (index: number): string[] => parts.map((part) => `${part.label} ${textOf(part, index)}`);
  return {
    ...words,
    description:
      newest < 0
        ? `${words.title}: no figures.`
        : `${words.title}. Newest period: ${toldOf(newest).join(', ')}.`,
    legend: [
      ...parts.map(({ label, token }): LegendItem => ({ label, token, shape: 'box' })),
      ...(parts.some(({ intervals }) => intervals !== undefined)
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
            drawTime({
              ...frameOf(data, range),
              width,
              height: 250,
              domain: [0, most ?? totals.reduce<number>((a, total) => Math.max(a, total ?? 0), 0) * 1.04],
              tickText: (value) => formatCount(value),
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
                const whiskers = parts.flatMap(({ intervals }) => {
                  const ends = intervals?.ends[index];
                  if (!ends) return [];
                  const place = { day: day + days * 0.47, days: days * 0.06, token: 'ink' as const };
                  return intervals?.of === 'top'
                    ? [{ ...place, low: low - ends.high, high: low - ends.low }]
                    : [{ ...place, low: ends.low, high: ends.high }];
                });
                return [...boxes, ...whiskers];
              }),
            }),
  };
}

/** Responses by sentiment, each period adding up to 100 percent. */
export function sentimentChart(data: ChartData, range: Range): Chart {
  const kinds = [
    { key: 'positive', label: 'Positive' },
    { key: 'neutral', label: 'Neutral' },
    { key: 'unknown', label: 'Not known' },
    { key: 'negative', label: 'Negative' },
  ] as const;
  const periods = periodsOf(data.start, range);
  const sums = kinds.map(({ key }) => periods.map((period) => sumOf(data.daily[key], period)));
  const totals = periods.map((_, index) => sums.reduce((sum, one) => sum + (one[index]?.sum ?? 0), 0));
  return stackChart(data, range, {
    words: {
      name: 'sentiment-split',
      title: 'Sentiment of responses',
      subtitle: `Share of responses per ${periodWord(range)}, percent · ${daysOf(data, range)}`,
      noData: noDataOf(data, 'response_sentiment'),
      note: 'Responses that do not name the brand have no known sentiment: that part follows visibility. The thin bars are 95 % intervals of the positive and the negative share.',
    },
    periods,
    parts: kinds.map(({ key, label }, part) => {
      const shares = periods.map((_, index) => ({
        count: sums[part]?.[index]?.sum ?? 0,
        total: totals[index] ?? 0,
      }));
      const of = key === 'positive' ? 'bottom' : key === 'negative' ? 'top' : null;
      const ends = shares.map(({ count, total }) => (total === 0 ? null : wilson(count, total)));
      return {
        label,
        token: key,
        heights: shares.map(({ count, total }) => (total === 0 ? null : (100 * count) / total)),
        ...(of === null ? {} : { intervals: { of, ends } as const }),
      };
    }),
    format: formatPercent,
    most: 100,
  });
}

const SOURCE_TOKENS: readonly Token[] = ['own', 'rival2', 'rival1', 'rival3'];

function sourceParts(lines: readonly Line[], periods: readonly Period[]): Part[] {
  const mean = (line: Line, period: Period): number | null => {
    const { sum, known } = sumOf(line.figures, period);
    return known === 0 ? null : sum / known;
  };
  const shown = lines.slice(0, SOURCE_TOKENS.length);
  const rest = lines.slice(SOURCE_TOKENS.length);
  const parts: Part[] = shown.map((line, place) => ({
    label: plainLabel(line.name),
    token: SOURCE_TOKENS[place] ?? 'other',
    heights: periods.map((period) => mean(line, period)),
  }));
  if (rest.length > 0) {
    parts.push({
      label: 'Others',
      token: 'other',
      heights: periods.map((period) =>
        rest.reduce<number | null>((sum, line) => {
          const one = mean(line, period);
          return one === null ? sum : (sum ?? 0) + one;
        }, null),
      ),
    });
  }
  return parts;
}

/** Requests of AI crawlers to your site, by crawler. */
export function crawlersChart(data: ChartData, range: Range): Chart {
  const periods = periodsOf(data.start, range);
  return stackChart(data, range, {
    words: {
      name: 'ai-crawlers',
      title: 'AI crawlers on your site',
      subtitle: `Requests a day, mean of each ${periodWord(range)} · ${daysOf(data, range)}`,
      noData: noDataOf(data, 'crawler_requests'),
    },
    periods,
    parts: sourceParts(data.crawlers, periods),
    format: formatCount,
  });
}

/** Visits that come from AI answers, by where they come from. */
export function visitsChart(data: ChartData, range: Range): Chart {
  const periods = periodsOf(data.start, range);
  return stackChart(data, range, {
    words: {
      name: 'ai-visits',
      title: 'Visits from AI answers',
      subtitle: `Visits a day, mean of each ${periodWord(range)} · ${daysOf(data, range)}`,
      noData: noDataOf(data, 'visitor_visits'),
    },
    periods,
    parts: sourceParts(data.visitors, periods),
    format: formatCount,
  });
}
