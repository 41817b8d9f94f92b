import { z } from 'zod';
import { defineEndpoint, type Ask, type Parameter } from './endpoint.ts';
import { count, day, listItems, oneRow, seriesOutput, windowOutput } from './field.ts';
import { pointItems } from './point-series.ts';
import { dates } from './request-parameters.ts';

const scopes = { project: null } as const;

/** Days follow the zone that is asked for, so it is always said. */
function params(ask: Ask): readonly Parameter[] {
  return [...dates(ask), ['timezone', ask.timezone]];
}

const trendBody = z.object({ dates: z.array(z.unknown()), series: z.array(z.unknown()) });

const trend = {
  cut: { kind: 'series', grains: ['day'], leadPeriods: 0 },
  scopes,
  params,
  body: trendBody,
  documented: z.object({
    dates: z.array(z.string()),
    series: z.array(z.object({ name: z.string(), data: z.array(z.unknown()) })),
  }),
  items: (body: { dates: unknown[]; series: unknown[] }) => pointItems(body, 'name'),
  item: z.object({ date: day, name: z.string(), value: count.nullable() }),
  notEnabled: (body: unknown): boolean => {
    const { dates: days, series } = trendBody.parse(body);
    return days.length === 0 && series.length === 0;
  },
} as const;

/** Requests of AI crawlers to the tracked site, by crawler and day. */
export const crawlerRequests = defineEndpoint({
  ...trend,
  name: 'crawler_requests',
  path: '/api/v1/analytics/crawlers/trend',
  rows: (point) =>
    oneRow('crawler_requests', { date: point.date, crawler: point.name, requests: point.value }),
  outputs: [seriesOutput('crawler_requests', ['crawler'], ['requests'])],
});

/** Visits that came from AI assistants, by referrer and day. */
export const visitorVisits = defineEndpoint({
  ...trend,
  name: 'visitor_visits',
  path: '/api/v1/analytics/visitors/trend',
  rows: (point) => oneRow('visitor_visits', { date: point.date, referrer: point.name, visits: point.value }),
  outputs: [seriesOutput('visitor_visits', ['referrer'], ['visits'])],
});

/** The pages that AI crawlers asked for most over a window. */
export const crawlerTopPages = defineEndpoint({
  name: 'crawler_top_pages',
  path: '/api/v1/analytics/crawlers/top-pages',
  cut: { kind: 'window' },
  scopes,
  params,
  body: z.array(z.unknown()),
  items: (body) => listItems(body),
  item: z.object({
    request_path: z.string(),
    requests: count,
    unique_crawlers: count,
    crawlers: z.array(z.string()),
  }),
  rows: (item) =>
    oneRow('crawler_top_pages', {
      request_path: item.request_path,
      requests: item.requests,
      unique_crawlers: item.unique_crawlers,
      crawlers: item.crawlers,
    }),
  outputs: [windowOutput('crawler_top_pages', ['request_path'], ['requests', 'unique_crawlers', 'crawlers'])],
  notEnabled: (body) => z.array(z.unknown()).parse(body).length === 0,
});
