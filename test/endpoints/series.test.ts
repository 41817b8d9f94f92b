import { describe, expect, test } from 'vitest';
import { days } from '../support/answers.ts';
import { documentedBodies } from '../support/documented-bodies.ts';
import { rowsOf } from './rows-of.ts';

test.each([
  ['visibility', 'visibility'],
  ['sentiment', 'sentiment'],
])('%s keeps a day without value as NULL and a zero as zero', (endpoint, column) => {
  expect(rowsOf(endpoint)).toEqual({
    [endpoint]: [
      { date: '2026-03-02', [column]: 41.5 },
      { date: '2026-03-03', [column]: null },
      { date: '2026-03-04', [column]: 0 },
    ],
  });
});

describe('share_of_voice', () => {
  const rows = [
    {
      date: '2026-03-02',
      total_responses: 40,
      brand_mentions: 10,
      share_of_voice: 25,
      previous_period_share_of_voice: 20,
      change: 5,
    },
    {
      date: '2026-03-03',
      total_responses: 0,
      brand_mentions: 0,
      share_of_voice: 0,
      previous_period_share_of_voice: null,
      change: null,
    },
    {
      date: '2026-03-04',
      total_responses: 10,
      brand_mentions: 1,
      share_of_voice: 10,
      previous_period_share_of_voice: null,
      change: null,
    },
  ];

  test('takes an absent and a null previous period for NULL', () => {
    expect(rowsOf('share_of_voice')).toEqual({ share_of_voice: rows });
  });

  test('drops the period that was asked for only as the previous one', () => {
    const changes = {
      slice: { window: days('2026-03-03', '2026-03-08') },
      asked: days('2026-03-02', '2026-03-08'),
    };
    expect(rowsOf('share_of_voice', changes)).toEqual({ share_of_voice: rows.slice(1) });
  });
});

test('brand_visibility gives figures and brands, also of one without domain and with a number for a name', () => {
  expect(rowsOf('brand_visibility')).toEqual({
    brand_visibility: [
      {
        date: '2026-03-02',
        brand_id: 'brand-1',
        average_visibility: 33.25,
        mention_count: 12,
        total_responses: 40,
        visibility_percentage: 30,
      },
      {
        date: '2026-03-02',
        brand_id: '10',
        average_visibility: 0,
        mention_count: 0,
        total_responses: 40,
        visibility_percentage: 0,
      },
    ],
    brands: [
      { brand_id: 'brand-1', name: 'Acme', domain: 'acme.example', relation: 'SELF' },
      { brand_id: '10', name: '10', domain: null, relation: null },
    ],
  });
});

test('domain_citations joins dates and data by their place', () => {
  expect(rowsOf('domain_citations')).toEqual({
    domain_citations: [
      { date: '2026-03-02', domain: 'example.com', citations: 5 },
      { date: '2026-03-03', domain: 'example.com', citations: 0 },
      { date: '2026-03-02', domain: 'bücher.example', citations: 1 },
      { date: '2026-03-03', domain: 'bücher.example', citations: null },
      { date: '2026-03-02', domain: '__proto__', citations: 2 },
      { date: '2026-03-03', domain: '__proto__', citations: 0 },
    ],
  });
});

test('citation_ranks has no rank on a day without citations', () => {
  expect(rowsOf('citation_ranks')).toEqual({
    citation_ranks: [
      {
        date: '2026-03-02',
        total_citations: 6,
        average_rank: 2.5,
        best_rank: 1,
        worst_rank: 4,
        citations_with_rank: 4,
      },
      {
        date: '2026-03-03',
        total_citations: 0,
        average_rank: null,
        best_rank: null,
        worst_rank: null,
        citations_with_rank: 0,
      },
    ],
  });
});

test('response_sentiment gives four counts a day', () => {
  expect(rowsOf('response_sentiment')).toEqual({
    response_sentiment: [
      { date: '2026-03-02', positive: 3, negative: 1, neutral: 5, unknown: 0 },
      { date: '2026-03-03', positive: 0, negative: 0, neutral: 0, unknown: 2 },
    ],
  });
});

test('crawler_requests stores crawlers as they are called, key or label', () => {
  expect(rowsOf('crawler_requests')).toEqual({
    crawler_requests: [
      { date: '2026-03-02', crawler: 'openai-gptbot', requests: 10 },
      { date: '2026-03-03', crawler: 'openai-gptbot', requests: 0 },
      { date: '2026-03-02', crawler: 'Perplexity Bot', requests: 3 },
      { date: '2026-03-03', crawler: 'Perplexity Bot', requests: 4 },
    ],
  });
});

test('visitor_visits gives visits by referrer', () => {
  expect(rowsOf('visitor_visits')).toEqual({
    visitor_visits: [
      { date: '2026-03-02', referrer: 'chatgpt.com', visits: 7 },
      { date: '2026-03-03', referrer: 'chatgpt.com', visits: 8 },
    ],
  });
});

test('every series table has a documented body', () => {
  expect(Object.keys(documentedBodies)).toHaveLength(24);
});
