import { toDay } from '../../src/day.ts';
import type { ChartData } from '../../src/report/chart.ts';
import type { ProjectData } from '../../src/report/read-projects.ts';

export const START = toDay('2026-03-01');
const DAYS = 30;

/** Names that break pages, pictures and objects. */
export const NASTY = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'O\'Brien & "Söhne"\nline two\u0000\u202E',
  '__proto__',
  '</title></svg><script>alert(2)</script>',
  'constructor',
  '\uD800 日本茶 🍵 ]]></main><!--',
] as const;

/** Charts of 30 days without one figure. */
export function emptyCharts(values: Partial<ChartData> = {}): ChartData {
  return {
    start: START,
    days: DAYS,
    finalDays: DAYS,
    daily: {
      visibility: [],
      responses: [],
      mentions: [],
      all_brand_mentions: [],
      positive: [],
      neutral: [],
      unknown: [],
      negative: [],
      sentiment: [],
      citations: [],
      crawler_requests: [],
      ai_visits: [],
    },
    kpis: [],
    models: [],
    brands: [],
    crawlers: [],
    visitors: [],
    events: [],
    heatmap: null,
    domains: null,
    pages: null,
    prompts: null,
    impact: null,
    notEnabled: [],
    ...values,
  };
}

/** Figures of 30 days. */
export function figures(figureOf: (day: number) => number | null): (number | null)[] {
  return Array.from({ length: DAYS }, (_, day) => figureOf(day));
}

export function emptyProject(values: Partial<ProjectData> = {}): ProjectData {
  return {
    id: 'p',
    name: 'Made',
    end: toDay('2026-03-30'),
    pendingFrom: null,
    charts: emptyCharts(),
    shifts: [],
    freshness: [],
    ...values,
  };
}

/** A project whose every name is nasty. */
export function nastyProject(): ProjectData {
  const empty = emptyCharts();
  const lines = NASTY.map((name, index) => ({
    name,
    isOwn: index === 0,
    figures: figures((day) => day + index),
  }));
  const ranking = {
    start: START,
    end: START,
    rows: NASTY.map((label, index) => ({
      label,
      isOwn: index === 0,
      value: 20 - index,
      previous: index,
      share: 1,
    })),
  };
  return emptyProject({
    id: NASTY[1],
    name: NASTY[0],
    shifts: NASTY.map((titles) => ({
      measure: 'visibility',
      date: START,
      value_before: 1,
      value_after: 2,
      candidates_count: 1,
      candidate_titles: titles,
    })),
    freshness: NASTY.map((endpoint) => ({
      endpoint,
      status: 'failed',
      last_covered_date: null,
      last_error: endpoint,
    })),
    charts: {
      ...empty,
      finalDays: 26,
      daily: {
        visibility: figures((day) => day),
        responses: figures(() => 10),
        mentions: figures((day) => day % 10),
        all_brand_mentions: figures(() => 100),
        positive: figures(() => 3),
        neutral: figures(() => 3),
        unknown: figures(() => 3),
        negative: figures(() => 1),
        sentiment: figures(() => 60),
        citations: figures(() => 9),
        crawler_requests: figures(() => 9),
        ai_visits: figures(() => 9),
      },
      models: lines,
      brands: lines,
      crawlers: lines,
      visitors: lines,
      events: NASTY.map((title, day) => ({
        day,
        type: day % 2 === 0 ? 'action' : 'prompts_created',
        title,
        prompts: null,
      })),
      heatmap: {
        start: START,
        end: START,
        models: [...NASTY],
        rows: NASTY.map((name, row) => ({
          name,
          isOwn: row === 0,
          cells: NASTY.map((_, cell) => (cell === row ? null : cell * row)),
        })),
      },
      domains: ranking,
      pages: ranking,
      prompts: ranking,
      impact: {
        bursts: 37,
        judged: 24,
        notJudged: '13 neighbour too close',
        shown: NASTY.map((titles, index) => ({
          first: START,
          last: START,
          actions: index + 1,
          titles,
          before: 40,
          after: 37 + index,
          effect: index - 3,
          low: index - 4,
          high: index - 2,
          isClear: index === 0,
          promptSetChanged: index === 1,
          otherActions: index,
        })),
      },
    },
  });
}
