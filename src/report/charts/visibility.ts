import type { Chart } from '../chart.ts';
import { noDataReason } from '../no-data.ts';
import { formatDay, formatDays, formatScore, NO_FIGURE } from '../numbers.ts';
import { ink } from '../palette.ts';
import type { ProjectData } from '../project-data.ts';
import type { DailyRow } from '../rows.ts';
import { domainOf, lineLayers, timeSpec } from '../time-plot.ts';
import { describeSeries } from './describe.ts';
import { eventLayers, eventLegend, eventLines, eventTitles } from './event-marks.ts';

const HEIGHT = 250;

/** Daily visibility with its 7-day mean, and the dated events above it. */
export function visibilityChart(data: ProjectData): Chart {
  const { daily, events, start, end } = data;
  const values = daily.map((day) => day.visibility);
  const hasData = values.some((value) => value !== null);
  const domain = domainOf(values, { headroom: events.length === 0 ? 0.06 : 0.22 });
  return {
    name: 'visibility',
    title: 'Visibility of the own brand, with dated events',
    subtitle: `Score per day as the API reports it, and its 7-day mean · ${formatDays(start, end)}`,
    description: `${describeSeries('Visibility', daily, { valueOf: (day) => day.visibility, format: formatScore })} ${events.length} dated events are marked.`,
    legend: [
      { label: '7-day mean', token: 'own', shape: 'line' },
      { label: 'Day', token: 'ownsoft', shape: 'thin' },
      ...eventLegend(events),
    ],
    table: {
      columns: [
        { title: 'Day' },
        { title: 'Visibility', isNumber: true },
        { title: '7-day mean', isNumber: true },
        { title: 'Events' },
        { title: 'Final' },
      ],
      rows: daily.map((day) => [
        day.date,
        formatScore(day.visibility),
        formatScore(day.visibility_7_day_mean),
        eventTitles(events, day.date).join('; ') || NO_FIGURE,
        day.is_final ? 'yes' : 'may change',
      ]),
    },
    isWide: true,
    marksPending: true,
    noData: noDataReason(data, 'visibility'),
    draw: hasData
      ? (size) =>
          timeSpec({
            size,
            height: HEIGHT,
            start,
            end,
            pendingFrom: data.pendingFrom,
            y: { domain, format: '~r' },
            layers: [
              ...eventLayers(events, HEIGHT),
              ...lineLayers(
                daily.map((day) => ({ date: day.date, value: day.visibility })),
                { stroke: ink('ownsoft'), strokeWidth: 1.25 },
              ),
              ...lineLayers(
                daily.map((day) => ({ date: day.date, value: day.visibility_7_day_mean })),
                { stroke: ink('own'), strokeWidth: 2.5 },
              ),
            ],
            tips: daily.map((day) => ({ date: day.date, text: tipOf(day, data) })),
          })
      : null,
  };
}

function tipOf(day: DailyRow, { events }: ProjectData): string {
  return [
    `${formatDay(day.date)}${day.is_final ? '' : ' (may change)'}`,
    day.visibility === null ? 'No figure' : `Visibility ${formatScore(day.visibility)}`,
    `7-day mean ${formatScore(day.visibility_7_day_mean)}`,
    ...eventLines(events, day.date),
  ].join('\n');
}
