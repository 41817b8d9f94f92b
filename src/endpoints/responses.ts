import { z } from 'zod';
import { defineEndpoint, dates } from './endpoint.ts';
import { count, dateOf, day, measure, openEnum, roundedCount } from './field.ts';
import { listBody, wholeBody } from './item.ts';

const scopes = { project: null } as const;

/** Responses by sentiment and day. */
export const responseSentiment = defineEndpoint({
  name: 'response_sentiment',
  path: '/api/v1/responses/sentiment-time-series',
  cut: { kind: 'series', grains: ['day'], leadPeriods: 0 },
  scopes,
  params: dates,
  ...listBody,
  item: z.object({ date: day, positive: count, negative: count, neutral: count, unknown: count }),
  outputs: [
    {
      table: 'response_sentiment',
      shape: 'series',
      key: { date: dateOf },
      columns: {
        positive: (item) => item.positive,
        negative: (item) => item.negative,
        neutral: (item) => item.neutral,
        unknown: (item) => item.unknown,
      },
      empties: { columns: ['positive', 'negative', 'neutral', 'unknown'], to: 'zero' },
    },
  ],
});

/** Responses of a window by sentiment. */
export const sentimentDistribution = defineEndpoint({
  name: 'sentiment_distribution',
  path: '/api/v1/responses/sentiment-distribution',
  cut: { kind: 'window' },
  scopes,
  params: dates,
  ...listBody,
  item: z.object({
    sentiment: openEnum('POSITIVE', 'NEGATIVE', 'NEUTRAL', 'UNKNOWN'),
    count: roundedCount,
    percentage: measure,
  }),
  outputs: [
    {
      table: 'sentiment_distribution',
      shape: 'window',
      key: { sentiment: (item) => item.sentiment },
      columns: {
        count: (item) => item.count,
        percentage: (item) => item.percentage,
      },
    },
  ],
});

/** The competitors mentioned most in a window. */
export const competitorMentions = defineEndpoint({
  name: 'competitor_mentions',
  path: '/api/v1/responses/competitors',
  cut: { kind: 'window' },
  scopes,
  params: dates,
  ...listBody,
  item: z.object({ competitor: z.string(), count: roundedCount, percentage: measure }),
  outputs: [
    {
      table: 'competitor_mentions',
      shape: 'window',
      key: { competitor: (item) => item.competitor.normalize('NFC') },
      columns: {
        count: (item) => item.count,
        percentage: (item) => item.percentage,
      },
    },
  ],
});

const summary = z.object({
  totalResponses: roundedCount,
  totalBrandMentions: roundedCount,
  brandMentionRate: measure,
});

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
  outputs: [
    {
      table: 'response_summary',
      shape: 'window',
      columns: {
        total_responses: (item) => item.totalResponses,
        total_brand_mentions: (item) => item.totalBrandMentions,
        brand_mention_rate: (item) => item.brandMentionRate,
      },
      empties: { columns: ['total_responses'], to: 'zero' },
    },
  ],
});
