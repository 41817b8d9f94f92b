import type { Chart } from '../chart.ts';
import { noDataReason } from '../no-data.ts';
import { dayStartMs, formatCount, formatDay, formatDays, formatRank } from '../numbers.ts';
import { ink } from '../palette.ts';
import type { ProjectData } from '../project-data.ts';
import { lineLayers, timeSpec } from '../time-plot.ts';
import { describeSeries } from './describe.ts';

/** Average rank of the citations, inside the band from best to worst. */
export function citationRankChart(data: ProjectData): Chart {
  const rows = data.citationRanks;
  const worst = rows.reduce(
    (a, row) => Math.max(a, row.worst_citation_rank ?? row.average_citation_rank ?? 0),
    0,
  );
  return {
    name: 'citation-rank',
    title: 'Citation rank',
    subtitle: `Place of citations in AI answers per day, 1 is best · ${formatDays(data.start, data.end)}`,
    description: describeSeries('Average citation rank (1 is best)', rows, {
      valueOf: (row) => row.average_citation_rank,
      format: formatRank,
    }),
    legend: [
      { label: 'Average', token: 'own', shape: 'line' },
      { label: 'Best to worst', token: 'heat1', shape: 'box' },
    ],
    table: {
      columns: [
        { title: 'Day' },
        { title: 'Best', isNumber: true },
        { title: 'Average', isNumber: true },
        { title: 'Worst', isNumber: true },
        { title: 'Citations', isNumber: true },
        { title: 'Final' },
      ],
      rows: rows.map((row) => [
        row.date,
        formatRank(row.best_citation_rank),
        formatRank(row.average_citation_rank),
        formatRank(row.worst_citation_rank),
        formatCount(row.citations_count),
        row.is_final ? 'yes' : 'may change',
      ]),
    },
    marksPending: true,
    noData: noDataReason(data, 'citation_ranks'),
    draw: rows.some((row) => row.average_citation_rank !== null)
      ? (size) =>
          timeSpec({
            size,
            height: 240,
            start: data.start,
            end: data.end,
            pendingFrom: data.pendingFrom,
            y: { domain: [0.5, worst + 0.5], format: 'd', isReversed: true, ticks: rankTicks(worst) },
            layers: [
              {
                data: {
                  values: rows.map((row) => ({
                    t: dayStartMs(row.date),
                    v: row.best_citation_rank,
                    v2: row.worst_citation_rank,
                  })),
                },
                mark: { type: 'area', aria: false, fill: ink('heat1'), opacity: 0.75, line: false },
                encoding: { y2: { field: 'v2' } },
              },
              ...lineLayers(
                rows.map((row) => ({ date: row.date, value: row.average_citation_rank })),
                { stroke: ink('own'), strokeWidth: 2 },
              ),
            ],
            tips: rows.map((row) => ({
              date: row.date,
              text: [
                `${formatDay(row.date)}${row.is_final ? '' : ' (may change)'}`,
                `Average rank ${formatRank(row.average_citation_rank)}`,
                `Best ${formatRank(row.best_citation_rank)}, worst ${formatRank(row.worst_citation_rank)}`,
              ].join('\n'),
            })),
          })
      : null,
  };
}

/** 1 and up to four more ranks. */
function rankTicks(worst: number): number[] {
  const step = Math.max(1, Math.ceil((worst - 1) / 4));
  return Array.from({ length: Math.floor((worst - 1) / step) + 1 }, (_, index) => 1 + index * step);
}
