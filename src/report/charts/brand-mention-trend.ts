import type { Chart, Size, Spec } from '../chart.ts';
import { fitText, plainLabel } from '../label.ts';
import { noDataReason } from '../no-data.ts';
import { formatDay, formatDays, formatPercent } from '../numbers.ts';
import { ink, type Token } from '../palette.ts';
import { FONT_SIZE, wordLayer } from '../plot.ts';
import type { ProjectData } from '../project-data.ts';
import type { BrandDayRow } from '../rows.ts';
import { domainOf, lineLayers, timeSpec } from '../time-plot.ts';
import { brandColours } from './brand-colours.ts';
import { spread } from './spread.ts';

const MOST_OTHERS = 4;
const HEIGHT = 220;

interface Line {
  name: string;
  token: Token;
  isOwn: boolean;
  days: BrandDayRow[];
}

/** Share of mentions over time: the own brand and the four most mentioned others. */
export function brandMentionTrendChart(data: ProjectData): Chart {
  const lines = linesOf(data);
  const known = lines.flatMap(({ days }) => days.map((day) => day.share_7_day_pct));
  const dates = lines[0]?.days.map(({ date }) => date) ?? [];
  const at = (line: Line, index: number): string => formatPercent(line.days[index]?.share_7_day_pct ?? null);
  return {
    name: 'brand-mention-trend',
    title: 'Share of brand mentions over time',
    subtitle: `Own brand and the most mentioned others, 7 days together, percent · ${formatDays(data.start, data.end)}`,
    description: `Share of brand mentions, ${formatDays(data.start, data.end)}, newest: ${lines.map((line) => `${line.name} ${at(line, line.days.length - 1)}`).join(', ') || 'no figures'}.`,
    legend: [],
    table: {
      columns: [{ title: 'Day' }, ...lines.map(({ name }) => ({ title: name, isNumber: true }))],
      rows: dates.map((date, index) => [date, ...lines.map((line) => at(line, index))]),
    },
    marksPending: true,
    noData: noDataReason(data, 'brand_visibility'),
    draw: known.some((value) => value !== null)
      ? (size) =>
          draw(lines, size, {
            data,
            domain: domainOf(known, { fromZero: true }),
            tips: dates.map((date, index) => ({
              date,
              text: [formatDay(date), ...lines.map((line) => `${line.name} ${at(line, index)}`)].join('\n'),
            })),
          })
      : null,
  };
}

function linesOf(data: ProjectData): Line[] {
  const colours = brandColours(data);
  const listed = data.brands.filter(({ relation }) => relation !== 'IGNORED');
  const chosen = [
    ...listed.filter((brand) => brand.is_own_brand).slice(0, 1),
    ...listed.filter((brand) => !brand.is_own_brand).slice(0, MOST_OTHERS),
  ];
  return chosen.map((brand) => ({
    name: plainLabel(brand.brand_name),
    token: colours.get(brand.brand_id) ?? 'other',
    isOwn: brand.is_own_brand,
    days: data.brandDays.filter((day) => day.brand_id === brand.brand_id),
  }));
}

function draw(
  lines: readonly Line[],
  size: Size,
  {
    data,
    domain,
    tips,
  }: { data: ProjectData; domain: [number, number]; tips: { date: BrandDayRow['date']; text: string }[] },
): Spec {
  const right = size.name === 'narrow' ? 98 : 132;
  const left = size.name === 'narrow' ? 38 : 46;
  const place = (value: number): number => HEIGHT - ((value - domain[0]) / (domain[1] - domain[0])) * HEIGHT;
  const ends = lines.flatMap((line) => {
    const value = line.days.findLast((day) => day.share_7_day_pct !== null)?.share_7_day_pct ?? null;
    return value === null ? [] : [{ line, y: place(value) }];
  });
  const ys = spread(
    ends.map(({ y }) => y),
    15,
    HEIGHT,
  );
  const labels = ends.map(({ line }, index) => ({
    x: size.width - left - right + 7,
    y: ys[index] ?? 0,
    text: fitText(line.name, right - 10, line.isOwn ? FONT_SIZE * 1.1 : FONT_SIZE),
    token: line.token,
    isOwn: line.isOwn,
  }));
  return timeSpec({
    size,
    height: HEIGHT,
    start: data.start,
    end: data.end,
    pendingFrom: data.pendingFrom,
    padding: { left, right },
    y: { domain, format: '~r' },
    layers: [
      ...lines.toReversed().flatMap((line) =>
        lineLayers(
          line.days.map((day) => ({ date: day.date, value: day.share_7_day_pct })),
          { stroke: ink(line.token), strokeWidth: line.isOwn ? 2.75 : 1.6 },
        ),
      ),
      wordLayer(labels.filter(({ isOwn }) => !isOwn)),
      wordLayer(
        labels.filter(({ isOwn }) => isOwn),
        { fontWeight: 'bold' },
      ),
    ],
    tips,
  });
}
