import { z } from 'zod';
import { defineEndpoint, limit, type Endpoint } from './endpoint.ts';
import { count, dateOf, day, id, label, measure, relation, score, sideText } from './field.ts';
import { listBody } from './item.ts';
import { each, fields } from './table.ts';
import { GRAINS } from '../day.ts';

const visibilityScopes = {
  project: null,
  model: 'models',
  monitor: 'llmMonitorId',
  prompt: 'promptId',
} as const;

/** One score by period, stored in a table and a column of the endpoint's name. */
function scores(declared: Pick<Endpoint, 'name' | 'path' | 'scopes'>): Endpoint {
  const { name } = declared;
  return defineEndpoint({
    ...declared,
    cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
    params: (_, grain) => [['range', grain]],
    ...listBody,
    item: z.object({ date: day, value: score }),
    outputs: [
      {
        table: name,
        shape: 'series',
        key: { date: dateOf },
        columns: { [name]: ({ value }) => value },
      },
    ],
  });
}

/** Brand visibility of the project by period. */
export const visibility = scores({
  name: 'visibility',
  path: '/api/v1/visibility-time-series',
  scopes: visibilityScopes,
});

/** Sentiment of brand mentions by period. */
export const sentiment = scores({
  name: 'sentiment',
  path: '/api/v1/sentiment-time-series',
  scopes: { ...visibilityScopes, model: 'model', prompt_type: 'promptTypes' },
});

const brand = z.object({ id, name: label, domain: sideText, relation });
type Brand = z.output<typeof brand>;

const GRANULARITIES = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

/** Visibility of every brand by period, including own and ignored brands: no relation filter is sent. */
export const brandVisibility = defineEndpoint({
  name: 'brand_visibility',
  path: '/api/v1/analytics/brands/visibility-over-time',
  cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
  hasDailyKpis: false,
  scopes: { project: null, model: 'model', prompt_type: 'promptTypes' },
  paging: { kind: 'offset' },
  limit: 1000,
  backfilled: { table: 'brands', column: 'brand_id', relations: ['SELF', 'DIRECT_COMPETITOR'] },
  params: (ask, grain) => [['granularity', GRANULARITIES[grain]], ...limit(ask, 'limit')],
  ...listBody,
  item: z.object({
    date: day,
    brand,
    averageVisibility: measure,
    mentionCount: count,
    totalResponses: count,
    visibilityPercentage: measure,
  }),
  outputs: [
    {
      table: 'brand_visibility',
      shape: 'series',
      key: { date: dateOf, brand_id: ({ brand }) => brand.id },
      columns: fields('averageVisibility', 'mentionCount', 'totalResponses', 'visibilityPercentage'),
    },
    each((point: { brand: Brand }) => [point.brand], {
      table: 'brands',
      shape: 'project',
      key: { brand_id: ({ id: brandId }) => brandId },
      columns: fields('name', 'domain', 'relation'),
    }),
  ],
});
