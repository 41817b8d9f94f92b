import { z } from 'zod';
import * as column from './column.ts';
import {
  defineEndpoint,
  defineFlatEndpoint,
  type Ask,
  type Parameter,
  limit,
  mayBeLimit,
} from './endpoint.ts';
import { count, isObject, maybeMeasure, measure, numberOf } from './field.ts';
import { listBody, listItems, type Item, namedPoint, type NamedPoint, pointItems } from './item.ts';
import { each } from './table.ts';
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

/**
 * Whether the server cut the list, perhaps below the limit: a round number of domains with fewer citations than all. A total alone
 * proves nothing, since a server may count citations without a domain.
 */
function isCutOff(body: unknown): boolean {
  const { series = [], totalCitations } = domainsBody.safeParse(body).data ?? {};
  if (!mayBeLimit(series.length)) return false;
  const listed = series.map((domain) => (isObject(domain) ? (numberOf(domain['total']) ?? NaN) : NaN));
  return listed.reduce((sum, total) => sum + total, 0) < (numberOf(totalCitations) ?? 0);
}

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
  listed: (body: DomainsBody): number => (isCutOff(body) ? Infinity : body.series.length),
  paging: {
    kind: 'named',
    parameter: 'domains',
    column: 'domain',
    names: (body: unknown) => namesBody.parse(body).series.map(({ domain }) => domain),
    isCutOff,
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
      about: 'Citations of each domain in AI answers',
      key: { domain: column.key('Cited domain.', {}, ({ name }: NamedPoint) => name) },
      columns: {
        citations: column.count(
          'Citations of the domain.',
          { adds: 'over periods of one grain and over the listed domains (the list may be cut)' },
          ({ value }: NamedPoint) => value,
        ),
      },
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

/** The totals of a window, from either of two paths. */
const citationTotals = {
  table: 'citation_totals',
  shape: 'window',
  about: 'Citations in total',
  source: ['GET v1 citations/domains-over-time', 'GET v1 citations/rank-analysis'],
  vanished: 'keep',
} as const;

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
      about: 'Citations of each domain',
      key: { domain: column.key('Cited domain.', {}, ({ domain }) => domain.normalize('NFC')) },
      columns: {
        total: column.count('Citations in the window.', {
          adds: 'over the listed domains (the list may be cut), not over windows',
        }),
        // The documents do not say to which total the share of a domain requested by name refers.
        percentage: column.measure(
          'Share of all citations, {unit}; NULL for a domain that was asked for by its name because the list was cut off before it.',
          { unit: 'percent', adds: 'not over windows' },
          ({ percentage }, { page }) => (page === 1 ? percentage : null),
        ),
        averageRank: column.maybeMeasure('Average rank, 1 is best.', column.NEVER),
      },
    }),
    each((item: DomainOrTotal, { page }) => (item.kind === 'total' && page === 1 ? [item] : []), {
      ...citationTotals,
      columns: {
        totalCitations: column.count(
          'All citations, domains beyond the limit included (domains-over-time).',
          { adds: 'not over windows' },
        ),
      },
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

const OVER_PERIODS = { adds: 'over periods of one grain' } as const;

/** How high the project's citations rank, by period. */
export const citationRanks = defineFlatEndpoint({
  ...ranks,
  name: 'citation_ranks',
  cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
  items: (body) => listItems(body.timeSeries, 'timeSeries'),
  table: {
    table: 'citation_ranks',
    shape: 'series',
    about: 'Citations of your domain and their rank',
    columns: {
      totalCitations: column.count('Citations.', OVER_PERIODS),
      averageRank: column.maybeMeasure(
        'Average rank of the citations that have one, 1 is best.',
        column.NEVER,
      ),
      bestRank: column.maybeMeasure('Best (lowest) rank.', {
        adds: 'never',
        instead: 'take the minimum over periods',
      }),
      worstRank: column.maybeMeasure('Worst (highest) rank.', {
        adds: 'never',
        instead: 'take the maximum over periods',
      }),
      citationsWithRank: column.count('Citations that have a rank.', OVER_PERIODS),
    },
  },
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
      ...citationTotals,
      columns: {
        overall_average_rank: column.maybeMeasure(
          'Average rank over all citations, 1 is best (rank-analysis).',
          column.NEVER,
          (rank: z.output<typeof maybeMeasure>) => rank,
        ),
      },
    },
  ],
});

const DIFFERENT = { adds: 'never', averages: true } as const;

/** Citations by AI model. */
export const llmSources = defineFlatEndpoint({
  name: 'llm_sources',
  path: '/api/v1/citations/llm-sources',
  cut: { kind: 'window', series: 'citation_ranks' },
  scopes,
  limit: 100,
  params: (ask) => limit(ask, 'limit'),
  ...listBody,
  table: {
    table: 'llm_sources',
    shape: 'window',
    about: 'Citations by AI model',
    key: { llm: column.key('Model id (core.models; LEFT JOIN).') },
    columns: {
      provider: column.text('Provider.'),
      model: column.text('Model.'),
      totalCitations: column.count('Citations.', { adds: 'over models, not over windows' }),
      uniqueDomains: column.count('Different domains.', DIFFERENT),
      uniquePrompts: column.count('Different prompts.', DIFFERENT),
    },
  },
  listed: (body) => body.length,
});
