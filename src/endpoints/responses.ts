import { column, count, measure, NEVER } from './column.ts';
import { z } from 'zod';
import { defineFlatEndpoint } from './endpoint.ts';
import { openEnum } from './field.ts';
import { listBody, wholeBodyWith } from './item.ts';

const scopes = { project: null } as const;

/** Responses by sentiment and day. */
export const responseSentiment = defineFlatEndpoint({
  name: 'response_sentiment',
  path: '/api/v1/responses/sentiment-time-series',
  cut: { kind: 'series', grains: ['day'], leadPeriods: 0 },
  scopes,
  ...listBody,
  table: {
    table: 'response_sentiment',
    shape: 'series',
    about: 'Responses by sentiment; grain is always day, scope always project',
    columns: {
      positive: count('Positive responses.', { adds: 'over days' }),
      negative: count('Negative responses.', { adds: 'over days' }),
      neutral: count('Neutral responses.', { adds: 'over days' }),
      unknown: count('Responses without a known sentiment.', { adds: 'over days' }),
    },
  },
});

/** Responses of a window by sentiment. */
export const sentimentDistribution = defineFlatEndpoint({
  name: 'sentiment_distribution',
  path: '/api/v1/responses/sentiment-distribution',
  cut: { kind: 'window', series: 'response_sentiment' },
  scopes,
  ...listBody,
  table: {
    table: 'sentiment_distribution',
    shape: 'window',
    about: 'Responses by sentiment',
    key: {
      sentiment: column(
        'varchar',
        openEnum('POSITIVE', 'NEGATIVE', 'NEUTRAL', 'UNKNOWN'),
      )('POSITIVE, NEGATIVE, NEUTRAL or what else the API reports.'),
    },
    columns: {
      count: count('Responses.', { adds: 'over sentiments, not over windows' }),
      percentage: measure('Share of responses, {unit}.', { unit: 'percent', adds: 'not over windows' }),
    },
  },
});

/** The most mentioned competitors of a window. */
export const competitorMentions = defineFlatEndpoint({
  name: 'competitor_mentions',
  path: '/api/v1/responses/competitors',
  cut: { kind: 'window', series: 'response_sentiment' },
  scopes,
  ...listBody,
  table: {
    table: 'competitor_mentions',
    shape: 'window',
    about: 'Mentions of competitors in responses, a top list',
    key: { competitor: column('varchar', z.string().normalize())('Name of the competitor.') },
    columns: {
      count: count('Responses that mention it.', { adds: 'not over windows' }),
      percentage: measure('Share of responses, {unit}.', { unit: 'percent', ...NEVER }),
    },
  },
});

/** Responses and brand mentions of a window. */
export const responseSummary = defineFlatEndpoint({
  name: 'response_summary',
  path: '/api/v1/responses/summary',
  cut: { kind: 'window', series: 'response_sentiment' },
  scopes,
  ...wholeBodyWith('totalResponses', 'totalBrandMentions', 'brandMentionRate'),
  table: {
    table: 'response_summary',
    shape: 'window',
    about: 'Responses and brand mentions in total',
    columns: {
      totalResponses: count('Responses in the window.', { adds: 'not over windows' }),
      totalBrandMentions: count('Mentions of your brand in the window.', { adds: 'not over windows' }),
      brandMentionRate: measure('Brand mention rate, scale as the API reports it.', NEVER),
    },
  },
});
