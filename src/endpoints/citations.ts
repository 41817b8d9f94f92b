import { z } from 'zod';
import { defineEndpoint, type Ask, type Parameter, limit } from './endpoint.ts';
import { count, dateOf, day, maybeMeasure, measure, side } from './field.ts';
import { listBody, listItems, type Item, namedPoint, pointItems } from './item.ts';
import { each, fields } from './table.ts';
import { GRAINS, type Grain } from '../day.ts';

const scopes = {
  project: null,
  model: 'model',
  monitor: 'llmMonitorId',
  prompt: 'promptId',
  prompt_type: 'promptTypes',
} as const;

/** The API takes the grouping in two parameters, spelled differently; they must agree. */
const GROUPINGS = {
  day: ['DAILY', 'daily'],
  week: ['WEEKLY', 'weekly'],
  month: ['MONTHLY', 'monthly'],
} as const;

function params(ask: Ask, grain: Grain): readonly Parameter[] {
  const [range, granularity] = GROUPINGS[grain];
  return [
    ['range', range],
    ['granularity', granularity],
    ...limit(ask, 'domainLimit'),
    ['includeSelf', 'true'],
  ];
}

const domainsBody = z.object({
  dates: z.array(z.unknown()),
  series: z.array(z.unknown()),
  totalCitations: z.unknown(),
});
type DomainsBody = z.output<typeof domainsBody>;

const namesBody = z.object({ series: z.array(z.object({ domain: z.string() })) });

const domains = {
  path: '/api/v1/citations/domains-over-time',
  scopes,
  limit: 50,
  params,
  body: domainsBody,
  documented: z.object({
    dates: z.array(z.string()),
    series: z.array(
      z.object({
        domain: z.string(),
        data: z.array(count),
        total: count,
        percentage: measure,
        averageRank: maybeMeasure,
      }),
    ),
    totalCitations: count,
  }),
  dates: ({ dates }: DomainsBody) => dates,
  listed: ({ series }: DomainsBody): number => series.length,
  paging: {
    kind: 'named',
    parameter: 'domains',
    column: 'domain',
    names: (body: unknown) => namesBody.parse(body).series.map(({ domain }) => domain),
    wanted: { table: 'brands', column: 'domain', relations: ['SELF', 'DIRECT_COMPETITOR'] },
  },
} as const;

/** Citations of each domain by period. */
export const domainCitations = defineEndpoint({
  ...domains,
  name: 'domain_citations',
  cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
  hasDailyKpis: false,
  items: (body, context) => pointItems(body, 'domain', context),
  item: namedPoint,
  outputs: [
    {
      table: 'domain_citations',
      shape: 'series',
      key: { date: dateOf, domain: ({ name }) => name },
      columns: { citations: ({ value }) => value },
    },
  ],
});

function* domainTotals(body: DomainsBody): Generator<Item> {
  for (const { path, value } of listItems(body.series, 'series'))
    yield { path, value: { kind: 'domain', domain: value } };
  yield { path: () => 'totalCitations', value: { kind: 'total', totalCitations: body.totalCitations } };
}

const domainOrTotal = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('domain'),
    domain: z.object({
      domain: z.string(),
      data: z.unknown(),
      total: count,
      percentage: measure,
      averageRank: maybeMeasure,
    }),
  }),
  z.object({ kind: z.literal('total'), totalCitations: count }),
]);
type DomainOrTotal = z.output<typeof domainOrTotal>;

/** Totals of a whole window: citations of each domain, and of all. */
export const domainCitationTotals = defineEndpoint({
  ...domains,
  name: 'domain_citation_totals',
  cut: { kind: 'window', series: 'citation_ranks' },
  items: domainTotals,
  item: domainOrTotal,
  outputs: [
    each((item: DomainOrTotal) => (item.kind === 'domain' ? [item.domain] : []), {
      table: 'domain_citation_totals',
      shape: 'window',
      key: { domain: ({ domain }) => domain.normalize('NFC') },
      columns: {
        ...fields('total', 'averageRank'),
        // The documents do not say of which total a domain asked for by name has its share.
        percentage: ({ percentage }, { page }) => (page === 1 ? percentage : null),
      },
    }),
    each((item: DomainOrTotal, { page }) => (item.kind === 'total' && page === 1 ? [item] : []), {
      table: 'citation_totals',
      shape: 'window',
      columns: fields('totalCitations'),
      vanished: 'keep',
    }),
  ],
});

const ranksBody = z.object({ timeSeries: z.array(z.unknown()), overallAverageRank: z.unknown().optional() });
const ranks = {
  path: '/api/v1/citations/rank-analysis',
  scopes,
  limit: 50,
  params,
  body: ranksBody,
} as const;

const rankPoint = z.object({
  date: day,
  totalCitations: count,
  averageRank: maybeMeasure,
  bestRank: maybeMeasure,
  worstRank: maybeMeasure,
  citationsWithRank: count,
});

/** How high the project's citations rank, by period. */
export const citationRanks = defineEndpoint({
  ...ranks,
  name: 'citation_ranks',
  cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
  items: (body) => listItems(body.timeSeries, 'timeSeries'),
  item: rankPoint,
  outputs: [
    {
      table: 'citation_ranks',
      shape: 'series',
      key: { date: dateOf },
      columns: fields('totalCitations', 'averageRank', 'bestRank', 'worstRank', 'citationsWithRank'),
    },
  ],
});

/** The average rank of a whole window. */
export const citationRankTotals = defineEndpoint({
  ...ranks,
  name: 'citation_rank_totals',
  cut: { kind: 'window', series: 'citation_ranks' },
  items: (body) => [{ path: () => 'overallAverageRank', value: body.overallAverageRank }],
  item: maybeMeasure,
  outputs: [
    {
      table: 'citation_totals',
      shape: 'window',
      columns: { overall_average_rank: (rank) => rank },
      vanished: 'keep',
    },
  ],
});

/** Citations by the model that gave them. */
export const llmSources = defineEndpoint({
  name: 'llm_sources',
  path: '/api/v1/citations/llm-sources',
  cut: { kind: 'window', series: 'citation_ranks' },
  scopes,
  limit: 100,
  params: (ask) => limit(ask, 'limit'),
  ...listBody,
  item: z.object({
    llm: z.string(),
    provider: side(z.string()),
    model: side(z.string()),
    totalCitations: count,
    uniqueDomains: count,
    uniquePrompts: count,
  }),
  outputs: [
    {
      table: 'llm_sources',
      shape: 'window',
      key: fields('llm'),
      columns: fields('provider', 'model', 'totalCitations', 'uniqueDomains', 'uniquePrompts'),
    },
  ],
  listed: (body) => body.length,
});
