import { type Day } from '../../src/day.ts';
import { ask, CITATIONS, eachDay, renamed, type Json, type TruthOptions, type TruthRow } from './truth.ts';

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
      }).series.map(({ domain, total, percentage, averageRank = null }) => ({
        domain,
        total,
        percentage,
        average_rank: averageRank,
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
      ask<Json[]>(options, '/api/v1/citations/llm-sources', { ...window, limit: '100' }).map((one) =>
        renamed(one),
      ),
    ),
    share_of_voice_comparison: of((window) => {
      const { current, previous, change, changePercent } = ask<{
        current: Json;
        previous: Json;
        change: number;
        changePercent: number | null;
      }>(options, '/api/v1/share-of-voice/comparison', window);
      const changes = { change: change ?? null, change_percent: changePercent ?? null };
      return [{ ...renamed(current, 'current_'), ...renamed(previous, 'previous_'), ...changes }];
    }),
    crawler_top_pages: of((window) =>
      ask<(Json & { crawlers: string[] })[]>(options, '/api/v1/analytics/crawlers/top-pages', {
        ...window,
        timezone: 'UTC',
      }).map((page) => ({ ...page, crawlers: page.crawlers.toSorted() })),
    ),
    sentiment_distribution: of((window) =>
      ask<Json[]>(options, '/api/v1/responses/sentiment-distribution', window),
    ),
    competitor_mentions: of((window) => ask<Json[]>(options, '/api/v1/responses/competitors', window)),
    response_summary: of((window) => [renamed(ask<Json>(options, '/api/v1/responses/summary', window))]),
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
  const monitor = item['monitor'] as { id: string } | null;
  const id = `${String(item['type'])}:${day}:${monitor?.id ?? ''}`;
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
