import { expect, test } from 'vitest';
import type { Row } from '../../src/endpoints/row.ts';
import { rowsOf } from './rows-of.ts';

test('competitor_heatmap ranks by the list, finds cells of odd names, and tells equal names apart by domain', () => {
  const cells = (row: Row, ofOpenAi: number | null, ofGoogle: number | null): Row[] => [
    { ...row, model_id: 'open_ai_gpt', visibility: ofOpenAi },
    { ...row, model_id: 'google_gemini', visibility: ofGoogle },
  ];
  const row = (rank: number, name: string, domain: string): Row => ({
    competitor_name: name,
    competitor_domain: domain,
    relation: 'OTHER',
    competitor_rank: rank,
  });
  expect(rowsOf('competitor_heatmap')).toEqual({
    competitor_heatmap: [
      ...cells({ ...row(1, 'Rival', 'rival.example'), relation: 'DIRECT_COMPETITOR' }, 55.5, null),
      ...cells(row(2, '10', 'ten.example'), 10, 0),
      ...cells({ ...row(3, '__proto__', ''), relation: null }, 1, null),
      ...cells(row(4, 'constructor', 'c.example'), null, null),
      ...cells(row(5, 'Rival', 'rival.other'), 55.5, null),
    ],
  });
});

test('domain_citation_totals gives each domain and the total of all', () => {
  expect(rowsOf('domain_citation_totals')).toEqual({
    domain_citation_totals: [
      { domain: 'example.com', total: 5, percentage: 62.5, average_rank: 1.5 },
      { domain: 'bücher.example', total: 1, percentage: 12.5, average_rank: null },
      { domain: '__proto__', total: 2, percentage: 25, average_rank: null },
    ],
    citation_totals: [{ total_citations: 8 }],
  });
});

test('citation_rank_totals gives the overall rank, NULL when it is absent', () => {
  expect(rowsOf('citation_rank_totals')).toEqual({ citation_totals: [{ overall_average_rank: 2.5 }] });
  expect(rowsOf('citation_rank_totals', { bodies: [{ timeSeries: [] }] })).toEqual({
    citation_totals: [{ overall_average_rank: null }],
  });
});

test('llm_sources keeps provider and model as reported', () => {
  expect(rowsOf('llm_sources')).toEqual({
    llm_sources: [
      {
        llm: 'open_ai_gpt_4_1',
        provider: 'open_ai',
        model: 'gpt_4_1',
        total_citations: 90,
        unique_domains: 30,
        unique_prompts: 12,
      },
    ],
  });
});

test('share_of_voice_comparison puts both windows into one row', () => {
  expect(rowsOf('share_of_voice_comparison')).toEqual({
    share_of_voice_comparison: [
      {
        current_total_responses: 200,
        current_brand_mentions: 50,
        current_share_of_voice: 25,
        previous_total_responses: 100,
        previous_brand_mentions: 20,
        previous_share_of_voice: 20,
        change: 5,
        change_percent: 25,
      },
    ],
  });
});

test('crawler_top_pages keeps the list of crawlers, empty ones too', () => {
  expect(rowsOf('crawler_top_pages')).toEqual({
    crawler_top_pages: [
      { request_path: '/', requests: 9, unique_crawlers: 2, crawlers: ['openai-gptbot', 'x-ai-grok-bot'] },
      { request_path: '/über-uns?a=1', requests: 1, unique_crawlers: 0, crawlers: [] },
    ],
  });
});

test('sentiment_distribution gives a row a sentiment', () => {
  expect(rowsOf('sentiment_distribution')).toEqual({
    sentiment_distribution: [
      { sentiment: 'POSITIVE', count: 3, percentage: 75 },
      { sentiment: 'UNKNOWN', count: 1, percentage: 25 },
    ],
  });
});

test('competitor_mentions gives a row a competitor', () => {
  expect(rowsOf('competitor_mentions')).toEqual({
    competitor_mentions: [
      { competitor: 'Rival', count: 7, percentage: 70 },
      { competitor: 'constructor', count: 3, percentage: 30 },
    ],
  });
});

test('response_summary gives one row', () => {
  expect(rowsOf('response_summary')).toEqual({
    response_summary: [{ total_responses: 200, total_brand_mentions: 64, brand_mention_rate: 0.25 }],
  });
});
