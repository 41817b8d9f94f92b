import { toDay } from '../../src/day.ts';
import {
  dailyFigures,
  type ChartData,
  type Kpi,
  type ProjectData,
  type Ranked,
  type ReportEvent,
} from '../../src/report/read-projects.ts';

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
    daily: dailyFigures.parse({}),
    kpis: [],
    models: [],
    brands: [],
    crawlers: [],
    visitors: [],
    events: [],
    heatmap: [],
    domains: [],
    pages: [],
    prompts: [],
    why: [],
    impact: [],
    shifts: [],
    notEnabled: [],
    ...values,
  };
}

/** An action, or another event, of a day. */
export function event(day: number, values: Partial<ReportEvent> = {}): ReportEvent {
  return { day, type: 'action', action_type: null, title: 'Write', prompt_count: null, ...values };
}

/** A bar of a list as of one day. */
export function ranked(label: string, values: Partial<Ranked> = {}): Ranked {
  const row = { label, is_own: false, value: 1, previous: null };
  return { window_start: START, window_end: START, ...row, ...values };
}

/** A change of the visibility score with its range. */
export function kpi(values: Partial<Kpi> = {}): Kpi {
  const change = values.change === undefined ? 1 : values.change;
  return {
    measure: 'visibility',
    window_days: 28,
    value: 41,
    previous_value: 40,
    change,
    change_low: change === null ? null : change - 2,
    change_high: change === null ? null : change + 2,
    typical_change: 2,
    is_trend: false,
    is_changed: false,
    real_change: null,
    real_is_clear: false,
    is_clear: false,
    goal: null,
    due_date: null,
    is_reached: null,
    is_on_course: null,
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
    age: { newestMs: Date.parse('2026-03-31T02:00:00Z'), ageMs: 82 * 3_600_000, isStale: true, stale: [] },
    staleMs: 82 * 3_600_000,
    charts: emptyCharts(),
    freshness: [],
    ...values,
  };
}

/** A project with figures everywhere, whose every name is one of these: nasty ones, unless others are given. */
export function nastyProject(names: readonly string[] = NASTY): ProjectData {
  const empty = emptyCharts();
  const lines = names.map((name, index) => {
    return { kind: 'model', name, is_own: index === 0, figures: figures((day) => day + index) };
  });
  const ranking = names.map((label, index) =>
    ranked(label, { is_own: index === 0, value: 20 - index, previous: index }),
  );
  return emptyProject({
    id: names[1] ?? '',
    name: names[0] ?? null,
    freshness: names.map((endpoint) => {
      return { endpoint, status: 'failed', last_covered_date: null, last_error: endpoint };
    }),
    charts: {
      ...empty,
      finalDays: 26,
      daily: {
        visibility: figures((day) => day),
        responses: figures(() => 10),
        mentions: figures((day) => (day > 11 && day < 18 ? null : day % 10)),
        share_of_voice: figures((day) => 10 * (day % 10)),
        all_brand_mentions: figures(() => 100),
        positive: figures(() => 3),
        neutral: figures(() => 3),
        unknown: figures(() => 3),
        negative: figures(() => 1),
        sentiment: figures(() => 60),
        net_sentiment_known: figures(() => (100 * 2) / 7),
        citations: figures(() => 9),
        crawler_requests: figures(() => 9),
        ai_visits: figures(() => 9),
      },
      models: lines,
      brands: lines,
      crawlers: lines,
      visitors: lines,
      events: names.map((title, day) =>
        event(day, { title, type: day % 2 === 0 ? 'action' : 'prompts_created' }),
      ),
      heatmap: names.map((name, row) => ({
        window_start: START,
        window_end: START,
        name,
        is_own: row === 0,
        models: [...names],
        cells: names.map((_, cell) => (cell === row ? null : cell * row)),
      })),
      domains: ranking,
      pages: ranking,
      prompts: ranking.map((row, index) => ({ ...row, is_worst: index > 4 })),
      why: [],
      shifts: names.map((titles, index) => ({
        measure: 'visibility',
        day: DAYS - 1 - index,
        value_before: 1,
        value_after: 2,
        candidate_titles: titles,
      })),
      kpis: [
        kpi({ window_days: 7, value: 36, change: -1 }),
        kpi({ value: 37, change: -3, is_clear: true, goal: 50 }),
      ],
      impact: names.map((titles, index) => ({
        first_date: START,
        last_date: START,
        actions: index + 1,
        titles,
        visibility_before: 40,
        visibility_after: 37 + index,
        visibility_effect: index - 3,
        visibility_effect_low: index - 4,
        visibility_effect_high: index - 2,
        is_clear: index === 0,
        setup_change_titles: index === 1 ? '5 prompts added: Shoes' : null,
        other_actions_count: index,
        judged_count: 24,
        not_judged: '13 neighbour too close',
      })),
    },
  });
}
