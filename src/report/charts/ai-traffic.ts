import type { Chart, ChartName } from '../chart.ts';
import { noDataReason } from '../no-data.ts';
import { formatCount, formatDay, formatDays } from '../numbers.ts';
import { ink, type Token } from '../palette.ts';
import type { ProjectData } from '../project-data.ts';
import type { DailyRow } from '../rows.ts';
import { barLayer, domainOf, lineLayers, timeSpec } from '../time-plot.ts';
import { describeSeries } from './describe.ts';

interface Traffic {
  name: ChartName;
  title: string;
  what: string;
  token: Token;
  soft: Token;
  endpoint: string;
  valueOf: (day: DailyRow) => number | null;
  meanOf: (day: DailyRow) => number | null;
}

/** Requests of AI crawlers to the own site. */
export function aiCrawlersChart(data: ProjectData): Chart {
  return trafficChart(data, {
    name: 'ai-crawlers',
    title: 'AI crawler requests',
    what: 'Requests of AI crawlers to the own site',
    token: 'own',
    soft: 'ownsoft',
    endpoint: 'crawler_requests',
    valueOf: (day) => day.crawler_requests_count,
    meanOf: (day) => day.crawler_requests_7_day_mean,
  });
}

/** Visits that AI assistants sent to the own site. */
export function aiVisitsChart(data: ProjectData): Chart {
  return trafficChart(data, {
    name: 'ai-visits',
    title: 'Visits from AI assistants',
    what: 'Visits that AI assistants sent to the own site',
    token: 'own',
    soft: 'ownsoft',
    endpoint: 'visitor_visits',
    valueOf: (day) => day.ai_visits_count,
    meanOf: (day) => day.ai_visits_7_day_mean,
  });
}

function trafficChart(data: ProjectData, traffic: Traffic): Chart {
  const { daily } = data;
  const values = daily.map((day) => traffic.valueOf(day));
  return {
    name: traffic.name,
    title: traffic.title,
    subtitle: `${traffic.what}, per day · ${formatDays(data.start, data.end)}`,
    description: describeSeries(traffic.what, daily, { valueOf: traffic.valueOf, format: formatCount }),
    legend: [
      { label: '7-day mean', token: traffic.token, shape: 'line' },
      { label: 'Day', token: traffic.soft, shape: 'box' },
    ],
    table: {
      columns: [
        { title: 'Day' },
        { title: 'Count', isNumber: true },
        { title: '7-day mean', isNumber: true },
        { title: 'Final' },
      ],
      rows: daily.map((day) => [
        day.date,
        formatCount(traffic.valueOf(day)),
        formatCount(traffic.meanOf(day)),
        day.is_final ? 'yes' : 'may change',
      ]),
    },
    marksPending: true,
    noData: noDataReason(data, traffic.endpoint),
    draw: values.some((value) => value !== null)
      ? (size) =>
          timeSpec({
            size,
            height: 170,
            start: data.start,
            end: data.end,
            pendingFrom: data.pendingFrom,
            y: { domain: domainOf(values, { fromZero: true }), format: ',~r' },
            padding: { left: 50 },
            layers: [
              barLayer(
                daily.map((day) => ({ date: day.date, value: traffic.valueOf(day) })),
                data.end,
                { fill: ink(traffic.soft), opacity: 0.75 },
              ),
              ...lineLayers(
                daily.map((day) => ({ date: day.date, value: traffic.meanOf(day) })),
                { stroke: ink(traffic.token), strokeWidth: 2.25 },
              ),
            ],
            tips: daily.map((day) => ({
              date: day.date,
              text: [
                `${formatDay(day.date)}${day.is_final ? '' : ' (may change)'}`,
                traffic.valueOf(day) === null ? 'No figure' : formatCount(traffic.valueOf(day)),
                `7-day mean ${formatCount(traffic.meanOf(day))}`,
              ].join('\n'),
            })),
          })
      : null,
  };
}
