import { z } from 'zod';
import { column, count, key } from './column.ts';
import { defineEndpoint, defineFlatEndpoint } from './endpoint.ts';
import * as field from './field.ts';
import { listBody, namedPoint, type NamedPoint, pointItems } from './item.ts';
import type { RowContext } from './table.ts';

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
    series: z.array(z.object({ name: z.string(), data: z.array(field.count) })),
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
      about: 'Requests of AI crawlers to the tracked site',
      key: { crawler: key('Crawler, as the API names it.', {}, ({ name }: NamedPoint) => name) },
      columns: {
        requests: count(
          'Requests.',
          { adds: 'over periods of one grain and over crawlers' },
          ({ value }: NamedPoint) => value,
        ),
      },
    },
  ],
});

/** Visits from AI assistants, by referrer and day; also for single landing pages. */
export const visitorVisits = defineEndpoint({
  ...trend,
  name: 'visitor_visits',
  scopes: { project: null, page: 'pathname' },
  path: '/api/v1/analytics/visitors/trend',
  outputs: [
    {
      table: 'visitor_visits',
      shape: 'series',
      about: 'Visits that AI assistants sent to the tracked site',
      meanings: {
        scope: {
          meaning:
            'Filter the request carried: project (none) or page (one landing page, sync.landing_pages). The visits of the project contain those of its pages.',
          divides: 'scopes',
        },
        scope_id: { meaning: 'Path of the page; the project id in scope project.' },
      },
      key: { referrer: key('Referrer, as the API names it.', {}, ({ name }: NamedPoint) => name) },
      columns: {
        visits: count(
          'Visits.',
          { adds: 'over periods of one grain and over referrers' },
          ({ value }: NamedPoint) => value,
        ),
      },
    },
  ],
});

/** A set: another order is not a change. */
const set = field.side(z.array(z.string())).transform((names) => names && [...new Set(names)].toSorted());

/** The pages that AI crawlers requested most in a window. */
export const crawlerTopPages = defineFlatEndpoint({
  name: 'crawler_top_pages',
  path: '/api/v1/analytics/crawlers/top-pages',
  cut: { kind: 'window', series: 'crawler_requests' },
  hasTimezone: true,
  scopes,
  ...listBody,
  table: {
    table: 'crawler_top_pages',
    shape: 'window',
    about: 'Pages that AI crawlers asked for most',
    key: { request_path: key('Path of the page.') },
    columns: {
      requests: count('Requests.', { adds: 'over the listed pages (a top list), not over windows' }),
      unique_crawlers: count('Different crawlers.', { adds: 'never', averages: true }),
      crawlers: column('varchar[]', set)('Names of the crawlers.'),
    },
  },
  notEnabled: (body) => body.length === 0,
});
