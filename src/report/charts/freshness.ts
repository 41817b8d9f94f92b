import { addDays, countDays, maxDay, type Day } from '../../day.ts';
import type { Chart, LegendItem, Size, Spec } from '../chart.ts';
import { fitText, plainLabel } from '../label.ts';
import { formatDay, formatShortDay, NO_FIGURE } from '../numbers.ts';
import { boxLayer, FONT_SIZE, plotSpec, wordLayer } from '../plot.ts';
import type { ProjectData } from '../project-data.ts';
import type { CoverageRow } from '../rows.ts';

const ROW = 22;
/** Days that still have a cell of their own. */
const MOST_DAYS: Record<Size['name'], number> = { narrow: 28, half: 42, wide: 84 };

const STATUSES: Record<string, LegendItem> = {
  settled: { label: 'Covered, final', token: 'own', shape: 'box' },
  covered: { label: 'Covered, may change', token: 'ownsoft', shape: 'box' },
  partial: { label: 'Covered in part', token: 'rival1', shape: 'box' },
  missing: { label: 'Missing', token: 'rival3', shape: 'box' },
  not_enabled: { label: 'Not enabled', token: 'faint', shape: 'box' },
};

/** Which days of each series can be trusted. */
export function freshnessChart(data: ProjectData): Chart {
  const endpoints = [...new Set(data.coverage.map(({ endpoint }) => endpoint))];
  const seen = new Set(data.coverage.map((row) => statusOf(row, data)));
  const behind = data.freshness.filter(({ status }) => status !== 'current' && status !== 'not_enabled');
  const last = lastDays(data);
  return {
    name: 'freshness',
    title: 'Which days can be trusted',
    subtitle: `Days that stored answers cover, newest days to ${formatDay(data.end)}`,
    description: `${endpoints.length} daily series. ${behind.length === 0 ? 'All requests are current.' : `Not current: ${behind.map(({ endpoint, status }) => `${plainWords(endpoint)} (${plainWords(status)})`).join(', ')}.`}`,
    legend: Object.entries(STATUSES).flatMap(([status, item]) => (seen.has(status) ? [item] : [])),
    table: {
      columns: [
        { title: 'Request' },
        { title: 'State' },
        { title: 'Covered to' },
        { title: 'Days behind', isNumber: true },
        { title: 'Last answer (UTC)' },
        { title: 'Error' },
      ],
      rows: data.freshness.map((row) => [
        plainWords(row.endpoint),
        plainWords(row.status),
        row.last_covered_date ?? NO_FIGURE,
        row.lag_days === null ? NO_FIGURE : String(row.lag_days),
        row.last_success_at?.slice(0, 16).replace('T', ' ') ?? 'never',
        plainLabel(row.last_error, ''),
      ]),
    },
    isWide: true,
    noData: 'No day was asked for yet.',
    draw: endpoints.length === 0 ? null : (size) => draw(data, { endpoints, last, size }),
  };
}

function firstDay(data: ProjectData): Day {
  return data.coverage.reduce((first, { date }) => (date < first ? date : first), data.end);
}

function plainWords(name: string): string {
  const words = plainLabel(name).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lastDays(data: ProjectData): Map<string, Day | null> {
  return new Map(
    data.freshness
      .filter(({ is_shared: isShared }) => !isShared)
      .map((row) => [row.endpoint, row.last_covered_date]),
  );
}

function draw(
  data: ProjectData,
  { endpoints, last, size }: { endpoints: string[]; last: Map<string, Day | null>; size: Size },
): Spec {
  const left = size.name === 'narrow' ? 112 : 150;
  const right = size.name === 'narrow' ? 64 : 76;
  const first = maxDay(firstDay(data), addDays(data.end, 1 - MOST_DAYS[size.name]));
  const days = countDays(first, data.end);
  const cell = (size.width - left - right) / days;
  const gap = Math.min(1, cell * 0.12);
  const boxes = data.coverage
    .filter(({ date }) => date >= first)
    .map((row) => {
      const column = countDays(first, row.date) - 1;
      const line = endpoints.indexOf(row.endpoint);
      return {
        x: column * cell + gap,
        x2: (column + 1) * cell - gap,
        y: line * ROW + 3,
        y2: (line + 1) * ROW - 3,
        fill: STATUSES[statusOf(row, data)]?.token ?? 'unknown',
        tip: `${plainWords(row.endpoint)}\n${formatDay(row.date)}\n${STATUSES[statusOf(row, data)]?.label ?? plainWords(row.status)}${row.series_expected_count > 1 ? `\n${row.series_covered_count} of ${row.series_expected_count} series` : ''}`,
      };
    });
  const middle = (line: number): number => (line + 0.5) * ROW;
  const foot = endpoints.length * ROW + 12;
  return plotSpec({
    width: size.width,
    height: endpoints.length * ROW,
    padding: { left, right, top: 2, bottom: 22 },
    layers: [
      boxLayer(boxes),
      wordLayer(
        endpoints.map((endpoint, line) => ({
          x: -8,
          y: middle(line),
          text: fitText(plainWords(endpoint), left - 12, FONT_SIZE),
          token: 'ink',
        })),
        { align: 'right' },
      ),
      wordLayer(
        endpoints.map((endpoint, line) => {
          const day = last.get(endpoint) ?? null;
          return {
            x: days * cell + 8,
            y: middle(line),
            text: !isEnabled(endpoint, data)
              ? 'not on'
              : day === null
                ? 'no day'
                : `to ${formatShortDay(day)}`,
            token: 'muted',
          };
        }),
      ),
      wordLayer([{ x: 0, y: foot, text: formatShortDay(first), token: 'muted' }]),
      wordLayer(
        [{ x: days * cell, y: foot, text: formatShortDay(addDays(first, days - 1)), token: 'muted' }],
        { align: 'right' },
      ),
    ],
  });
}

/** An empty answer of what is not enabled covers its days, and still says nothing. */
function statusOf(row: CoverageRow, data: ProjectData): string {
  return isEnabled(row.endpoint, data) ? row.status : 'not_enabled';
}

function isEnabled(endpoint: string, data: ProjectData): boolean {
  return data.freshness.every(
    (row) => row.endpoint !== endpoint || row.is_shared || row.status !== 'not_enabled',
  );
}
