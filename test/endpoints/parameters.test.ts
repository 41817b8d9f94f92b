import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import type { Parameter } from '../../src/endpoints/endpoint.ts';
import type { Grain } from '../../src/day.ts';
import type { Scope } from '../../src/slice.ts';
import { parametersOf } from '../support/answers.ts';

const DATES: readonly Parameter[] = [
  ['startDate', '2026-03-02'],
  ['endDate', '2026-03-08'],
];
const RANGES = { day: 'day', week: 'week', month: 'month' } as const;
const LONG = { day: 'daily', week: 'weekly', month: 'monthly' } as const;
const SHOUTED = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY' } as const;

type OfGrain = (grain: Grain) => readonly Parameter[];
const range: OfGrain = (grain) => [['range', RANGES[grain]]];
const citations: OfGrain = (grain) => [
  ['range', SHOUTED[grain]],
  ['granularity', LONG[grain]],
  ['domainLimit', '50'],
  ['includeSelf', 'true'],
];
const noFilter: Partial<Record<Scope, string | null>> = { project: null };
const fine = { project: null, model: 'model', monitor: 'llmMonitorId', prompt: 'promptId' };
const finest = { ...fine, prompt_type: 'promptTypes' };
const utc: OfGrain = () => [['timezone', 'UTC']];
const nothing: OfGrain = () => [];

interface Expected {
  dates: boolean;
  grains: readonly Grain[];
  own: OfGrain;
  scopes: Partial<Record<Scope, string | null>>;
}
const ALL: readonly Grain[] = ['day', 'week', 'month'];
const figure = { dates: true, grains: ['day'] } as const;

const expectedOf: Readonly<Record<string, Expected>> = {
  validate: { ...figure, dates: false, own: nothing, scopes: noFilter },
  validate_v1: { ...figure, dates: false, own: nothing, scopes: noFilter },
  models: { ...figure, dates: false, own: nothing, scopes: noFilter },
  prompts: {
    ...figure,
    dates: false,
    own: () => [
      ['sortBy', 'createdAt'],
      ['sortOrder', 'asc'],
    ],
    scopes: noFilter,
  },
  prompt: { ...figure, dates: false, own: nothing, scopes: { prompt: null } },
  events: { ...figure, own: nothing, scopes: noFilter },
  visibility: { dates: true, grains: ALL, own: range, scopes: { ...fine, model: 'models' } },
  sentiment: { dates: true, grains: ALL, own: range, scopes: finest },
  share_of_voice: { dates: true, grains: ALL, own: range, scopes: fine },
  brand_visibility: {
    dates: true,
    grains: ALL,
    own: (grain) => [
      ['granularity', LONG[grain]],
      ['limit', '1000'],
    ],
    scopes: { project: null, model: 'model', prompt_type: 'promptTypes' },
  },
  domain_citations: { dates: true, grains: ALL, own: citations, scopes: finest },
  citation_ranks: { dates: true, grains: ALL, own: citations, scopes: finest },
  response_sentiment: { ...figure, own: nothing, scopes: noFilter },
  crawler_requests: { ...figure, own: utc, scopes: noFilter },
  visitor_visits: { ...figure, own: utc, scopes: noFilter },
  competitor_heatmap: {
    ...figure,
    own: () => [
      ['limit', '100'],
      ['excludeSelf', 'false'],
      ['hideIgnoredBrands', 'false'],
    ],
    scopes: fine,
  },
  domain_citation_totals: { ...figure, own: () => citations('day'), scopes: finest },
  citation_rank_totals: { ...figure, own: () => citations('day'), scopes: finest },
  llm_sources: { ...figure, own: () => [['limit', '100']], scopes: finest },
  share_of_voice_comparison: { ...figure, own: nothing, scopes: fine },
  crawler_top_pages: { ...figure, own: utc, scopes: noFilter },
  sentiment_distribution: { ...figure, own: nothing, scopes: noFilter },
  competitor_mentions: { ...figure, own: nothing, scopes: noFilter },
  response_summary: { ...figure, own: nothing, scopes: noFilter },
};

describe.each(Object.entries(expectedOf))('%s', (endpoint, { dates, grains, own, scopes }) => {
  const isSeries = grains.length > 1;

  test.each(
    Object.entries(scopes).flatMap(([scope, name]) =>
      grains.map((grain) => ({ scope: scope as Scope, name: name ?? null, grain })),
    ),
  )('sends exactly its parameters for scope $scope by $grain', ({ scope, name, grain }) => {
    const parameters = parametersOf(endpoint, { scope, scopeId: 'wert', ...(isSeries ? { grain } : {}) });
    expect(parameters).toEqual([
      ...(dates ? DATES : []),
      ...own(grain),
      ...(name === null ? [] : [[name, 'wert']]),
    ]);
  });

  test('declares these scopes and grains and no other', () => {
    const declared = catalogue.find(({ name }) => name === endpoint);
    expect(declared?.scopes).toEqual(scopes);
    expect(declared?.cut.kind === 'series' ? declared.cut.grains : ['day']).toEqual(grains);
  });
});

test('every endpoint of the catalogue is spoken of, under another name each', () => {
  expect(catalogue.map(({ name }) => name)).toEqual(Object.keys(expectedOf));
});

test('the configured zone is sent where days follow a zone', () => {
  expect(parametersOf('visitor_visits', {}, 'Europe/Berlin')).toContainEqual(['timezone', 'Europe/Berlin']);
});

test('only the model list is asked without the key', () => {
  expect(catalogue.filter(({ withKey }) => !withKey).map(({ name }) => name)).toEqual(['models']);
});
