import { z } from 'zod';
import { defineEndpoint, type Ask, type Parameter, dates, filter, limit } from './endpoint.ts';
import {
  dateOf,
  day,
  id,
  label,
  maybeText,
  measure,
  measureOrNull,
  openEnum,
  orNull,
  roundedCount,
} from './field.ts';
import { listBody } from './item.ts';
import { addDays } from '../day.ts';
import { sliceGrain, sliceWindow, type Slice } from '../slice.ts';

const GRAINS = ['day', 'week', 'month'] as const;

const visibilityScopes = {
  project: null,
  model: 'models',
  monitor: 'llmMonitorId',
  prompt: 'promptId',
} as const;

const sentimentScopes = { ...visibilityScopes, model: 'model', prompt_type: 'promptTypes' } as const;

/** A list of values by period. */
function points(scopes: typeof visibilityScopes | typeof sentimentScopes) {
  return {
    cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
    scopes,
    params: (ask: Ask): readonly Parameter[] => [
      ...dates(ask),
      ['range', sliceGrain(ask.slice) ?? 'day'],
      ...filter(ask, scopes),
    ],
    ...listBody,
    item: z.object({ date: day, value: measureOrNull }),
  } as const;
}

/** Brand visibility of the project by period. */
export const visibility = defineEndpoint({
  name: 'visibility',
  path: '/api/v1/visibility-time-series',
  ...points(visibilityScopes),
  outputs: [
    {
      table: 'visibility',
      shape: 'series',
      key: { date: dateOf },
      columns: { visibility: ({ value }) => value },
      empties: { columns: ['visibility'], to: 'null' },
    },
  ],
});

/** Sentiment of brand mentions by period. */
export const sentiment = defineEndpoint({
  name: 'sentiment',
  path: '/api/v1/sentiment-time-series',
  ...points(sentimentScopes),
  outputs: [
    {
      table: 'sentiment',
      shape: 'series',
      key: { date: dateOf },
      columns: { sentiment: ({ value }) => value },
      empties: { columns: ['sentiment'], to: 'null' },
    },
  ],
});

const GRANULARITIES = { day: 'daily', week: 'weekly', month: 'monthly' } as const;
const brandScopes = { project: null, model: 'model', prompt_type: 'promptTypes' } as const;

const dated = z.object({ date: z.string(), brand: z.object({ id: z.unknown() }) });
/** A server may have nothing yet of the newest days. */
const LATE_DAYS = 2;

/** True when each brand has each period, up to the end of the window: a cap would leave a brand or the end out. */
function reachesTheEnd(list: readonly unknown[], slice: Slice): boolean {
  const points = list.map((point) => dated.safeParse(point).data ?? null);
  const dates = new Set(points.map((point) => point?.date.slice(0, 10) ?? ''));
  const brands = new Set(points.map((point) => point?.brand.id));
  const window = sliceWindow(slice);
  if (dates.has('') || window === null || points.length !== dates.size * brands.size) return false;
  const last = [...dates].toSorted().at(-1) ?? '';
  return sliceGrain(slice) !== 'day' || last >= addDays(window.end, -LATE_DAYS);
}

/** Visibility of every brand by period, including own and ignored brands: no relation filter is sent. */
export const brandVisibility = defineEndpoint({
  name: 'brand_visibility',
  path: '/api/v1/analytics/brands/visibility-over-time',
  cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
  hasDailyKpis: false,
  scopes: brandScopes,
  paging: { kind: 'offset', list: (body) => z.array(z.unknown()).parse(body), looksWhole: reachesTheEnd },
  limit: 1000,
  params: (ask) => [
    ...dates(ask),
    ['granularity', GRANULARITIES[sliceGrain(ask.slice) ?? 'day']],
    ...limit(ask, 'limit'),
    ...filter(ask, brandScopes),
  ],
  ...listBody,
  item: z.object({
    date: day,
    brand: z.object({
      id,
      name: label,
      domain: maybeText,
      relation: openEnum('DIRECT_COMPETITOR', 'SELF', 'IGNORED', 'OTHER').nullish().transform(orNull),
    }),
    averageVisibility: measure,
    mentionCount: roundedCount,
    totalResponses: roundedCount,
    visibilityPercentage: measure,
  }),
  outputs: [
    {
      table: 'brand_visibility',
      shape: 'series',
      key: { date: dateOf, brand_id: ({ brand }) => brand.id },
      columns: {
        average_visibility: (item) => item.averageVisibility,
        mention_count: (item) => item.mentionCount,
        total_responses: (item) => item.totalResponses,
        visibility_percentage: (item) => item.visibilityPercentage,
      },
      empties: { columns: ['total_responses'], to: 'zero' },
    },
    {
      table: 'brands',
      shape: 'project',
      key: { brand_id: ({ brand }) => brand.id },
      columns: {
        name: ({ brand }) => brand.name,
        domain: ({ brand }) => brand.domain,
        relation: ({ brand }) => brand.relation,
      },
    },
  ],
});
