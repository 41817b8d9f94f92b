import { json } from './answers.ts';
import { eventsBody, promptsBody, promptBody, modelsBody, validationBody } from './documented-lists.ts';

const domains = {
  dates: ['2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
  series: [
    { domain: 'example.com', data: [5, 0], total: 5, percentage: 62.5, averageRank: 1.5 },
    { domain: 'bücher.example', data: [1, null], total: 1, percentage: 12.5, averageRank: null },
    { domain: '__proto__', data: [2, 0], total: 2, percentage: 25 },
  ],
  totalCitations: 8,
};

const ranks = {
  timeSeries: [
    {
      date: '2026-03-02T00:00:00.000Z',
      totalCitations: 6,
      averageRank: 2.5,
      bestRank: 1,
      worstRank: 4,
      citationsWithRank: 4,
    },
    {
      date: '2026-03-03T00:00:00.000Z',
      totalCitations: 0,
      averageRank: null,
      bestRank: null,
      worstRank: null,
      citationsWithRank: 0,
    },
  ],
  overallAverageRank: 2.5,
};

const points = [
  { date: '2026-03-02', value: 41.5 },
  { date: '2026-03-03', value: null },
  { date: '2026-03-04', value: 0 },
];

/** A body of each endpoint as the documents show it, with the values that break naive readers. */
export const documentedBodies: Readonly<Record<string, unknown>> = {
  validate: validationBody,
  validate_v1: validationBody,
  models: modelsBody,
  prompts: promptsBody,
  prompt: promptBody,
  events: eventsBody,
  visibility: points,
  sentiment: points,
  share_of_voice: [
    {
      date: '2026-03-02T00:00:00.000Z',
      totalResponses: 40,
      brandMentions: 10,
      shareOfVoice: 25,
      previousPeriodShareOfVoice: 20,
      change: 5,
    },
    { date: '2026-03-03T00:00:00.000Z', totalResponses: 0, brandMentions: 0, shareOfVoice: 0 },
    {
      date: '2026-03-04T00:00:00.000Z',
      totalResponses: 10,
      brandMentions: 1,
      shareOfVoice: 10,
      previousPeriodShareOfVoice: null,
      change: null,
    },
  ],
  brand_visibility: [
    {
      date: '2026-03-02',
      brand: { id: 'brand-1', name: 'Acme', domain: 'acme.example', relation: 'SELF' },
      averageVisibility: 33.25,
      mentionCount: 12,
      totalResponses: 40,
      visibilityPercentage: 30,
    },
    {
      date: '2026-03-02',
      brand: { id: '10', name: '10', domain: null, relation: null },
      averageVisibility: 0,
      mentionCount: 0,
      totalResponses: 40,
      visibilityPercentage: 0,
    },
  ],
  domain_citations: domains,
  domain_citation_totals: domains,
  citation_ranks: ranks,
  citation_rank_totals: ranks,
  llm_sources: [
    {
      llm: 'open_ai_gpt_4_1',
      provider: 'open_ai',
      model: 'gpt_4_1',
      totalCitations: 90,
      uniqueDomains: 30,
      uniquePrompts: 12,
    },
  ],
  share_of_voice_comparison: {
    current: { totalResponses: 200, brandMentions: 50, shareOfVoice: 25 },
    previous: { totalResponses: 100, brandMentions: 20, shareOfVoice: 20 },
    change: 5,
    changePercent: 25,
  },
  response_sentiment: [
    { date: '2026-03-02', positive: 3, negative: 1, neutral: 5, unknown: 0 },
    { date: '2026-03-03', positive: 0, negative: 0, neutral: 0, unknown: 2 },
  ],
  sentiment_distribution: [
    { sentiment: 'POSITIVE', count: 3, percentage: 75 },
    { sentiment: 'UNKNOWN', count: 1, percentage: 25 },
  ],
  competitor_mentions: [
    { competitor: 'Rival', count: 7, percentage: 70 },
    { competitor: 'constructor', count: 3, percentage: 30 },
  ],
  response_summary: { totalResponses: 200, totalBrandMentions: 64, brandMentionRate: 0.25 },
  crawler_requests: {
    dates: ['2026-03-02', '2026-03-03'],
    series: [
      { name: 'openai-gptbot', data: [10, 0] },
      { name: 'Perplexity Bot', data: [3, 4] },
    ],
  },
  visitor_visits: {
    dates: ['2026-03-02', '2026-03-03'],
    series: [{ name: 'chatgpt.com', data: [7, 8] }],
  },
  crawler_top_pages: [
    { request_path: '/', requests: 9, unique_crawlers: 2, crawlers: ['openai-gptbot', 'x-ai-grok-bot'] },
    { request_path: '/über-uns?a=1', requests: 1, unique_crawlers: 0, crawlers: [] },
  ],
  // As text: an object literal would set the prototype instead of a key `__proto__`.
  competitor_heatmap: json(`{
    "models": ["open_ai_gpt", "google_gemini"],
    "competitors": [
      {"name": "Rival", "domain": "rival.example", "relation": "DIRECT_COMPETITOR"},
      {"name": "10", "domain": "ten.example", "relation": "OTHER"},
      {"name": "__proto__", "domain": null, "relation": null},
      {"name": "constructor", "domain": "c.example", "relation": "OTHER"},
      {"name": "Rival", "domain": "rival.other", "relation": "OTHER"}
    ],
    "matrix": {
      "10": {"open_ai_gpt": 10, "google_gemini": 0},
      "Rival": {"open_ai_gpt": 55.5, "google_gemini": null},
      "__proto__": {"open_ai_gpt": 1}
    },
    "minVisibility": 0,
    "maxVisibility": 55.5
  }`),
};
