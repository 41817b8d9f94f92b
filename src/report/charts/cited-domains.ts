import type { Chart } from '../chart.ts';
import { plainLabel } from '../label.ts';
import { noDataReason } from '../no-data.ts';
import { formatCount, formatDays, formatPercent, formatRank } from '../numbers.ts';
import type { ProjectData } from '../project-data.ts';
import { rankingSpec } from './ranking.ts';

const MOST_DOMAINS = 12;

/** Domains that AI answers cite most. */
export function citedDomainsChart(data: ProjectData): Chart {
  const shown = data.domains.slice(0, MOST_DOMAINS);
  const first = shown[0];
  const window = first === undefined ? '' : formatDays(first.window_start, first.window_end);
  const hasPrevious = shown.some((row) => row.previous_citations_count !== null);
  const hasOwn = shown.some((row) => row.is_own_domain);
  return {
    name: 'cited-domains',
    title: 'Most cited domains',
    subtitle: `Citations in AI answers${window === '' ? '' : ` · ${window}`}`,
    description:
      first === undefined
        ? 'Most cited domains: no figures.'
        : `The ${shown.length} most cited domains, ${window}: ${shown
            .slice(0, 3)
            .map((row) => `${plainLabel(row.domain)} ${formatCount(row.citations_count)}`)
            .join(', ')} and others.`,
    legend: [
      ...(hasOwn ? [{ label: 'Own domain', token: 'own', shape: 'box' } as const] : []),
      { label: 'Other domain', token: 'other', shape: 'box' },
      ...(hasPrevious ? [{ label: 'The window before', token: 'ink', shape: 'tick' } as const] : []),
    ],
    table: {
      columns: [
        { title: 'Domain' },
        { title: 'Citations', isNumber: true },
        { title: 'Share', isNumber: true },
        { title: 'Average rank', isNumber: true },
        { title: 'Against the window before' },
      ],
      rows: data.domains.map((row) => [
        plainLabel(row.domain) + (row.is_own_domain ? ' (own)' : ''),
        formatCount(row.citations_count),
        formatPercent(row.citations_share_pct),
        formatRank(row.average_citation_rank),
        row.domain_status ?? 'not known',
      ]),
    },
    noData: noDataReason(data, 'domain_citation_totals'),
    draw:
      first === undefined
        ? null
        : (size) =>
            rankingSpec(
              shown.map((row) => ({
                label: plainLabel(row.domain) + (row.domain_status === 'new' ? ' · new' : ''),
                value: row.citations_count,
                valueText: formatCount(row.citations_count),
                previous: row.previous_citations_count,
                token: row.is_own_domain ? 'own' : 'other',
                tip: [
                  plainLabel(row.domain),
                  `${formatCount(row.citations_count)} citations, ${formatPercent(row.citations_share_pct)}`,
                  `Average rank ${formatRank(row.average_citation_rank)}`,
                ].join('\n'),
              })),
              size,
            ),
  };
}
