const SERIES = ['project_id', 'grain', 'date', 'scope', 'scope_id'];
const WINDOW = ['project_id', 'window_kind', 'window_start', 'scope', 'scope_id'];
const DAY = ['project_id', 'date'];
const MEASURE_DAY = ['project_id', 'measure', 'date'];

type Keys = Readonly<Record<string, readonly string[]>>;

/** Columns that no two rows of a view of `detail` share; proven on the worlds of the simulator. */
export const DETAIL_KEYS: Keys = {
  action_bursts: DAY,
  action_effects: ['project_id', 'span', 'first_date', 'measure', 'days'],
  adjusted_days: MEASURE_DAY,
  ai_traffic: ['project_id', 'date', 'source_kind', 'source'],
  api_events: ['project_id', 'event_id'],
  brand_mention_share: [...SERIES, 'brand_id'],
  brand_visibility_trend: [...SERIES, 'brand_id'],
  citation_rank_trend: SERIES,
  cited_domains: [...WINDOW, 'domain'],
  competitor_gap: [...SERIES, 'competitor_brand_id'],
  competitor_heatmap_latest: [
    'project_id',
    'scope',
    'scope_id',
    'competitor_name',
    'competitor_domain',
    'model_id',
  ],
  competitor_heatmap_trend: [...WINDOW, 'competitor_name', 'competitor_domain', 'model_id'],
  competitor_mention_trend: ['project_id', 'window_kind', 'window_start', 'competitor'],
  crawler_page_trend: ['project_id', 'window_kind', 'window_start', 'request_path'],
  crawler_pages: ['project_id', 'request_path'],
  crawler_visitor_funnel: ['project_id', 'date', 'vendor'],
  daily_kpis: DAY,
  domain_citation_trend: [...SERIES, 'domain'],
  effect_scales: ['project_id', 'measure'],
  event_days: DAY,
  filter_answers: ['project_id', 'scope', 'scope_id', 'date'],
  landing_page_days: ['project_id', 'landing_page', 'date', 'source'],
  measure_days: MEASURE_DAY,
  model_kpis: ['project_id', 'model_id', 'date'],
  model_sources: ['project_id', 'window_kind', 'window_start', 'model_id'],
  monitor_kpis: ['project_id', 'monitor_id', 'date'],
  project_days: DAY,
  project_sync_days: ['project_id'],
  prompt_catalog: ['project_id', 'prompt_id'],
  prompt_periods: ['project_id', 'window_days', 'prompt_id'],
  prompt_days: ['project_id', 'prompt_id', 'date'],
  restated_values: ['table_name', 'row_key', 'column_name', 'run_id', 'changed_at', 'old_value', 'new_value'],
  sentiment_split: DAY,
  sentiment_with_events: ['project_id', 'scope', 'scope_id', 'date'],
  share_of_voice_trend: SERIES,
  sync_coverage: ['project_id', 'endpoint', 'grain', 'date'],
  sync_gaps: ['project_id', 'endpoint', 'grain', 'date', 'scope', 'scope_id'],
  sync_series_coverage: ['project_id', 'endpoint', 'grain', 'date', 'scope', 'scope_id'],
  typical_changes: ['project_id', 'measure'],
  visibility_periods: ['project_id', 'window_days'],
  visibility_with_events: ['project_id', 'scope', 'scope_id', 'date'],
  window_summary: WINDOW,
};

/** Helpers that `main` has no view of. */
const HELPERS: readonly string[] = [
  'action_bursts',
  'action_effects',
  'adjusted_days',
  'api_events',
  'effect_scales',
  'event_days',
  'filter_answers',
  'measure_days',
  'project_days',
  'project_sync_days',
  'prompt_periods',
  'sync_series_coverage',
  'typical_changes',
  'visibility_periods',
];

/** What tells filters and periods apart; `main` has none of it. */
const FILTERS: readonly string[] = ['grain', 'scope', 'scope_id', 'window_kind'];

/** The same of the views of `main`. */
export const VIEW_KEYS: Keys = {
  ...Object.fromEntries(
    Object.entries(DETAIL_KEYS)
      .filter(([name]) => !HELPERS.includes(name))
      .map(([name, key]) => [name, key.filter((column) => !FILTERS.includes(column))]),
  ),
  action_group_impact: ['overlap_group_id'],
  action_impact: ['project_id', 'event_id'],
  action_type_impact: ['organization_id', 'project_id', 'action_type', 'measure'],
  ai_vendors: ['source_kind', 'source'],
  anomalies: MEASURE_DAY,
  brands: ['project_id', 'brand_id'],
  calendar: ['date'],
  deleted_rows: ['schema_name', 'view_name', 'key'],
  event_annotations: ['project_id', 'event_id'],
  kpi_changes: ['project_id', 'measure', 'window_days'],
  models: ['model_id'],
  monitors: ['project_id', 'monitor_id'],
  portfolio_changes: ['organization_id', 'level', 'model_id', 'measure', 'window_days'],
  projects: ['project_id'],
  setup_changes: ['project_id', 'date', 'what'],
  sync_freshness: ['project_id', 'endpoint'],
  sync_settings: [],
  prompt_trend: ['project_id', 'prompt_id', 'date'],
  prompt_moves: ['project_id', 'window_days', 'prompt_id'],
  why_visibility_moved: ['project_id', 'window_days', 'part'],
  targets: ['project_id', 'measure'],
  turning_points: MEASURE_DAY,
};
