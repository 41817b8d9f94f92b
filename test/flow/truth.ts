import { addDays, type Day } from '../../src/day.ts';
import type { Simulator } from '../../simulator/simulator.ts';

/*
 * What the warehouse must hold, asked from the simulator directly and written by hand: it shares no line with the
 * endpoints, the planner or the loader.
 */

export type Json = Record<string, unknown>;
export type TruthRow = Json;
type Query = Readonly<Record<string, string>>;

interface Who {
  simulator: Simulator;
  apiKey: string;
  projectId: string;
}

export interface TruthOptions extends Who {
  start: Day;
  end: Day;
  scope?: { scope: string; scopeId: string; parameter: Record<string, string> } | undefined;
}

export function ask<T>({ simulator, ...who }: Who, path: string, query: Query): T {
  const answer = simulator.answer(path, query, who);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}

export interface Trend {
  dates: string[];
  series: { name?: string; domain?: string; data: number[] }[];
}

interface Told {
  path: string;
  query?: Query;
  /** The parameter that names a model. */
  filter?: string;
  rows(body: never, other: (path: string) => Json): Json[];
}

/** The fields of an answer as the columns of a table are called. */
function renamed(row: Json, prefix = ''): Json {
  const nameOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [prefix + nameOf(name), value]));
}

const points = (column: string) => (body: Json[]) =>
  body.map(({ date, value }) => ({ date, [column]: value }));
const trend = (name: string, column: string) => (body: Trend) =>
  body.series.flatMap((one) =>
    one.data.map((value, at) => ({ date: body.dates[at], [name]: one.domain ?? one.name, [column]: value })),
  );
const same = (body: Json[]): Json[] => body.map((row) => renamed(row));

const DAILY = { range: 'day' };
const UTC = { timezone: 'UTC' };
const CITATIONS = { range: 'DAILY', granularity: 'daily', domainLimit: '50', includeSelf: 'true' };
const DOMAINS = '/api/v1/citations/domains-over-time';
const CRAWLERS = '/api/v1/analytics/crawlers/trend';
const RANKS = '/api/v1/citations/rank-analysis';
const NO_PREVIOUS = { previousPeriodShareOfVoice: null, change: null };

/** The tables with a row a day. */
export const SERIES: Readonly<Record<string, Told>> = {
  visibility: {
    path: '/api/v1/visibility-time-series',
    query: DAILY,
    filter: 'models',
    rows: points('visibility'),
  },
  sentiment: {
    path: '/api/v1/sentiment-time-series',
    query: DAILY,
    filter: 'model',
    rows: points('sentiment'),
  },
  share_of_voice: {
    path: '/api/v1/share-of-voice/time-series',
    query: DAILY,
    filter: 'model',
    rows: (body: Json[]) => body.map((row) => renamed({ ...NO_PREVIOUS, ...row })),
  },
  brand_visibility: {
    path: '/api/v1/analytics/brands/visibility-over-time',
    query: { granularity: 'daily', limit: '100000' },
    rows: (body: { brand: Json }[]) =>
      body.map(({ brand, ...row }) => ({ ...renamed(row), brand_id: brand['id'] })),
  },
  domain_citations: { path: DOMAINS, query: CITATIONS, rows: trend('domain', 'citations') },
  citation_ranks: {
    path: RANKS,
    query: CITATIONS,
    rows: ({ timeSeries }: { timeSeries: Json[] }) => same(timeSeries),
  },
  response_sentiment: { path: '/api/v1/responses/sentiment-time-series', rows: same },
  crawler_requests: { path: CRAWLERS, query: UTC, rows: trend('crawler', 'requests') },
  visitor_visits: { path: '/api/v1/analytics/visitors/trend', query: UTC, rows: trend('referrer', 'visits') },
};

/** The tables with rows of a window. */
const WINDOWS: Readonly<Record<string, Told>> = {
  competitor_heatmap: {
    path: '/api/v1/competitor-heatmap',
    query: { limit: '100', hideIgnoredBrands: 'false', excludeSelf: 'false' },
    rows: heatmapRows,
  },
  domain_citation_totals: {
    path: DOMAINS,
    query: CITATIONS,
    rows: ({ series }: { series: Json[] }) =>
      series.map(({ domain, total, percentage, averageRank = null }) =>
        renamed({ domain, total, percentage, averageRank }),
      ),
  },
  citation_totals: {
    path: DOMAINS,
    query: CITATIONS,
    rows: ({ totalCitations }: Json, other) => [
      renamed({ totalCitations, overallAverageRank: other(RANKS)['overallAverageRank'] ?? null }),
    ],
  },
  llm_sources: { path: '/api/v1/citations/llm-sources', query: { limit: '100' }, rows: same },
  share_of_voice_comparison: {
    path: '/api/v1/share-of-voice/comparison',
    rows: ({ current, previous, change = null, changePercent = null }: Record<string, Json | null>) => [
      {
        ...renamed(current ?? {}, 'current_'),
        ...renamed(previous ?? {}, 'previous_'),
        ...renamed({ change, changePercent }),
      },
    ],
  },
  crawler_top_pages: {
    path: '/api/v1/analytics/crawlers/top-pages',
    query: UTC,
    rows: (body: { crawlers: string[] }[]) =>
      body.map((page) => ({ ...page, crawlers: page.crawlers.toSorted() })),
  },
  sentiment_distribution: { path: '/api/v1/responses/sentiment-distribution', rows: same },
  competitor_mentions: { path: '/api/v1/responses/competitors', rows: same },
  response_summary: { path: '/api/v1/responses/summary', rows: (body: Json) => [renamed(body)] },
};

/** Rows of a table in the answer to one range of days. */
function rowsOf(told: Told | undefined, options: TruthOptions): Json[] {
  if (told === undefined) throw new RangeError('no such table');
  const { start, end, scope } = options;
  const { path, query, filter = 'model', rows } = told;
  const filtered = scope?.scope === 'model' ? { [filter]: scope.scopeId } : scope?.parameter;
  const asked = { startDate: start, endDate: end, ...query, ...filtered };
  const own = { project_id: options.projectId, scope: 'project', scope_id: options.projectId };
  const scoped = scope === undefined ? own : { ...own, scope: scope.scope, scope_id: scope.scopeId };
  const body = ask<never>(options, path, asked);
  // A point with nothing but nulls is no row.
  const isRow = ({ date: _date, ...figures }: Json): boolean =>
    Object.values(figures).some((figure) => figure !== null);
  return rows(body, (other) => ask<Json>(options, other, asked))
    .filter(isRow)
    .map((row) => ({ ...scoped, ...row }));
}

export function seriesTruth(table: string, options: TruthOptions): TruthRow[] {
  return rowsOf(SERIES[table], options).map((row) => ({
    grain: 'day',
    ...row,
    date: String(row['date']).slice(0, 10),
  }));
}

/** One request a day, so that no window cut of ours can hide a fault. */
export function dailyTruth(table: string, options: TruthOptions): TruthRow[] {
  return eachDay(options).flatMap((day) => seriesTruth(table, { ...options, start: day, end: day }));
}

export interface Window {
  kind: string;
  start: Day;
  end: Day;
}

export function windowTruths(options: TruthOptions, windows: readonly Window[]): Record<string, TruthRow[]> {
  const truth = (told: Told): TruthRow[] =>
    windows.flatMap(({ kind, start, end }) =>
      rowsOf(told, { ...options, start, end }).map((row) => ({
        window_kind: kind,
        window_start: start,
        window_end: end,
        ...row,
      })),
    );
  return Object.fromEntries(Object.entries(WINDOWS).map(([table, told]) => [table, truth(told)]));
}

function eachDay({ start, end }: TruthOptions): Day[] {
  const days: Day[] = [];
  for (let day = start; day <= end; day = addDays(day, 1)) days.push(day);
  return days;
}

function heatmapRows(body: {
  models: string[];
  competitors: Json[];
  matrix: Record<string, Record<string, number>>;
}): Json[] {
  // Names may be those of members that every object has.
  const own = <T>(of: Record<string, T>, name: string): T | undefined =>
    Object.entries(of).find(([key]) => key === name)?.[1];
  return body.competitors.flatMap(({ name, domain, relation }, index) =>
    body.models.map((model) => ({
      competitor_name: name,
      competitor_domain: domain ?? '',
      model_id: model,
      relation: relation ?? null,
      competitor_rank: index + 1,
      visibility: own(own(body.matrix, String(name)) ?? {}, model) ?? null,
    })),
  );
}

interface Item {
  type: string;
  action?: Json;
  monitor: { id: string } | null;
  prompts: { id: string }[];
}

export function eventsTruth(options: TruthOptions): { events: TruthRow[]; prompts: TruthRow[] } {
  const events = new Map<string, TruthRow>();
  const prompts = new Map<string, TruthRow>();
  const own = { project_id: options.projectId };
  const add = (date: Day, { type, action, monitor, prompts: group }: Item): void => {
    const id =
      action === undefined ? `${type}:${date}:${monitor?.id ?? ''}` : `action:${String(action['id'])}`;
    const event = { ...own, event_id: id, date, type, title: action?.['title'] ?? null };
    if (action !== undefined) {
      events.set(id, { ...event, prompts: null });
      return;
    }
    for (const prompt of group)
      prompts.set(`${id} ${prompt.id}`, { ...own, event_id: id, prompt_id: prompt.id });
    const ofGroup = [...prompts.values()].filter((prompt) => prompt['event_id'] === id);
    events.set(id, { ...event, prompts: ofGroup.length });
  };
  for (const day of eachDay(options)) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = { startDate: day, endDate: day, page: String(page), size: '200' };
      const body = ask<{ events: { items: Item[] }[]; totalPages: number }>(options, '/api/v2/events', query);
      pages = body.totalPages;
      for (const item of body.events.flatMap(({ items }) => items)) add(day, item);
    }
  }
  return { events: [...events.values()], prompts: [...prompts.values()] };
}
