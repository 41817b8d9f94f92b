import { describe, expect, it } from 'vitest';
import { readViewFiles } from '../../src/publish/views.ts';
import { inWorld } from './world.ts';

const CONTRACT = [
  'action_impact',
  'ai_traffic',
  'brand_mention_share',
  'brand_visibility_trend',
  'calendar',
  'citation_rank_trend',
  'cited_domains',
  'competitor_gap',
  'competitor_heatmap_latest',
  'crawler_pages',
  'daily_kpis',
  'event_annotations',
  'model_sources',
  'prompt_catalog',
  'restated_values',
  'sentiment_split',
  'sentiment_with_events',
  'share_of_voice_trend',
  'sync_coverage',
  'sync_freshness',
  'sync_gaps',
  'visibility_with_events',
];
const BESIDES = ['event_days', 'project_days', 'sync_series_coverage', 'sync_settings'];

describe('the views', () => {
  it('are those of the contract and four they are built on', async () => {
    await inWorld(async ({ rows }) => {
      const views = await rows(
        `select view_name as name from duckdb_views() where not internal and schema_name = 'main' order by name`,
      );
      expect(views.map(({ name }) => name)).toEqual([...CONTRACT, ...BESIDES].toSorted());
    });
  });

  it('use only types that every BI tool reads', async () => {
    await inWorld(async ({ rows }) => {
      expect(
        await rows(
          `select distinct data_type as type from duckdb_columns() where not internal and schema_name = 'main' order by type`,
        ),
      ).toEqual(
        ['BIGINT', 'BOOLEAN', 'DATE', 'DOUBLE', 'INTEGER', 'TIMESTAMP', 'VARCHAR'].map((type) => ({ type })),
      );
    });
  });

  it('give no row, and no failure, in an empty database, except the settings', async () => {
    await inWorld(async ({ rows }) => {
      for (const name of [...CONTRACT, ...BESIDES]) {
        const found = await rows(`select * from main.${name}`);
        expect({ name, rows: found.length }).toEqual({ name, rows: name === 'sync_settings' ? 1 : 0 });
      }
    });
  });

  it('name schema and table, never the catalog', () => {
    for (const { sql } of readViewFiles()) {
      expect(sql).not.toMatch(/\b\w+\.(?:core|meta|main)\.\w+/);
    }
  });
});
