import type { Chart } from '../chart.ts';
import { noDataReason } from '../no-data.ts';
import { formatCount, formatDay, formatDays, formatPercent } from '../numbers.ts';
import { ink } from '../palette.ts';
import type { ProjectData } from '../project-data.ts';
import { domainOf, lineLayers, timeSpec } from '../time-plot.ts';
import { describeSeries } from './describe.ts';

/** Share of organic responses that mention the own brand. */
export function shareOfVoiceChart(data: ProjectData): Chart {
  const { daily, start, end } = data;
  const values = daily.map((day) => day.share_of_voice_pct);
  const hasData = values.some((value) => value !== null);
  return {
    name: 'share-of-voice',
    title: 'Share of voice',
    subtitle: `Organic responses that mention the own brand, percent · ${formatDays(start, end)}`,
    description: describeSeries('Share of voice', daily, {
      valueOf: (day) => day.share_of_voice_pct,
      format: formatPercent,
    }),
    legend: [
      { label: '7 days together', token: 'own', shape: 'line' },
      { label: 'Day', token: 'ownsoft', shape: 'thin' },
    ],
    table: {
      columns: [
        { title: 'Day' },
        { title: 'Share of voice', isNumber: true },
        { title: '7 days', isNumber: true },
        { title: 'Mentions', isNumber: true },
        { title: 'Responses', isNumber: true },
        { title: 'Final' },
      ],
      rows: daily.map((day) => [
        day.date,
        formatPercent(day.share_of_voice_pct),
        formatPercent(day.share_of_voice_7_day_pct),
        formatCount(day.brand_mentions),
        formatCount(day.total_responses),
        day.is_final ? 'yes' : 'may change',
      ]),
    },
    marksPending: true,
    noData: noDataReason(data, 'share_of_voice'),
    draw: hasData
      ? (size) =>
          timeSpec({
            size,
            height: 200,
            start,
            end,
            pendingFrom: data.pendingFrom,
            y: { domain: domainOf(values, { most: 100 }), format: '~r' },
            layers: [
              ...lineLayers(
                daily.map((day) => ({ date: day.date, value: day.share_of_voice_pct })),
                { stroke: ink('ownsoft'), strokeWidth: 1.25 },
              ),
              ...lineLayers(
                daily.map((day) => ({ date: day.date, value: day.share_of_voice_7_day_pct })),
                { stroke: ink('own'), strokeWidth: 2.5 },
              ),
            ],
            tips: daily.map((day) => ({
              date: day.date,
              text: [
                `${formatDay(day.date)}${day.is_final ? '' : ' (may change)'}`,
                `Share of voice ${formatPercent(day.share_of_voice_pct)}`,
                `${formatCount(day.brand_mentions)} of ${formatCount(day.total_responses)} responses`,
                `7 days together ${formatPercent(day.share_of_voice_7_day_pct)}`,
              ].join('\n'),
            })),
          })
      : null,
  };
}
