import { z } from 'zod';
import { defineEndpoint, limit, type Endpoint, type Paging } from './endpoint.ts';
import { count, key, measure, NEVER, text } from './column.ts';
import * as field from './field.ts';
import { listBody } from './item.ts';
import { each } from './table.ts';
import { GRAINS } from '../day.ts';
import { jsonOf } from '../redact.ts';

const visibilityScopes = {
  project: null,
  model: 'models',
  monitor: 'llmMonitorId',
  prompt: 'promptId',
} as const;

/** One score by period, stored in a table and a column named after the endpoint. */
function scores({
  about,
  score,
  ...declared
}: Pick<Endpoint, 'name' | 'path' | 'scopes'> & { about: string; score: string }): Endpoint {
  const { name } = declared;
  return defineEndpoint({
    ...declared,
    cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
    params: (_, grain) => [['range', grain]],
    ...listBody,
    item: z.object({ date: field.day, value: field.score }),
    outputs: [
      {
        table: name,
        shape: 'series',
        about,
        columns: {
          [name]: measure(
            `${score}, scale as the API reports it; NULL when it has no value.`,
            NEVER,
            ({ value }: { value: z.output<typeof field.score> }) => value,
          ),
        },
      },
    ],
  });
}

/** Brand visibility of the project by period. */
export const visibility = scores({
  name: 'visibility',
  path: '/api/v1/visibility-time-series',
  scopes: visibilityScopes,
  about: 'Visibility of your brand in AI answers',
  score: 'Visibility score',
});

/** Sentiment of brand mentions by period. */
export const sentiment = scores({
  name: 'sentiment',
  path: '/api/v1/sentiment-time-series',
  scopes: { ...visibilityScopes, model: 'model', prompt_type: 'promptTypes' },
  about: 'Sentiment towards your brand in AI answers',
  score: 'Sentiment score',
});

const brand = z.object({
  id: field.id,
  name: field.label,
  domain: field.sideText,
  relation: field.relation,
});
type Brand = z.output<typeof brand>;

const GRANULARITIES = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

/** A body that is a list, with the limit of the request. */
const offsetPaging: Paging = {
  kind: 'offset',
  size: null,
  names: ['offset', 'limit'],
  list: (body) =>
    Array.isArray(body)
      ? { count: body.length, ids: () => body.map(textOf), total: null, days: () => body.map(dayTextOf) }
      : null,
};

const dayTextOf = (item: unknown): string => (field.isObject(item) ? String(item['date']).slice(0, 10) : '');

/** An item as text; the last digits of a mean may vary from request to request. */
function textOf(item: unknown): string {
  return jsonOf(item, (_name, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value));
}

/** Visibility of every brand by period, including own and ignored brands: the request has no relation filter. */
export const brandVisibility = defineEndpoint({
  name: 'brand_visibility',
  path: '/api/v1/analytics/brands/visibility-over-time',
  cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
  hasDailyKpis: false,
  scopes: { project: null, model: 'model', prompt_type: 'promptTypes' },
  paging: offsetPaging,
  limit: 1000,
  backfilled: { table: 'brands', column: 'brand_id', relations: ['SELF', 'DIRECT_COMPETITOR'] },
  params: (ask, grain) => [['granularity', GRANULARITIES[grain]], ...limit(ask, 'limit')],
  ...listBody,
  item: z.object({
    date: field.day,
    brand,
    averageVisibility: field.measure,
    mentionCount: field.count,
    totalResponses: field.count,
    visibilityPercentage: field.measure,
  }),
  outputs: [
    {
      table: 'brand_visibility',
      shape: 'series',
      about: 'Visibility of each brand, own and competing',
      key: { brand_id: key('Brand id (core.brands).', {}, ({ brand }: { brand: Brand }) => brand.id) },
      columns: {
        averageVisibility: measure('Average visibility, scale as the API reports it.', NEVER),
        mentionCount: count('Mentions of the brand.', { adds: 'over periods of one grain' }),
        totalResponses: count('Responses in the period, the same for every brand.', {
          adds: 'not over brands',
        }),
        visibilityPercentage: measure('Share of responses that show the brand, {unit}.', {
          unit: 'percent',
          ...NEVER,
        }),
      },
    },
    each((point: { brand: Brand }) => [point.brand], {
      table: 'brands',
      shape: 'project',
      about: 'Brands seen in answers: your brand and competitors',
      key: { brand_id: key('Brand id.', {}, ({ id }) => id) },
      columns: {
        name: text('Name.'),
        domain: text('Domain.'),
        relation: text('SELF, DIRECT_COMPETITOR, IGNORED or OTHER.'),
      },
    }),
  ],
});
