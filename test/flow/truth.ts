import { addDays, type Day } from '../../src/day.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';

/*
 * What the warehouse must hold, asked from the simulator directly and written by hand: it shares no line with the
 * endpoints, the planner or the loader. One request a day wherever the answer is about days, so that no window cut of
 * ours can hide a fault.
 */

export type TruthRow = Record<string, unknown>;
type Json = Record<string, unknown>;

export interface TruthOptions {
  simulator: Simulator;
  apiKey: string;
  projectId: string;
  start: Day;
  end: Day;
  scope?: { scope: string; scopeId: string; parameter: Record<string, string> };
}

function ask<T>(options: TruthOptions, path: string, query: Record<string, string>): T {
  const { simulator, apiKey, projectId } = options;
  const answer = simulator.answer(path, query, { apiKey, projectId });
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}

function eachDay(options: TruthOptions): Day[] {
  const days: Day[] = [];
  for (let day = options.start; day <= options.end; day = addDays(day, 1)) days.push(day);
  return days;
}

const dayOfText = (text: unknown): string => String(text).slice(0, 10);
const filters = { visibility: 'models', other: 'model' };

function scopeQuery(options: TruthOptions, family: keyof typeof filters): Record<string, string> {
  const { scope } = options;
  if (scope === undefined) return {};
  return scope.scope === 'model' ? { [filters[family]]: scope.scopeId } : scope.parameter;
}

function series(options: TruthOptions): TruthRow {
  return {
    project_id: options.projectId,
    grain: 'day',
    scope: options.scope?.scope ?? 'project',
    scope_id: options.scope?.scopeId ?? options.projectId,
  };
}

function daily(
  options: TruthOptions,
  rows: (day: Day, window: Record<string, string>) => TruthRow[],
): TruthRow[] {
  return eachDay(options).flatMap((day) =>
    rows(day, { startDate: day, endDate: day }).map((row) => ({ ...series(options), ...row })),
  );
}

export function visibilityTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<Json[]>(options, '/api/v1/visibility-time-series', {
      ...window,
      range: 'day',
      ...scopeQuery(options, 'visibility'),
    }).map((point) => ({ date: point['date'], visibility: point['value'] })),
  );
}

export function sentimentTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<Json[]>(options, '/api/v1/sentiment-time-series', {
      ...window,
      range: 'day',
      ...scopeQuery(options, 'other'),
    }).map((point) => ({ date: point['date'], sentiment: point['value'] })),
  );
}

/** In one answer from a day early: the day before may have no data, and then the one before that is the previous. */
export function shareOfVoiceTruth(options: TruthOptions): TruthRow[] {
  return ask<Json[]>(options, '/api/v1/share-of-voice/time-series', {
    startDate: addDays(options.start, -1),
    endDate: options.end,
    range: 'day',
    ...scopeQuery(options, 'other'),
  })
    .filter((point) => dayOfText(point['date']) >= options.start)
    .map((point) => ({
      ...series(options),
      date: dayOfText(point['date']),
      total_responses: point['totalResponses'],
      brand_mentions: point['brandMentions'],
      share_of_voice: point['shareOfVoice'],
      previous_period_share_of_voice: point['previousPeriodShareOfVoice'] ?? null,
      change: point['change'] ?? null,
    }));
}

export function brandVisibilityTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<Json[]>(options, '/api/v1/analytics/brands/visibility-over-time', {
      ...window,
      granularity: 'daily',
      limit: '100000',
    }).map((point) => ({
      date: dayOfText(point['date']),
      brand_id: (point['brand'] as Json)['id'],
      average_visibility: point['averageVisibility'],
      mention_count: point['mentionCount'],
      total_responses: point['totalResponses'],
      visibility_percentage: point['visibilityPercentage'],
    })),
  );
}

const CITATIONS = { range: 'DAILY', granularity: 'daily', domainLimit: '50', includeSelf: 'true' };

interface Trend {
  dates: string[];
  series: { name?: string; domain?: string; data: number[] }[];
}

function points(trend: Trend, name: string, value: string): TruthRow[] {
  return trend.series.flatMap((one) =>
    one.data.map((number, index) => ({
      date: dayOfText(trend.dates[index]),
      [name]: one.domain ?? one.name,
      [value]: number,
    })),
  );
}

/** By the windows that were really asked: the list is the top of each window. */
export function domainCitationsTruth(
  options: TruthOptions,
  windows: readonly { start: Day; end: Day }[],
): TruthRow[] {
  return windows.flatMap(({ start, end }) =>
    points(
      ask<Trend>(options, '/api/v1/citations/domains-over-time', {
        startDate: start,
        endDate: end,
        ...CITATIONS,
      }),
      'domain',
      'citations',
    ).map((row) => ({ ...series(options), ...row })),
  );
}

export function citationRanksTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<{ timeSeries: Json[] }>(options, '/api/v1/citations/rank-analysis', {
      ...window,
      ...CITATIONS,
    }).timeSeries.map((point) => ({
      date: dayOfText(point['date']),
      total_citations: point['totalCitations'],
      average_rank: point['averageRank'],
      best_rank: point['bestRank'],
      worst_rank: point['worstRank'],
      citations_with_rank: point['citationsWithRank'],
    })),
  );
}

export function responseSentimentTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<Json[]>(options, '/api/v1/responses/sentiment-time-series', window),
  );
}

export function trafficTruth(options: TruthOptions, kind: 'crawlers' | 'visitors'): TruthRow[] {
  const [name, value] = kind === 'crawlers' ? ['crawler', 'requests'] : ['referrer', 'visits'];
  return daily(options, (_, window) =>
    points(
      ask<Trend>(options, `/api/v1/analytics/${kind}/trend`, { ...window, timezone: 'UTC' }),
      name ?? '',
      value ?? '',
    ),
  );
}

export interface Window {
  kind: string;
  start: Day;
  end: Day;
}

function windowed(
  options: TruthOptions,
  windows: readonly Window[],
  rows: (window: Record<string, string>) => TruthRow[],
): TruthRow[] {
  return windows.flatMap(({ kind, start, end }) =>
    rows({ startDate: start, endDate: end }).map((row) => ({
      project_id: options.projectId,
      window_kind: kind,
      window_start: start,
      window_end: end,
      scope: 'project',
      scope_id: options.projectId,
      ...row,
    })),
  );
}

export function windowTruths(options: TruthOptions, windows: readonly Window[]): Record<string, TruthRow[]> {
  const of = (rows: (window: Record<string, string>) => TruthRow[]): TruthRow[] =>
    windowed(options, windows, rows);
  return {
    competitor_heatmap: of((window) => heatmapRows(options, window)),
    domain_citation_totals: of((window) =>
      ask<{ series: Json[] }>(options, '/api/v1/citations/domains-over-time', {
        ...window,
        ...CITATIONS,
      }).series.map((one) => ({
        domain: one['domain'],
        total: one['total'],
        percentage: one['percentage'],
        average_rank: one['averageRank'] ?? null,
      })),
    ),
    citation_totals: of((window) => [
      {
        total_citations: ask<Json>(options, '/api/v1/citations/domains-over-time', {
          ...window,
          ...CITATIONS,
        })['totalCitations'],
        overall_average_rank:
          ask<Json>(options, '/api/v1/citations/rank-analysis', { ...window, ...CITATIONS })[
            'overallAverageRank'
          ] ?? null,
      },
    ]),
    llm_sources: of((window) =>
      ask<Json[]>(options, '/api/v1/citations/llm-sources', { ...window, limit: '100' }).map((one) => ({
        llm: one['llm'],
        provider: one['provider'],
        model: one['model'],
        total_citations: one['totalCitations'],
        unique_domains: one['uniqueDomains'],
        unique_prompts: one['uniquePrompts'],
      })),
    ),
    share_of_voice_comparison: of((window) => {
      const body = ask<{ current: Json; previous: Json; change: number; changePercent: number | null }>(
        options,
        '/api/v1/share-of-voice/comparison',
        window,
      );
      return [
        {
          current_total_responses: body.current['totalResponses'],
          current_brand_mentions: body.current['brandMentions'],
          current_share_of_voice: body.current['shareOfVoice'],
          previous_total_responses: body.previous['totalResponses'],
          previous_brand_mentions: body.previous['brandMentions'],
          previous_share_of_voice: body.previous['shareOfVoice'],
          change: body.change ?? null,
          change_percent: body.changePercent ?? null,
        },
      ];
    }),
    crawler_top_pages: of((window) =>
      ask<Json[]>(options, '/api/v1/analytics/crawlers/top-pages', { ...window, timezone: 'UTC' }),
    ),
    sentiment_distribution: of((window) =>
      ask<Json[]>(options, '/api/v1/responses/sentiment-distribution', window),
    ),
    competitor_mentions: of((window) => ask<Json[]>(options, '/api/v1/responses/competitors', window)),
    response_summary: of((window) => {
      const body = ask<Json>(options, '/api/v1/responses/summary', window);
      return [
        {
          total_responses: body['totalResponses'],
          total_brand_mentions: body['totalBrandMentions'],
          brand_mention_rate: body['brandMentionRate'],
        },
      ];
    }),
  };
}

function heatmapRows(options: TruthOptions, window: Record<string, string>): TruthRow[] {
  const body = ask<{ models: string[]; competitors: Json[]; matrix: Record<string, Record<string, number>> }>(
    options,
    '/api/v1/competitor-heatmap',
    { ...window, limit: '100', hideIgnoredBrands: 'false', excludeSelf: 'false' },
  );
  return body.competitors.flatMap((competitor, index) =>
    body.models.map((model) => {
      const name = String(competitor['name']);
      const cells = Object.entries(body.matrix).find(([key]) => key === name)?.[1] ?? {};
      return {
        competitor_name: name,
        competitor_domain: competitor['domain'] ?? '',
        model_id: model,
        relation: competitor['relation'] ?? null,
        competitor_rank: index + 1,
        visibility: Object.entries(cells).find(([key]) => key === model)?.[1] ?? null,
      };
    }),
  );
}

interface EventsBody {
  events: { date: string; items: Json[] }[];
  totalPages: number;
}

export function eventsTruth(options: TruthOptions): { events: TruthRow[]; prompts: TruthRow[] } {
  const events = new Map<string, TruthRow>();
  const prompts = new Map<string, TruthRow>();
  for (const day of eachDay(options)) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const body = ask<EventsBody>(options, '/api/v2/events', {
        startDate: day,
        endDate: day,
        page: String(page),
        size: '200',
      });
      pages = body.totalPages;
      for (const item of body.events.flatMap((one) => one.items))
        addEvent({ day, item, projectId: options.projectId, events, prompts });
    }
  }
  return { events: [...events.values()], prompts: [...prompts.values()] };
}

function addEvent(to: {
  day: Day;
  item: Json;
  projectId: string;
  events: Map<string, TruthRow>;
  prompts: Map<string, TruthRow>;
}): void {
  const { day, item, projectId } = to;
  const action = item['action'] as Json | undefined;
  if (action !== undefined) {
    const id = `action:${String(action['id'])}`;
    to.events.set(id, {
      project_id: projectId,
      event_id: id,
      date: day,
      type: 'action',
      title: action['title'],
      prompts: null,
    });
    return;
  }
  const monitor = item['monitor'] as Json;
  const id = `${String(item['type'])}:${day}:${String(monitor['id'])}`;
  for (const prompt of item['prompts'] as Json[]) {
    to.prompts.set(`${id} ${String(prompt['id'])}`, {
      project_id: projectId,
      event_id: id,
      prompt_id: prompt['id'],
    });
  }
  const count = [...to.prompts.values()].filter((prompt) => prompt['event_id'] === id).length;
  to.events.set(id, {
    project_id: projectId,
    event_id: id,
    date: day,
    type: item['type'],
    title: null,
    prompts: count,
  });
}
