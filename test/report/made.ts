import { addDays, toDay, type Day } from '../../src/day.ts';
import type { ProjectData } from '../../src/report/project-data.ts';
import type { DailyRow } from '../../src/report/rows.ts';

const END = toDay('2026-03-30');

/** Names that break pages, pictures and objects. */
export const NASTY = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'O\'Brien & "Söhne"\nline two\u0000\u202E',
  '__proto__',
  '</title></svg><script>alert(2)</script>',
  'constructor',
  '\uD800 日本茶 🍵 ]]>',
] as const;

export function dailyRow(date: Day, values: Partial<DailyRow> = {}): DailyRow {
  return {
    date,
    is_final: true,
    visibility: null,
    sentiment: null,
    share_of_voice_pct: null,
    total_responses: null,
    brand_mentions: null,
    net_sentiment_pct: null,
    citations_count: null,
    average_citation_rank: null,
    crawler_requests_count: null,
    ai_visits_count: null,
    event_titles: null,
    visibility_7_day_mean: null,
    share_of_voice_7_day_pct: null,
    crawler_requests_7_day_mean: null,
    ai_visits_7_day_mean: null,
    ...values,
  };
}

/** A project of 30 days without one figure. */
export function emptyProject(values: Partial<ProjectData> = {}): ProjectData {
  const start = addDays(END, -29);
  return {
    id: 'p',
    name: 'Made',
    start,
    end: END,
    pendingFrom: null,
    sentimentGrain: 'day',
    daily: Array.from({ length: 30 }, (_, index) => dailyRow(addDays(start, index))),
    recent: [],
    kpis: [],
    events: [],
    brands: [],
    brandDays: [],
    heatmap: [],
    domains: [],
    citationRanks: [],
    sentiment: [],
    impact: [],
    freshness: [],
    coverage: [],
    ...values,
  };
}

/** A project whose every name is nasty. */
export function nastyProject(): ProjectData {
  const plain = emptyProject();
  const brands = NASTY.map((name, index) => ({
    brand_id: name,
    brand_name: name,
    relation: index === 0 ? 'SELF' : 'DIRECT_COMPETITOR',
    is_own_brand: index === 0,
    mentions: 10 - index,
    share_pct: 10 - index,
    previous_share_pct: index,
  }));
  const days = plain.daily.map(({ date }) => date);
  const window = { window_start: plain.start, window_end: plain.end };
  return {
    ...plain,
    id: NASTY[1],
    name: NASTY[0],
    pendingFrom: addDays(END, -3),
    daily: days.map((date, index) =>
      dailyRow(date, { visibility: index, crawler_requests_count: index * 1000 }),
    ),
    events: NASTY.map((title, index) => ({
      date: addDays(plain.start, index),
      type: index % 2 === 0 ? 'action' : 'prompts_created',
      title,
      action_type: null,
      monitor_name: null,
      prompt_count: null,
    })),
    brands,
    brandDays: NASTY.flatMap((name) =>
      days.map((date, index) => ({ date, is_final: true, brand_id: name, share_7_day_pct: index })),
    ),
    heatmap: NASTY.flatMap((name, row) =>
      NASTY.map((model, column) => ({
        ...window,
        competitor_name: name,
        competitor_domain: '',
        is_own_brand: row === 0,
        model_id: model,
        model_name: model,
        is_deprecated_model: false,
        visibility_pct: column === row ? null : column * row,
      })),
    ),
    domains: NASTY.map((domain, index) => ({
      ...window,
      domain,
      is_own_domain: index === 0,
      domain_status: 'new',
      citations_count: 20 - index,
      citations_share_pct: 1,
      average_citation_rank: null,
      previous_citations_count: null,
    })),
    impact: NASTY.map((title, index) => ({
      date: addDays(plain.start, index),
      action_title: title,
      action_type: null,
      visibility_before: 40,
      visibility_after: 40 + index - 3,
      visibility_change: index - 3,
      share_of_voice_change_points: null,
      sentiment_change: null,
      days_before: 14,
      days_after: 14,
      other_actions_count: index,
      is_comparable: index === 0,
      is_final: true,
    })),
  };
}
