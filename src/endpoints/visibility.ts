import { z } from 'zod';
import { defineEndpoint, limit, type Endpoint } from './endpoint.ts';
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
import { fields } from './table.ts';
import { addDays } from '../day.ts';
import { sliceGrain, sliceWindow, type Slice } from '../slice.ts';

const GRAINS = ['day', 'week', 'month'] as const;

const visibilityScopes = {
  project: null,
  model: 'models',
  monitor: 'llmMonitorId',
  prompt: 'promptId',
} as const;

/** One score by period, stored in a table and a column of the endpoint's name. */
function score(declared: Pick<Endpoint, 'name' | 'path' | 'scopes'>): Endpoint {
  const { name } = declared;
  return defineEndpoint({
    ...declared,
    cut: { kind: 'series', grains: GRAINS, leadPeriods: 0 },
    params: ({ slice }) => [['range', sliceGrain(slice) ?? 'day']],
    ...listBody,
    item: z.object({ date: day, value: measureOrNull }),
    outputs: [
      {
        table: name,
        shape: 'series',
        key: { date: dateOf },
        columns: { [name]: ({ value }) => value },
        empties: { columns: [name], to: 'null' },
      },
    ],
  });
}

/** Brand visibility of the project by period. */
export const visibility = score({
  name: 'visibility',
  path: '/api/v1/visibility-time-series',
  scopes: visibilityScopes,
});

/** Sentiment of brand mentions by period. */
export const sentiment = score({
  name: 'sentiment',
  path: '/api/v1/sentiment-time-series',
  scopes: { ...visibilityScopes, model: 'model', prompt_type: 'promptTypes' },
});

const GRANULARITIES = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

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
  scopes: { project: null, model: 'model', prompt_type: 'promptTypes' },
  paging: { kind: 'offset', list: (body) => z.array(z.unknown()).parse(body), looksWhole: reachesTheEnd },
  limit: 1000,
  params: (ask) => [['granularity', GRANULARITIES[sliceGrain(ask.slice) ?? 'day']], ...limit(ask, 'limit')],
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
      columns: fields('averageVisibility', 'mentionCount', 'totalResponses', 'visibilityPercentage'),
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
