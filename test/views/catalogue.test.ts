import { expect, it } from 'vitest';
import { readViews } from '../../src/publish/views.ts';
import { openWorld } from './world.ts';

const CONTRACT = [
  'action_type_impact',
  'competitor_mention_trend',
  'portfolio_changes',
  'window_summary',
  'action_group_impact',
  'action_impact',
  'ai_traffic',
  'ai_vendors',
  'anomalies',
  'brand_mention_share',
  'brand_visibility_trend',
  'brands',
  'calendar',
  'citation_rank_trend',
  'cited_domains',
  'competitor_gap',
  'competitor_heatmap_latest',
  'competitor_heatmap_trend',
  'crawler_page_trend',
  'crawler_pages',
  'crawler_visitor_funnel',
  'daily_kpis',
  'deleted_rows',
  'domain_citation_trend',
  'event_annotations',
  'kpi_changes',
  'landing_page_days',
  'model_sources',
  'models',
  'monitors',
  'projects',
  'prompt_catalog',
  'prompt_days',
  'prompt_trend',
  'restated_values',
  'sentiment_split',
  'sentiment_with_events',
  'share_of_voice_trend',
  'sync_coverage',
  'sync_freshness',
  'sync_gaps',
  'targets',
  'turning_points',
  'visibility_with_events',
];
const BESIDES = [
  'action_bursts',
  'adjusted_days',
  'effect_scales',
  'event_days',
  'measure_days',
  'project_days',
  'project_sync_days',
  'sync_series_coverage',
  'sync_settings',
  'typical_changes',
];

it('the views are those of the contract and those they are built on', async () => {
  await using world = await openWorld();
  const { rows } = world;
  const views = await rows(
    `select view_name as name from duckdb_views() where not internal and schema_name = 'main' order by name`,
  );
  expect(views.map(({ name }) => name)).toEqual([...CONTRACT, ...BESIDES].toSorted());
});

it('the views use only types that every BI tool reads', async () => {
  await using world = await openWorld();
  const { rows } = world;
  expect(
    await rows(
      `select distinct data_type as type from duckdb_columns() where not internal and schema_name = 'main' order by type`,
    ),
  ).toEqual(
    ['BIGINT', 'BOOLEAN', 'DATE', 'DOUBLE', 'INTEGER', 'TIMESTAMP', 'VARCHAR'].map((type) => ({ type })),
  );
});

it('the views give no row, and no failure, in an empty database, except the settings', async () => {
  await using world = await openWorld();
  const { rows } = world;
  for (const name of [...CONTRACT, ...BESIDES]) {
    const found = await rows(`select * from main.${name}`);
    const isEmpty = name !== 'sync_settings' && name !== 'ai_vendors';
    expect({ name, isEmpty: found.length === 0 }).toEqual({ name, isEmpty });
  }
});

it('the views name schema and table, never the catalog', () => {
  for (const { sql } of readViews('duckdb')) {
    expect(sql).not.toMatch(/\b\w+\.(?:core|meta|main)\.\w+/);
  }
});
