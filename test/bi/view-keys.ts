const SERIES = ['project_id', 'grain', 'date', 'scope', 'scope_id'];
const DAY = ['project_id', 'date'];

/** Columns that no two rows of a view share; proven on the worlds of the simulator. */
export const VIEW_KEYS: Readonly<Record<string, readonly string[]>> = {
  action_impact: ['project_id', 'event_id'],
  ai_traffic: ['project_id', 'date', 'source_kind', 'source'],
  brand_mention_share: ['project_id', 'grain', 'date', 'brand_id'],
  brand_visibility_trend: ['project_id', 'grain', 'date', 'brand_id'],
  calendar: ['date'],
  citation_rank_trend: SERIES,
  cited_domains: ['project_id', 'window_kind', 'window_start', 'domain'],
  competitor_gap: ['project_id', 'grain', 'date', 'competitor_brand_id'],
  competitor_heatmap_latest: ['project_id', 'competitor_name', 'competitor_domain', 'model_id'],
  crawler_pages: ['project_id', 'request_path'],
  daily_kpis: DAY,
  event_annotations: ['project_id', 'event_id'],
  event_days: DAY,
  model_sources: ['project_id', 'window_kind', 'window_start', 'model_id'],
  project_days: DAY,
  prompt_catalog: ['project_id', 'prompt_id'],
  restated_values: ['table_name', 'row_key', 'column_name', 'run_id', 'changed_at', 'old_value', 'new_value'],
  sentiment_split: DAY,
  sentiment_with_events: ['project_id', 'scope', 'scope_id', 'date'],
  share_of_voice_trend: SERIES,
  sync_coverage: ['project_id', 'endpoint', 'grain', 'date'],
  sync_freshness: ['project_id', 'endpoint'],
  sync_gaps: ['project_id', 'endpoint', 'grain', 'date', 'scope', 'scope_id'],
  sync_series_coverage: ['project_id', 'endpoint', 'grain', 'date', 'scope', 'scope_id'],
  sync_settings: [],
  visibility_with_events: ['project_id', 'scope', 'scope_id', 'date'],
};
