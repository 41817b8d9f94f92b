import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { count, dateOf, day, measure, openEnum } from './field.ts';
import { listBody, wholeBodyWith } from './item.ts';
import { fields } from './table.ts';

const scopes = { project: null } as const;

/** Responses by sentiment and day. */
export const responseSentiment = defineEndpoint({
  name: 'response_sentiment',
  path: '/api/v1/responses/sentiment-time-series',
  cut: { kind: 'series', grains: ['day'], leadPeriods: 0 },
  scopes,
  ...listBody,
  item: z.object({ date: day, positive: count, negative: count, neutral: count, unknown: count }),
  outputs: [
    {
      table: 'response_sentiment',
      shape: 'series',
      key: { date: dateOf },
      columns: fields('positive', 'negative', 'neutral', 'unknown'),
    },
  ],
});

/** Responses of a window by sentiment. */
export const sentimentDistribution = defineEndpoint({
  name: 'sentiment_distribution',
  path: '/api/v1/responses/sentiment-distribution',
  cut: { kind: 'window', series: 'response_sentiment' },
  scopes,
  ...listBody,
  item: z.object({
    sentiment: openEnum('POSITIVE', 'NEGATIVE', 'NEUTRAL', 'UNKNOWN'),
    count: count,
    percentage: measure,
  }),
  outputs: [
    {
      table: 'sentiment_distribution',
      shape: 'window',
      key: fields('sentiment'),
      columns: fields('count', 'percentage'),
    },
  ],
});

/** The competitors mentioned most in a window. */
export const competitorMentions = defineEndpoint({
  name: 'competitor_mentions',
  path: '/api/v1/responses/competitors',
  cut: { kind: 'window', series: 'response_sentiment' },
  scopes,
  ...listBody,
  item: z.object({ competitor: z.string(), count: count, percentage: measure }),
  outputs: [
    {
      table: 'competitor_mentions',
      shape: 'window',
      key: { competitor: (item) => item.competitor.normalize('NFC') },
      columns: fields('count', 'percentage'),
    },
  ],
});

const summary = z.object({
  totalResponses: count,
  totalBrandMentions: count,
  brandMentionRate: measure,
});

/** Responses and brand mentions of a window. */
export const responseSummary = defineEndpoint({
  name: 'response_summary',
  path: '/api/v1/responses/summary',
  cut: { kind: 'window', series: 'response_sentiment' },
  scopes,
  ...wholeBodyWith('totalResponses', 'totalBrandMentions', 'brandMentionRate'),
  documented: summary,
  item: summary,
  outputs: [
    {
      table: 'response_summary',
      shape: 'window',
      columns: fields('totalResponses', 'totalBrandMentions', 'brandMentionRate'),
    },
  ],
});
