import { z } from 'zod';
import { daySchema } from '../day-schema.ts';

/*
 * Rows of the files in `sql/report`, one schema a file.
 */

export const settingsRow = z.object({
  sync_day: daySchema.nullable(),
  lookback_days: z.number().nullable(),
  last_success_at: z.string().nullable(),
});
export type SettingsRow = z.output<typeof settingsRow>;

export const projectRow = z.object({
  project_id: z.string(),
  project_name: z.string().nullable(),
  first_date: daySchema.nullable(),
  last_date: daySchema.nullable(),
});
export type ProjectRow = z.output<typeof projectRow>;

export const dailyRow = z.object({
  date: daySchema,
  is_final: z.boolean(),
  visibility: z.number().nullable(),
  sentiment: z.number().nullable(),
  share_of_voice_pct: z.number().nullable(),
  total_responses: z.number().nullable(),
  brand_mentions: z.number().nullable(),
  net_sentiment_pct: z.number().nullable(),
  citations_count: z.number().nullable(),
  average_citation_rank: z.number().nullable(),
  crawler_requests_count: z.number().nullable(),
  ai_visits_count: z.number().nullable(),
  event_titles: z.string().nullable(),
  visibility_7_day_mean: z.number().nullable(),
  share_of_voice_7_day_pct: z.number().nullable(),
  crawler_requests_7_day_mean: z.number().nullable(),
  ai_visits_7_day_mean: z.number().nullable(),
});
export type DailyRow = z.output<typeof dailyRow>;

export const kpiRow = z.object({
  measure: z.string(),
  current_value: z.number().nullable(),
  previous_value: z.number().nullable(),
  current_days: z.number(),
  previous_days: z.number(),
  is_final: z.boolean(),
});
export type KpiRow = z.output<typeof kpiRow>;

export const eventRow = z.object({
  date: daySchema,
  type: z.string(),
  title: z.string().nullable(),
  action_type: z.string().nullable(),
  monitor_name: z.string().nullable(),
  prompt_count: z.number().nullable(),
});
export type EventRow = z.output<typeof eventRow>;

export const brandRow = z.object({
  brand_id: z.string(),
  brand_name: z.string().nullable(),
  relation: z.string().nullable(),
  is_own_brand: z.boolean(),
  mentions: z.number().nullable(),
  share_pct: z.number().nullable(),
  previous_share_pct: z.number().nullable(),
});
export type BrandRow = z.output<typeof brandRow>;

export const brandDayRow = z.object({
  date: daySchema,
  is_final: z.boolean(),
  brand_id: z.string(),
  share_7_day_pct: z.number().nullable(),
});
export type BrandDayRow = z.output<typeof brandDayRow>;

export const heatmapRow = z.object({
  window_start: daySchema,
  window_end: daySchema,
  competitor_name: z.string(),
  competitor_domain: z.string(),
  is_own_brand: z.boolean(),
  model_id: z.string(),
  model_name: z.string().nullable(),
  is_deprecated_model: z.boolean(),
  visibility_pct: z.number().nullable(),
});
export type HeatmapRow = z.output<typeof heatmapRow>;

export const domainRow = z.object({
  window_start: daySchema,
  window_end: daySchema,
  domain: z.string(),
  is_own_domain: z.boolean(),
  domain_status: z.string().nullable(),
  citations_count: z.number(),
  citations_share_pct: z.number().nullable(),
  average_citation_rank: z.number().nullable(),
  previous_citations_count: z.number().nullable(),
});
export type DomainRow = z.output<typeof domainRow>;

export const citationRankRow = z.object({
  date: daySchema,
  is_final: z.boolean(),
  citations_count: z.number().nullable(),
  average_citation_rank: z.number().nullable(),
  best_citation_rank: z.number().nullable(),
  worst_citation_rank: z.number().nullable(),
});
export type CitationRankRow = z.output<typeof citationRankRow>;

export const sentimentRow = z.object({
  date: daySchema,
  days_count: z.number(),
  days_with_data: z.number(),
  is_final: z.boolean(),
  positive: z.number().nullable(),
  neutral: z.number().nullable(),
  negative: z.number().nullable(),
  unknown: z.number().nullable(),
});
export type SentimentRow = z.output<typeof sentimentRow>;

export const impactRow = z.object({
  date: daySchema,
  action_title: z.string().nullable(),
  action_type: z.string().nullable(),
  visibility_before: z.number().nullable(),
  visibility_after: z.number().nullable(),
  visibility_change: z.number().nullable(),
  share_of_voice_change_points: z.number().nullable(),
  sentiment_change: z.number().nullable(),
  days_before: z.number(),
  days_after: z.number(),
  other_actions_count: z.number().nullable(),
  is_comparable: z.boolean(),
  is_final: z.boolean(),
});
export type ImpactRow = z.output<typeof impactRow>;

export const freshnessRow = z.object({
  endpoint: z.string(),
  is_shared: z.boolean(),
  status: z.string(),
  last_covered_date: daySchema.nullable(),
  lag_days: z.number().nullable(),
  last_success_at: z.string().nullable(),
  last_error: z.string().nullable(),
});
export type FreshnessRow = z.output<typeof freshnessRow>;

export const coverageRow = z.object({
  endpoint: z.string(),
  date: daySchema,
  status: z.string(),
  series_expected_count: z.number(),
  series_covered_count: z.number(),
});
export type CoverageRow = z.output<typeof coverageRow>;
