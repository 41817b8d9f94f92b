import { formatPercent, formatScore, NO_FIGURE, NO_MEAN, noDataOf, plainLabel, formatCount } from './text.ts';
import { glyphOf, overTime, rangeDays, sharesOf, weekMeans, weekShares } from './chart.ts';
import type { Chart, LegendItem, Range, Series, Token } from './chart.ts';
import type { ChartData, Line } from './read-projects.ts';
import { goalOf, KEY_FIGURES } from './key-figures.ts';
import { axisWords, drawTime, type TimeMark, domainOf, periodsOf, sumOf } from './draw-time.ts';

function hasFigures({ figures }: Series): boolean {
  return figures.some((figure) => figure !== null);
}

const RIVALS: readonly Token[] = ['rival1', 'rival2', 'rival3', 'rival4'];

/** The colour of your brand, or of a rival by its rank. */
function brandToken(isOwn: boolean, place: number): Token {
  return isOwn ? 'own' : (RIVALS[place] ?? 'other');
}

interface Lines extends Pick<Chart, 'title' | 'subtitle' | 'noData' | 'isWide'> {
  lines: (Series & { weight: number })[];
  format: (figure: number | null) => string;
  /** Events, with their words in the legend. */
  marks?: readonly (TimeMark & LegendItem)[];
  /** The end of the scale. */
  most?: number;
  goal?: Goal;
}

type Goal = ReturnType<typeof goalOf>;

function goalLegend(goal: Goal = null): LegendItem[] {
  return goal === null ? [] : [{ label: goal.words, token: 'ink', shape: 'dashes' }];
}

/** Lines over the days of a range; one without a figure is left out. */
function linesChart(data: ChartData, range: Range, parts: Lines): Chart {
  const { lines: all, format, marks = [], most, goal, ...words } = parts;
  const lines = all.filter(hasFigures);
  const kinds = [...new Map(marks.map((mark) => [mark.shape, mark])).values()];
  const known = lines.flatMap(({ figures, band }) => [figures, band?.low ?? [], band?.high ?? []].flat());
  const domain = domainOf([...known, goal?.value ?? null], most);
  return {
    ...words,
    subtitle: `${words.subtitle} · ${rangeDays(data, range)}${axisWords(domain)}`,
    legend: [
      ...lines.map(({ name: label, token, weight }): LegendItem => {
        const shape = weight < THIN ? 'thin' : 'line';
        return { label, token, shape };
      }),
      ...lines.flatMap(({ token, band }): LegendItem[] =>
        band === undefined ? [] : [{ label: '95% range', token, shape: 'band' }],
      ),
      ...goalLegend(goal),
      ...kinds.toSorted((a, b) => (a.label < b.label ? -1 : 1)),
    ],
    ...overTime(data, range, { series: lines, format }),
    draw:
      lines.length === 0
        ? null
        : (width) => {
            const height = words.isWide !== true ? 250 : width < 500 ? 240 : 280;
            return drawTime(data, range, { width, height, domain, lines, marks, goal: goal?.value });
          },
  };
}

/** Lines below this weight are the days behind a mean. */
const THIN = 1.5;

function cut(figures: readonly (number | null)[], { from, days }: Range): (number | null)[] {
  return figures.slice(from, from + days);
}

/** The score of each day, its 7-day mean, and the dated events above it. */
export function visibilityChart(data: ChartData, range: Range): Chart {
  const shown = data.events.filter(({ day }) => day >= range.from && day < range.from + range.days);
  const marks = shown.map((event): TimeMark & LegendItem => {
    const place = { day: event.day - range.from, shape: glyphOf(event) };
    return place.shape === 'diamond'
      ? { ...place, token: 'rival1', label: 'Completed action' }
      : { ...place, token: 'muted', label: 'Prompts, models or monitors changed' };
  });
  const { visibility } = data.daily;
  return linesChart(data, range, {
    title: 'Visibility score and events',
    subtitle: 'The API’s score from 0 to 100, all models together',
    noData: noDataOf(data, 'visibility'),
    isWide: true,
    format: formatScore,
    lines: [
      { name: 'Visibility score', figures: cut(visibility, range), token: 'ownsoft', weight: 1.25 },
      { name: '7-day average', figures: weekMeans(visibility, range), token: 'own', weight: 2.5 },
    ],
    marks,
    goal: goalOf(data, 'visibility'),
  });
}

const MAX_LINES = 6;

/** The score of each model: a rise of one model is not a rise of all. */
export function modelChart(data: ChartData, range: Range): Chart {
  return linesChart(data, range, {
    title: 'Visibility score by model',
    subtitle: 'The API’s score from 0 to 100, 7-day average',
    noData: noDataOf(data, 'visibility', NO_MEAN),
    format: formatScore,
    lines: data.models.slice(0, MAX_LINES).map(({ name, figures }, place) => ({
      name: plainLabel(name),
      token: brandToken(place === 0, place - 1),
      weight: 2,
      figures: weekMeans(figures, range),
    })),
  });
}

/** Share of organic responses that mention your brand. */
export function shareOfVoiceChart(data: ChartData, range: Range): Chart {
  const { mentions, responses, share_of_voice: share } = data.daily;
  const week = weekShares(mentions, responses, range);
  return linesChart(data, range, {
    title: 'Share of voice',
    subtitle: 'Organic answers that mention your brand, percent',
    noData: noDataOf(data, 'share_of_voice'),
    format: formatPercent,
    lines: [
      { name: 'Share of voice', figures: cut(share, range), token: 'ownsoft', weight: 1.25 },
      { name: '7-day share', figures: week.figures, token: 'own', weight: 2.5, band: week },
    ],
    most: 100,
    goal: goalOf(data, 'share_of_voice'),
  });
}

const GOAL_ENDPOINTS = {
  sentiment: 'sentiment',
  net_sentiment_known: 'response_sentiment',
  citations: 'citation_ranks',
} as const;

/** A measure that no other chart shows; null without a goal. */
export function goalChart(data: ChartData, range: Range, key: keyof typeof GOAL_ENDPOINTS): Chart | null {
  const goal = goalOf(data, key);
  const measure = KEY_FIGURES.find((one) => one.key === key);
  if (goal === null || measure === undefined) return null;
  const { title, hint, format } = measure;
  const daily = data.daily[key];
  return linesChart(data, range, {
    title,
    subtitle: `${hint.charAt(0).toUpperCase()}${hint.slice(1)}`,
    noData: noDataOf(data, GOAL_ENDPOINTS[key]),
    format: (figure) => (figure === null ? NO_FIGURE : format(figure)),
    lines: [
      { name: title, figures: cut(daily, range), token: 'ownsoft', weight: 1.25 },
      { name: '7-day average', figures: weekMeans(daily, range), token: 'own', weight: 2.5 },
    ],
    goal,
  });
}

/** Own brand first, then those with most mentions. */
export function shownBrands(data: ChartData, most: number): (Line & { token: Token })[] {
  let place = -1;
  return data.brands.slice(0, most).map((brand) => {
    if (!brand.is_own) place += 1;
    return { ...brand, name: plainLabel(brand.name), token: brandToken(brand.is_own, place) };
  });
}

/** Share in all brand mentions, your brand and its rivals. */
export function brandTrendChart(data: ChartData, range: Range): Chart {
  return linesChart(data, range, {
    title: 'Share of brand mentions over time',
    subtitle: 'Share of all mentions of tracked brands over 7 days, percent; your brand with its 95% range',
    noData: noDataOf(data, 'brand_visibility', NO_MEAN),
    format: formatPercent,
    lines: shownBrands(data, 5).map(({ name, is_own: isOwn, token, figures }) => {
      const week = weekShares(figures, data.daily.all_brand_mentions, range);
      const line = { name, token, figures: week.figures };
      return isOwn ? { ...line, weight: 2.75, band: week } : { ...line, weight: 1.75 };
    }),
  });
}

interface Stack extends Pick<Chart, 'title' | 'subtitle' | 'noData' | 'note'> {
  periods: readonly Range[];
  parts: readonly (Series & {
    /** The end of the stack that the part touches; its 95 % intervals are drawn about its other edge. */
    edge?: 'top' | 'bottom';
  })[];
  format: (height: number | null) => string;
  most?: number;
  goal?: Goal;
}

/** How long a period is, in words. */
function periodWord({ days }: Range): 'day' | 'week' | 'month' {
  return days <= 45 ? 'day' : days <= 400 ? 'week' : 'month';
}

function stackChart(
  data: ChartData,
  range: Range,
  { periods, parts, format, most, goal, ...words }: Stack,
): Chart {
  const start = periods[0]?.from ?? range.from;
  const heights = periods.map((_, index) => parts.map(({ figures }) => figures[index] ?? 0));
  const tops = heights.map((ones) => ones.reduce((sum, height) => sum + height, 0));
  const domain = [0, most ?? (Math.max(...tops, goal?.value ?? 0) * 1.04 || 1)] as const;
  const legend = parts.map(({ name, token }): LegendItem => ({ label: name, token, shape: 'box' }));
  if (parts.some(({ band }) => band !== undefined))
    legend.push({ label: '95% range', token: 'ink', shape: 'tick' });
  legend.push(...goalLegend(goal));
  const boxes = periods.flatMap(({ from, days }, index) => {
    const day = from - range.from;
    let low = 0;
    const stacked = parts.map(({ token, figures }) => {
      const height = figures[index] ?? 0;
      low += height;
      return { day, days, low: low - height, high: low, token };
    });
    const whiskers = parts.flatMap(({ edge, band }) => {
      const [from, to] = [band?.low[index] ?? null, band?.high[index] ?? null];
      if (from === null || to === null) return [];
      const ends = edge === 'top' ? { low: low - to, high: low - from } : { low: from, high: to };
      return [{ day: day + days * 0.47, days: days * 0.06, token: 'ink' as const, ...ends }];
    });
    return [...stacked.filter((box) => box.high > box.low), ...whiskers];
  });
  return {
    ...words,
    subtitle: `${words.subtitle} · ${rangeDays(data, { from: start, days: range.from + range.days - start })}`,
    legend,
    ...overTime(data, range, { periods, series: parts, format }),
    draw: parts.some(hasFigures)
      ? (width) => drawTime(data, range, { width, height: 250, domain, lines: [], boxes, goal: goal?.value })
      : null,
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
    title: 'Sentiment of responses',
    subtitle: `Share of responses per ${periodWord(range)}, percent`,
    noData: noDataOf(data, 'response_sentiment'),
    note: 'Responses that do not mention the brand have no known sentiment, so that part follows visibility. Thin bars show the 95% range of the positive and the negative share.',
    periods,
    parts: kinds.map(({ key, label, ...ends }, place) => {
      const counts = sums[place] ?? [];
      const band = sharesOf(
        totals.map((whole, at) => (whole === 0 ? null : { part: counts[at] ?? 0, whole })),
      );
      return { name: label, token: key, figures: band.figures, ...('edge' in ends ? { ...ends, band } : {}) };
    }),
    format: formatPercent,
    most: 100,
  });
}

const SOURCE_TOKENS: readonly Token[] = ['own', 'rival2', 'rival1', 'rival3'];

const TRAFFIC = {
  crawlers: {
    title: 'AI crawlers on your site',
    endpoint: 'crawler_requests',
    measure: 'crawler_requests',
    unit: 'Requests',
  },
  visitors: {
    title: 'Visits from AI answers',
    endpoint: 'visitor_visits',
    measure: 'ai_visits',
    unit: 'Visits',
  },
} as const;

/** Means of a day by source: the largest sources, then all others together. */
export function trafficChart(data: ChartData, range: Range, kind: keyof typeof TRAFFIC): Chart {
  const { endpoint, measure, unit, ...words } = TRAFFIC[kind];
  const lines = data[kind];
  const periods = periodsOf(data.start, range);
  const heightsOf = (added: readonly Line[]): (number | null)[] =>
    periods.map((period) => {
      const known = added.map(({ figures }) => sumOf(figures, period)).filter((one) => one.known > 0);
      return known.length === 0 ? null : known.reduce((total, one) => total + one.sum / one.known, 0);
    });
  const parts = lines.slice(0, SOURCE_TOKENS.length).map((line, place) => ({
    name: plainLabel(line.name),
    token: SOURCE_TOKENS[place] ?? 'other',
    figures: heightsOf([line]),
  }));
  const rest = lines.slice(SOURCE_TOKENS.length);
  if (rest.length > 0) parts.push({ name: 'Others', token: 'other', figures: heightsOf(rest) });
  const word = periodWord(range);
  return stackChart(data, range, {
    ...words,
    subtitle: `${unit} per day${word === 'day' ? '' : `, average of each ${word}`}`,
    noData: noDataOf(data, endpoint),
    periods,
    parts,
    goal: goalOf(data, measure),
    format: formatCount,
  });
}
