import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { count, dateOf, side } from './field.ts';
import { listBody, namedPoint, pointItems } from './item.ts';
import { fields, type RowContext } from './table.ts';

const scopes = { project: null } as const;

const trendBody = z.object({ dates: z.array(z.unknown()), series: z.array(z.unknown()) });
type TrendBody = z.output<typeof trendBody>;

const trend = {
  cut: { kind: 'series', grains: ['day'], leadPeriods: 0 },
  hasTimezone: true,
  scopes,
  body: trendBody,
  documented: z.object({
    dates: z.array(z.string()),
    series: z.array(z.object({ name: z.string(), data: z.array(count) })),
  }),
  items: (body: TrendBody, context: RowContext) => pointItems(body, 'name', context),
  item: namedPoint,
  dates: ({ dates: days }: TrendBody) => days,
  notEnabled: ({ dates: days, series }: TrendBody): boolean => days.length === 0 && series.length === 0,
} as const;

/** Requests of AI crawlers to the tracked site, by crawler and day. */
export const crawlerRequests = defineEndpoint({
  ...trend,
  name: 'crawler_requests',
  path: '/api/v1/analytics/crawlers/trend',
  outputs: [
    {
      table: 'crawler_requests',
      shape: 'series',
      key: { date: dateOf, crawler: ({ name }) => name },
      columns: { requests: ({ value }) => value },
    },
  ],
});

/** Visits that came from AI assistants, by referrer and day; of a landing page too. */
export const visitorVisits = defineEndpoint({
  ...trend,
  name: 'visitor_visits',
  scopes: { project: null, page: 'pathname' },
  path: '/api/v1/analytics/visitors/trend',
  outputs: [
    {
      table: 'visitor_visits',
      shape: 'series',
      key: { date: dateOf, referrer: ({ name }) => name },
      columns: { visits: ({ value }) => value },
    },
  ],
});

/** The pages that AI crawlers asked for most over a window. */
export const crawlerTopPages = defineEndpoint({
  name: 'crawler_top_pages',
  path: '/api/v1/analytics/crawlers/top-pages',
  cut: { kind: 'window', series: 'crawler_requests' },
  hasTimezone: true,
  scopes,
  ...listBody,
  item: z.object({
    request_path: z.string(),
    requests: count,
    unique_crawlers: count,
    crawlers: side(z.array(z.string())),
  }),
  outputs: [
    {
      table: 'crawler_top_pages',
      shape: 'window',
      key: fields('request_path'),
      columns: {
        ...fields('requests', 'unique_crawlers'),
        // A set: another order is no news.
        crawlers: ({ crawlers }) => crawlers && [...new Set(crawlers)].toSorted(),
      },
    },
  ],
  notEnabled: (body) => body.length === 0,
});
