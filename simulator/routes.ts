import * as citations from './citation-answers.ts';
import { pushDraft } from './draft-answer.ts';
import { events } from './event-answers.ts';
import { OWN_ROUTES } from './own-routes.ts';
import * as rule from './parameter-rules.ts';
import type { ParameterRules } from './parameters.ts';
import * as reference from './reference-answers.ts';
import * as responses from './response-answers.ts';
import { projectRoute, type Route, type RouteRequest } from './route.ts';
import * as series from './series-answers.ts';
import { CRAWLER_KEYS } from './texts.ts';
import * as traffic from './traffic-answers.ts';
import { RELATIONS } from './world.ts';

const { TEXT, FLAG, LIST, choice, listOf, integer, WINDOW, ONE_PROMPT, PERIOD, TYPES } = rule;

const PERIODLY = choice('daily', 'weekly', 'monthly');
const OF_MODEL: ParameterRules = { ...WINDOW, ...ONE_PROMPT, model: TEXT };

const CITATIONS: ParameterRules = {
  ...OF_MODEL,
  promptTypes: TYPES,
  range: choice('DAILY', 'WEEKLY', 'MONTHLY'),
  granularity: PERIODLY,
  domainLimit: integer(1, 50),
  domains: LIST,
  includeSelf: FLAG,
};

const CRAWLERS: ParameterRules = { ...WINDOW, crawlers: listOf(CRAWLER_KEYS), timezone: { kind: 'zone' } };

const VALIDATION = { method: 'GET', access: 'validation', rules: {}, answer: reference.validation } as const;

function v1(endpoint: string, rules: ParameterRules, answer: (request: RouteRequest) => unknown): Route {
  return projectRoute({ version: 'v1', endpoint, rules, answer });
}

/** Every operation of the API. */
const ROUTES: readonly Route[] = [
  { ...VALIDATION, version: 'v2', endpoint: 'auth/validate' },
  { ...VALIDATION, version: 'v1', endpoint: 'validate' },
  { version: 'v1', method: 'GET', access: 'open', endpoint: 'models', rules: {}, answer: reference.models },
  projectRoute({
    endpoint: 'events',
    rules: { ...WINDOW, ...ONE_PROMPT, page: integer(1), size: integer(1, 200) },
    answer: events,
  }),
  { ...projectRoute({ endpoint: 'content/{id}/cms/draft', rules: {}, answer: pushDraft }), method: 'POST' },
  v1(
    'prompts',
    {
      page: integer(1),
      size: integer(1, 100),
      llmMonitorId: TEXT,
      query: TEXT,
      isActive: FLAG,
      types: TYPES,
      sortBy: choice(...Object.keys(reference.SORT_VALUES)),
      sortOrder: choice('asc', 'desc'),
    },
    reference.prompts,
  ),
  v1('prompts/{id}', {}, reference.promptById),
  v1(
    'competitor-heatmap',
    { ...OF_MODEL, limit: integer(1, 100), excludeSelf: FLAG, hideIgnoredBrands: FLAG },
    responses.competitorHeatmap,
  ),
  v1('citations/domains-over-time', CITATIONS, citations.domainsOverTime),
  v1('citations/rank-analysis', CITATIONS, citations.rankAnalysis),
  v1(
    'citations/llm-sources',
    { ...OF_MODEL, promptTypes: TYPES, limit: integer(1, 100), domains: LIST },
    citations.llmSources,
  ),
  v1('share-of-voice/time-series', { ...OF_MODEL, range: PERIOD }, series.shareOfVoiceTimeSeries),
  v1('share-of-voice/comparison', OF_MODEL, series.shareOfVoiceComparison),
  v1(
    'analytics/brands/visibility-over-time',
    {
      ...WINDOW,
      granularity: PERIODLY,
      model: TEXT,
      promptTypes: TYPES,
      limit: integer(1),
      offset: integer(0),
      relation: listOf(RELATIONS),
    },
    series.brandVisibilityOverTime,
  ),
  v1('analytics/crawlers/trend', CRAWLERS, traffic.crawlersTrend),
  v1('analytics/crawlers/top-pages', CRAWLERS, traffic.crawlersTopPages),
  v1(
    'analytics/visitors/trend',
    { ...WINDOW, referrerDomains: LIST, timezone: { kind: 'zone' }, pathname: TEXT },
    traffic.visitorsTrend,
  ),
  v1('responses/sentiment-time-series', WINDOW, responses.responseSentimentTimeSeries),
  v1('responses/sentiment-distribution', WINDOW, responses.sentimentDistribution),
  v1('responses/competitors', WINDOW, responses.responseCompetitors),
  v1('responses/summary', WINDOW, responses.responseSummary),
  v1('sentiment-time-series', { ...OF_MODEL, promptTypes: TYPES, range: PERIOD }, series.sentimentTimeSeries),
  v1(
    'visibility-time-series',
    { ...WINDOW, ...ONE_PROMPT, models: LIST, range: PERIOD },
    series.visibilityTimeSeries,
  ),
  ...OWN_ROUTES,
];

export interface RouteMatch {
  route: Route;
  /** The `{id}` of the path, '' when the route has none. */
  id: string;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MATCHERS = ROUTES.map((route) => {
  const parts = `/api/${route.version}/${route.endpoint}`.split('{id}');
  return { route, pattern: new RegExp(`^${parts.join('([^/]+)')}$`) };
});

/** Every route of the path, with any method. */
export function routesOf(path: string): RouteMatch[] {
  return MATCHERS.flatMap(({ route, pattern }) => {
    const match = pattern.exec(path);
    return match === null ? [] : [{ route, id: decode(match[1] ?? '') }];
  });
}
