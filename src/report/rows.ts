import type { Day } from '../day.ts';

/** Rows of the files in `sql/report`, one interface a file. */
export interface SettingsRow {
  sync_day: Day | null;
  lookback_days: number | null;
  last_success_at: string | null;
}

export interface ProjectRow {
  project_id: string;
  project_name: string | null;
  first_date: Day | null;
  last_date: Day | null;
}

export interface DailyRow {
  date: Day;
  is_final: boolean;
  visibility: number | null;
  sentiment: number | null;
  share_of_voice_pct: number | null;
  total_responses: number | null;
  brand_mentions: number | null;
  net_sentiment_pct: number | null;
  citations_count: number | null;
  average_citation_rank: number | null;
  crawler_requests_count: number | null;
  ai_visits_count: number | null;
  event_titles: string | null;
  visibility_7_day_mean: number | null;
  share_of_voice_7_day_pct: number | null;
  crawler_requests_7_day_mean: number | null;
  ai_visits_7_day_mean: number | null;
}

export interface KpiRow {
  measure: string;
  current_value: number | null;
  previous_value: number | null;
  current_days: number;
  previous_days: number;
  is_final: boolean;
}

export interface EventRow {
  date: Day;
  type: string;
  title: string | null;
  action_type: string | null;
  monitor_name: string | null;
  prompt_count: number | null;
}

export interface BrandRow {
  brand_id: string;
  brand_name: string | null;
  relation: string | null;
  is_own_brand: boolean;
  mentions: number | null;
  share_pct: number | null;
  previous_share_pct: number | null;
}

export interface BrandDayRow {
  date: Day;
  is_final: boolean;
  brand_id: string;
  share_7_day_pct: number | null;
}

export interface HeatmapRow {
  window_start: Day;
  window_end: Day;
  competitor_name: string;
  competitor_domain: string;
  is_own_brand: boolean;
  model_id: string;
  model_name: string | null;
  is_deprecated_model: boolean;
  visibility_pct: number | null;
}

export interface DomainRow {
  window_start: Day;
  window_end: Day;
  domain: string;
  is_own_domain: boolean;
  domain_status: string | null;
  citations_count: number;
  citations_share_pct: number | null;
  average_citation_rank: number | null;
  previous_citations_count: number | null;
}

export interface CitationRankRow {
  date: Day;
  is_final: boolean;
  citations_count: number | null;
  average_citation_rank: number | null;
  best_citation_rank: number | null;
  worst_citation_rank: number | null;
}

export interface SentimentRow {
  date: Day;
  days_count: number;
  days_with_data: number;
  is_final: boolean;
  positive: number | null;
  neutral: number | null;
  negative: number | null;
  unknown: number | null;
}

export interface ImpactRow {
  date: Day;
  action_title: string | null;
  action_type: string | null;
  visibility_before: number | null;
  visibility_after: number | null;
  visibility_change: number | null;
  share_of_voice_change_points: number | null;
  sentiment_change: number | null;
  days_before: number;
  days_after: number;
  other_actions_count: number | null;
  is_comparable: boolean;
  is_final: boolean;
}

export interface FreshnessRow {
  endpoint: string;
  is_shared: boolean;
  status: string;
  last_covered_date: Day | null;
  lag_days: number | null;
  last_success_at: string | null;
  last_error: string | null;
}

export interface CoverageRow {
  endpoint: string;
  date: Day;
  status: string;
  series_expected_count: number;
  series_covered_count: number;
}
