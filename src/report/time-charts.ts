import {
  actionWords,
  daysOf,
  describe,
  formatPercent,
  formatScore,
  frameOf,
  noDataOf,
  noMeanOf,
  overDays,
  plainLabel,
} from './text.ts';
import {
  glyphOf,
  type Chart,
  type ChartData,
  type Glyph,
  type LegendItem,
  type Line,
  type Range,
} from './chart.ts';
import { axisWords, drawTime, type TimeMark, domainOf } from './draw-time.ts';
import { type Band, weekBand, weekMeans, weekShares } from './week-figures.ts';
import { brandToken, type Token } from './style.ts';

function marksOf(data: ChartData, range: Range): TimeMark[] {
  return data.events
    .map((event) => ({ ...event, day: event.day - range.from }))
    .filter(({ day }) => day >= 0 && day < range.days)
    .map((event) => ({
      day: event.day,
      lane: event.type,
      shape: glyphOf(event),
      token: event.type === 'action' ? 'rival1' : 'muted',
    }));
}

function cut(figures: readonly (number | null)[], { from, days }: Range): (number | null)[] {
  return figures.slice(from, from + days);
}

/** What the marks of completed actions mean, where there are any. */
function actionsShown(data: ChartData, range: Range): ReadonlyMap<Glyph, string> {
  const shown = new Map<Glyph, string>();
  for (const event of data.events) {
    const day = event.day - range.from;
    if (event.type !== 'action' || day < 0 || day >= range.days) continue;
    const shape = glyphOf(event);
    shown.set(shape, `Action: ${actionWords(event.action ?? '')}`);
  }
  const sorted = new Map([...shown].toSorted(([, a], [, b]) => (a < b ? -1 : 1)));
  if (!sorted.delete('diamond')) return sorted;
  return sorted.set('diamond', sorted.size === 0 ? 'Completed action' : 'Other action');
}

/** The score of each day, its 7-day mean, and the dated events above it. */
export function visibilityChart(data: ChartData, range: Range): Chart {
  const daily = cut(data.daily.visibility, range);
  const means = weekMeans(data.daily.visibility, range);
  const marks = marksOf(data, range);
  const domain = domainOf(daily);
  const hasData = daily.some((figure) => figure !== null);
  const legend: LegendItem[] = [
    { label: '7-day mean', token: 'own', shape: 'line' },
    { label: 'Day', token: 'ownsoft', shape: 'thin' },
  ];
  for (const [shape, label] of actionsShown(data, range)) legend.push({ label, token: 'rival1', shape });
  if (marks.some(({ shape }) => shape === 'up'))
    legend.push({ label: 'Prompts added', token: 'muted', shape: 'up' });
  if (marks.some(({ shape }) => shape === 'down'))
    legend.push({ label: 'Prompts removed', token: 'muted', shape: 'down' });
  return {
    name: 'visibility',
    title: 'Visibility score, with dated events',
    subtitle: `Score scale: the API’s score, 0 to 100, all models together · ${daysOf(data, range)}${axisWords(domain)}`,
    description: `${describe('Visibility score', daily, formatScore)} ${marks.length} dated events are marked.`,
    legend,
    isWide: true,
    noData: noDataOf(data, 'visibility'),
    ...overDays(data, range, [
      { name: 'Visibility score', figures: daily, format: formatScore },
      { name: '7-day mean', figures: means, format: formatScore },
    ]),
    draw: hasData
      ? (width) =>
          drawTime({
            ...frameOf(data, range),
            width,
            height: width < 500 ? 240 : 280,
            domain,
            tickText: (value) => String(value),
            lines: [
              { figures: daily, token: 'ownsoft', weight: 1.25 },
              { figures: means, token: 'own', weight: 2.5 },
            ],
            marks,
          })
      : null,
  };
}

/** Lines by name, each a 7-day figure, labelled at their ends. */
function linesChart(
  data: ChartData,
  range: Range,
  chart: Pick<Chart, 'name' | 'title' | 'subtitle' | 'noData'> & {
    lines: {
      name: string;
      token: Token;
      weight: number;
      figures: (number | null)[];
      band?: Band | undefined;
    }[];
    format: (figure: number | null) => string;
  },
): Chart {
  const { lines, format, ...words } = chart;
  const shown = lines.filter(({ figures }) => figures.some((figure) => figure !== null));
  const domain = domainOf(
    shown.flatMap(({ figures, band }) => [...figures, ...(band?.low ?? []), ...(band?.high ?? [])]),
  );
  return {
    ...words,
    subtitle: `${words.subtitle}${axisWords(domain)}`,
    description: shown.map(({ name, figures }) => describe(name, figures, format)).join(' '),
    legend: [],
    ...overDays(
      data,
      range,
      shown.map(({ name, figures }) => ({ name, figures, format })),
    ),
    draw:
      shown.length === 0
        ? null
        : (width) =>
            drawTime({
              ...frameOf(data, range),
              width,
              height: 250,
              domain,
              tickText: (value) => String(value),
              lines: shown.map(({ name, ...line }) => ({ ...line, label: name })),
            }),
  };
}

const MAX_LINES = 6;

/** The score of each model: a rise of one model is not a rise of all. */
export function modelChart(data: ChartData, range: Range): Chart {
  const tokens: readonly Token[] = ['own', 'rival1', 'rival2', 'rival3', 'rival4', 'other'];
  return linesChart(data, range, {
    name: 'model-visibility',
    title: 'Visibility score by model',
    subtitle: `Score scale: the API’s score for each model, 7-day mean · ${daysOf(data, range)}`,
    noData: noMeanOf(data, 'visibility', data.models),
    format: formatScore,
    lines: data.models.slice(0, MAX_LINES).map(({ name, figures }, place) => ({
      name: plainLabel(name),
      token: tokens[place] ?? 'other',
      weight: 2,
      figures: weekMeans(figures, range),
    })),
  });
}

/** Share of organic responses that mention your brand. */
export function shareOfVoiceChart(data: ChartData, range: Range): Chart {
  const { mentions, responses } = data.daily;
  const daily = cut(mentions, range).map((count, index) => {
    const all = responses[range.from + index] ?? null;
    return count === null || all === null || all <= 0 ? null : (100 * count) / all;
  });
  const weekly = weekShares(mentions, responses, range).map((share) => (share === null ? null : 100 * share));
  const band = weekBand(mentions, responses, range);
  const domain = domainOf([...daily, ...band.low, ...band.high], { most: 100 });
  const hasData = daily.some((figure) => figure !== null);
  return {
    name: 'share-of-voice',
    title: 'Share of voice',
    subtitle: `Share scale: organic answers that name your brand, percent · ${daysOf(data, range)}${axisWords(domain)}`,
    description: describe('Share of voice', daily, formatPercent),
    legend: [
      { label: '7 days together', token: 'own', shape: 'line' },
      { label: '95 % interval of these 7 days', token: 'own', shape: 'band' },
      { label: 'Day', token: 'ownsoft', shape: 'thin' },
    ],
    noData: noDataOf(data, 'share_of_voice'),
    ...overDays(data, range, [
      { name: 'Share of voice', figures: daily, format: formatPercent },
      { name: '7 days together', figures: weekly, format: formatPercent },
      { name: '95 % from', figures: band.low, format: formatPercent },
      { name: '95 % to', figures: band.high, format: formatPercent },
    ]),
    draw: hasData
      ? (width) =>
          drawTime({
            ...frameOf(data, range),
            width,
            height: 250,
            domain,
            tickText: (value) => String(value),
            lines: [
              { figures: daily, token: 'ownsoft', weight: 1.25 },
              { figures: weekly, token: 'own', weight: 2.5, band },
            ],
          })
      : null,
  };
}

/** Own brand first, then those with most mentions. */
export function shownBrands(data: ChartData, most: number): (Line & { token: Token })[] {
  let place = -1;
  return data.brands.slice(0, most).map((brand) => {
    if (!brand.isOwn) place += 1;
    return { ...brand, name: plainLabel(brand.name), token: brandToken(brand.isOwn, place) };
  });
}

/** Share in all brand mentions, your brand and its rivals. */
export function brandTrendChart(data: ChartData, range: Range): Chart {
  return linesChart(data, range, {
    name: 'brand-mention-trend',
    title: 'Share of brand mentions over time',
    subtitle: `Mentions of a brand among those of all tracked brands, 7 days together, percent; yours with its 95 % interval · ${daysOf(data, range)}`,
    noData: noMeanOf(data, 'brand_visibility', data.brands),
    format: formatPercent,
    lines: shownBrands(data, 5).map(({ name, isOwn, token, figures }) => ({
      name,
      token,
      weight: isOwn ? 2.75 : 1.75,
      figures: weekShares(figures, data.daily.all_brand_mentions, range).map((share) =>
        share === null ? null : 100 * share,
      ),
      ...(isOwn ? { band: weekBand(figures, data.daily.all_brand_mentions, range) } : {}),
    })),
  });
}
