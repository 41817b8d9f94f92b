import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import {
  count,
  day,
  listItems,
  measure,
  oneRow,
  openEnum,
  seriesOutput,
  wholeBody,
  windowOutput,
} from './field.ts';
import { dates } from './request-parameters.ts';

const scopes = { project: null } as const;
const list = z.array(z.unknown());

/** Responses by sentiment and day. */
export const responseSentiment = defineEndpoint({
  name: 'response_sentiment',
  path: '/api/v1/responses/sentiment-time-series',
  cut: { kind: 'series', grains: ['day'], leadPeriods: 0 },
  scopes,
  params: dates,
  body: list,
  items: (body) => listItems(body),
  item: z.object({ date: day, positive: count, negative: count, neutral: count, unknown: count }),
  rows: ({ date, positive, negative, neutral, unknown }) =>
    oneRow('response_sentiment', { date, positive, negative, neutral, unknown }),
  outputs: [seriesOutput('response_sentiment', [], ['positive', 'negative', 'neutral', 'unknown'])],
});

/** Responses of a window by sentiment. */
export const sentimentDistribution = defineEndpoint({
  name: 'sentiment_distribution',
  path: '/api/v1/responses/sentiment-distribution',
  cut: { kind: 'window' },
  scopes,
  params: dates,
  body: list,
  items: (body) => listItems(body),
  item: z.object({
    sentiment: openEnum('POSITIVE', 'NEGATIVE', 'NEUTRAL', 'UNKNOWN'),
    count,
    percentage: measure,
  }),
  rows: (item) =>
    oneRow('sentiment_distribution', {
      sentiment: item.sentiment,
      count: item.count,
      percentage: item.percentage,
    }),
  outputs: [windowOutput('sentiment_distribution', ['sentiment'], ['count', 'percentage'])],
});

/** The competitors mentioned most in a window. */
export const competitorMentions = defineEndpoint({
  name: 'competitor_mentions',
  path: '/api/v1/responses/competitors',
  cut: { kind: 'window' },
  scopes,
  params: dates,
  body: list,
  items: (body) => listItems(body),
  item: z.object({ competitor: z.string(), count, percentage: measure }),
  rows: (item) =>
    oneRow('competitor_mentions', {
      competitor: item.competitor,
      count: item.count,
      percentage: item.percentage,
    }),
  outputs: [windowOutput('competitor_mentions', ['competitor'], ['count', 'percentage'])],
});

const summary = z.object({ totalResponses: count, totalBrandMentions: count, brandMentionRate: measure });

/** Responses and brand mentions of a window. */
export const responseSummary = defineEndpoint({
  name: 'response_summary',
  path: '/api/v1/responses/summary',
  cut: { kind: 'window' },
  scopes,
  params: dates,
  body: z.object({}).loose(),
  documented: summary,
  items: wholeBody,
  item: summary,
  rows: (item) =>
    oneRow('response_summary', {
      total_responses: item.totalResponses,
      total_brand_mentions: item.totalBrandMentions,
      brand_mention_rate: item.brandMentionRate,
    }),
  outputs: [
    windowOutput('response_summary', [], ['total_responses', 'total_brand_mentions', 'brand_mention_rate']),
  ],
});
