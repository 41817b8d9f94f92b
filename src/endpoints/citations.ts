import { z } from 'zod';
import { defineEndpoint, type Ask, type Item, type Parameter } from './endpoint.ts';
import { count, day, listItems, maybeMeasure, measure, oneRow, seriesOutput, windowOutput } from './field.ts';
import { pointItems } from './point-series.ts';
import { dates, filter, limit } from './request-parameters.ts';

const scopes = {
  project: null,
  model: 'model',
  monitor: 'llmMonitorId',
  prompt: 'promptId',
  prompt_type: 'promptTypes',
} as const;

/** Both spellings of the grouping, always a matching pair. */
const GROUPINGS = {
  day: ['DAILY', 'daily'],
  week: ['WEEKLY', 'weekly'],
  month: ['MONTHLY', 'monthly'],
} as const;

function params(ask: Ask): readonly Parameter[] {
  const [range, granularity] = GROUPINGS[ask.slice.grain ?? 'day'];
  return [
    ...dates(ask),
    ['range', range],
    ['granularity', granularity],
    ...limit(ask, 'domainLimit'),
    ['includeSelf', 'true'],
    ...filter(ask, scopes),
  ];
}

const domainsBody = z.object({
  dates: z.array(z.unknown()),
  series: z.array(z.unknown()),
  totalCitations: z.unknown(),
});
const listedDomains = (answer: unknown): number => domainsBody.parse(answer).series.length;

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
        data: z.array(z.unknown()),
        total: count,
        percentage: measure,
        averageRank: maybeMeasure,
      }),
    ),
    totalCitations: count,
  }),
  listed: listedDomains,
} as const;

/** Citations of each domain by period. */
export const domainCitations = defineEndpoint({
  ...domains,
  name: 'domain_citations',
  cut: { kind: 'series', grains: ['day', 'week', 'month'], leadPeriods: 0 },
  items: (body) => pointItems(body, 'domain'),
  item: z.object({ date: day, name: z.string(), value: count.nullable() }),
  rows: (point) =>
    oneRow('domain_citations', { date: point.date, domain: point.name, citations: point.value }),
  outputs: [seriesOutput('domain_citations', ['domain'], ['citations'])],
});

function* domainTotals(body: z.output<typeof domainsBody>): Generator<Item> {
  for (const { path, value } of listItems(body.series, 'series'))
    yield { path, value: { kind: 'domain', domain: value } };
  yield { path: 'totalCitations', value: { kind: 'total', totalCitations: body.totalCitations } };
}

/** Totals of a whole window: citations of each domain, and of all. */
export const domainCitationTotals = defineEndpoint({
  ...domains,
  name: 'domain_citation_totals',
  cut: { kind: 'window' },
  items: domainTotals,
  item: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('domain'),
      domain: z.object({
        domain: z.string(),
        data: z.array(z.unknown()).optional(),
        total: count,
        percentage: measure,
        averageRank: maybeMeasure,
      }),
    }),
    z.object({ kind: z.literal('total'), totalCitations: count }),
  ]),
  rows: (item) =>
    item.kind === 'total'
      ? oneRow('citation_totals', { total_citations: item.totalCitations })
      : oneRow('domain_citation_totals', {
          domain: item.domain.domain,
          total: item.domain.total,
          percentage: item.domain.percentage,
          average_rank: item.domain.averageRank,
        }),
  outputs: [
    windowOutput('domain_citation_totals', ['domain'], ['total', 'percentage', 'average_rank']),
    { ...windowOutput('citation_totals', [], ['total_citations']), vanished: 'keep', isShared: true },
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

/** How high the project's citations rank, by period. */
export const citationRanks = defineEndpoint({
  ...ranks,
  name: 'citation_ranks',
  cut: { kind: 'series', grains: ['day', 'week', 'month'], leadPeriods: 0 },
  items: (body) => listItems(body.timeSeries, 'timeSeries'),
  item: z.object({
    date: day,
    totalCitations: count,
    averageRank: maybeMeasure,
    bestRank: maybeMeasure,
    worstRank: maybeMeasure,
    citationsWithRank: count,
  }),
  rows: (item) =>
    oneRow('citation_ranks', {
      date: item.date,
      total_citations: item.totalCitations,
      average_rank: item.averageRank,
      best_rank: item.bestRank,
      worst_rank: item.worstRank,
      citations_with_rank: item.citationsWithRank,
    }),
  outputs: [
    seriesOutput(
      'citation_ranks',
      [],
      ['total_citations', 'average_rank', 'best_rank', 'worst_rank', 'citations_with_rank'],
    ),
  ],
});

/** The average rank of a whole window. */
export const citationRankTotals = defineEndpoint({
  ...ranks,
  name: 'citation_rank_totals',
  cut: { kind: 'window' },
  items: (body) => [{ path: 'overallAverageRank', value: body.overallAverageRank }],
  item: maybeMeasure,
  rows: (rank) => oneRow('citation_totals', { overall_average_rank: rank }),
  outputs: [
    { ...windowOutput('citation_totals', [], ['overall_average_rank']), vanished: 'keep', isShared: true },
  ],
});

/** Citations by the model that gave them. */
export const llmSources = defineEndpoint({
  name: 'llm_sources',
  path: '/api/v1/citations/llm-sources',
  cut: { kind: 'window' },
  scopes,
  limit: 100,
  params: (ask) => [...dates(ask), ...limit(ask, 'limit'), ...filter(ask, scopes)],
  body: z.array(z.unknown()),
  items: (body) => listItems(body),
  item: z.object({
    llm: z.string(),
    provider: z.string().nullish(),
    model: z.string().nullish(),
    totalCitations: count,
    uniqueDomains: count,
    uniquePrompts: count,
  }),
  rows: (item) =>
    oneRow('llm_sources', {
      llm: item.llm,
      provider: item.provider ?? null,
      model: item.model ?? null,
      total_citations: item.totalCitations,
      unique_domains: item.uniqueDomains,
      unique_prompts: item.uniquePrompts,
    }),
  outputs: [
    windowOutput(
      'llm_sources',
      ['llm'],
      ['provider', 'model', 'total_citations', 'unique_domains', 'unique_prompts'],
    ),
  ],
  listed: (body) => z.array(z.unknown()).parse(body).length,
});
