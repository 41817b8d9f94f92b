import { addDays } from '../../day.ts';
import type { Chart } from '../chart.ts';
import { noDataReason } from '../no-data.ts';
import { formatCount, formatDay, formatDays, formatPercent } from '../numbers.ts';
import { ink } from '../palette.ts';
import type { ProjectData } from '../project-data.ts';
import type { SentimentRow } from '../rows.ts';
import { barLayer, timeSpec } from '../time-plot.ts';

const PARTS = ['positive', 'neutral', 'unknown', 'negative'] as const;
type Part = (typeof PARTS)[number];

/** Responses by sentiment, each period adding up to 100 percent. */
export function sentimentSplitChart(data: ProjectData): Chart {
  const rows = data.sentiment;
  const start = rows[0]?.date ?? data.start;
  const isWeekly = data.sentimentGrain === 'week';
  const length = isWeekly ? 7 : 1;
  const newest = rows.findLast((row) => totalOf(row) > 0);
  const period = (row: SentimentRow): string =>
    isWeekly ? formatDays(row.date, addDays(row.date, row.days_count - 1)) : formatDay(row.date);
  return {
    name: 'sentiment-split',
    title: 'Sentiment of responses',
    subtitle: `Share of responses per ${isWeekly ? 'week (Monday first)' : 'day'}, percent · ${formatDays(start, data.end)}`,
    description:
      newest === undefined
        ? 'Sentiment of responses: no figures.'
        : `Responses by sentiment, ${rows.length} ${isWeekly ? 'weeks' : 'days'}. Newest (${period(newest)}): ${PARTS.map((part) => `${part} ${formatPercent(shareOf(newest, part))}`).join(', ')}.`,
    legend: PARTS.map((part) => ({
      label: part === 'unknown' ? 'Not known' : part.charAt(0).toUpperCase() + part.slice(1),
      token: part,
      shape: 'box',
    })),
    table: {
      columns: [
        { title: isWeekly ? 'Week' : 'Day' },
        ...PARTS.map((part) => ({ title: part === 'unknown' ? 'Not known' : part, isNumber: true })),
        { title: 'Responses', isNumber: true },
        { title: 'Final' },
      ],
      rows: rows.map((row) => [
        period(row),
        ...PARTS.map((part) => formatPercent(shareOf(row, part))),
        formatCount(totalOf(row) === 0 ? null : totalOf(row)),
        row.is_final ? 'yes' : 'may change',
      ]),
    },
    marksPending: true,
    noData: noDataReason(data, 'response_sentiment'),
    draw:
      newest === undefined
        ? null
        : (size) =>
            timeSpec({
              size,
              height: 250,
              start,
              end: data.end,
              pendingFrom: data.pendingFrom,
              y: { domain: [0, 100], format: 'd' },
              layers: PARTS.flatMap((part) =>
                [true, false].map((isFinal) =>
                  barLayer(
                    rows
                      .filter((row) => row.is_final === isFinal)
                      .map((row) => ({ date: row.date, length, ...stackedEdges(row, part) })),
                    data.end,
                    { fill: ink(part), opacity: isFinal ? 1 : 0.6 },
                  ),
                ),
              ),
              tips: rows.map((row) => ({
                date: row.date,
                length,
                text: [
                  `${period(row)}${row.is_final ? '' : ' (may change)'}`,
                  ...PARTS.map(
                    (part) =>
                      `${part === 'unknown' ? 'not known' : part} ${formatPercent(shareOf(row, part))}`,
                  ),
                  ...(row.days_with_data < row.days_count
                    ? [`${row.days_with_data} of ${row.days_count} days have data`]
                    : []),
                ].join('\n'),
              })),
            }),
  };
}

function totalOf(row: SentimentRow): number {
  return PARTS.reduce((sum, part) => sum + (row[part] ?? 0), 0);
}

function shareOf(row: SentimentRow, part: Part): number | null {
  const total = totalOf(row);
  const count = row[part];
  return total === 0 || count === null ? null : (100 * count) / total;
}

/** Where a part begins and ends when the parts are stacked, in percent. */
function stackedEdges(row: SentimentRow, part: Part): { from: number; value: number | null } {
  const share = shareOf(row, part);
  const from = PARTS.slice(0, PARTS.indexOf(part)).reduce((sum, one) => sum + (shareOf(row, one) ?? 0), 0);
  return { from, value: share === null ? null : from + share };
}
