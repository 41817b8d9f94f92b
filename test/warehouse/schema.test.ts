import { describe, expect, it } from 'vitest';
import { inWorld } from '../views/world.ts';
import { schemaPicture } from './schema-picture.ts';

const SERIES = ['project_id', 'grain', 'date', 'scope', 'scope_id'];
const WINDOW = ['project_id', 'window_kind', 'window_start', 'scope', 'scope_id'];

const KEYS: Readonly<Record<string, readonly string[]>> = {
  organizations: ['organization_id'],
  projects: ['project_id'],
  api_keys: ['api_key_id'],
  models: ['model_id'],
  monitors: ['project_id', 'monitor_id'],
  prompts: ['project_id', 'prompt_id'],
  prompt_snapshots: ['project_id', 'date', 'prompt_id'],
  brands: ['project_id', 'brand_id'],
  visibility: SERIES,
  sentiment: SERIES,
  share_of_voice: SERIES,
  brand_visibility: [...SERIES, 'brand_id'],
  domain_citations: [...SERIES, 'domain'],
  citation_ranks: SERIES,
  response_sentiment: SERIES,
  crawler_requests: [...SERIES, 'crawler'],
  visitor_visits: [...SERIES, 'referrer'],
  competitor_heatmap: [...WINDOW, 'competitor_name', 'competitor_domain', 'model_id'],
  domain_citation_totals: [...WINDOW, 'domain'],
  citation_totals: WINDOW,
  llm_sources: [...WINDOW, 'llm'],
  share_of_voice_comparison: WINDOW,
  crawler_top_pages: [...WINDOW, 'request_path'],
  sentiment_distribution: [...WINDOW, 'sentiment'],
  competitor_mentions: [...WINDOW, 'competitor'],
  response_summary: WINDOW,
  events: ['project_id', 'event_id'],
  event_prompts: ['project_id', 'event_id', 'prompt_id'],
  cms_drafts: ['publish_record_id'],
};

const META = [
  'drift',
  'expected_series',
  'limits',
  'migrations',
  'rejects',
  'restatements',
  'runs',
  'settings',
  'slices',
  'vanishing',
];

describe('the schema', () => {
  it('is what sql/schema.sql shows', async () => {
    await inWorld(async ({ connection }) => {
      await expect(await schemaPicture(connection)).toMatchFileSnapshot('../../sql/schema.sql');
    });
  });

  it('has the tables of the contract and no others', async () => {
    await inWorld(async ({ rows }) => {
      const tables = await rows(
        `select schema_name || '.' || table_name as name from duckdb_tables() where not internal order by name`,
      );
      expect(tables.map(({ name }) => name)).toEqual(
        [
          ...Object.keys(KEYS).map((name) => `core.${name}`),
          ...META.map((name) => `meta.${name}`),
        ].toSorted(),
      );
    });
  });

  it('has key columns that are never NULL, and ends every core table with run and instant of change', async () => {
    await inWorld(async ({ rows }) => {
      for (const [table, key] of Object.entries(KEYS)) {
        const columns = await rows(
          `select column_name as name, is_nullable as nullable from duckdb_columns()
           where schema_name = 'core' and table_name = '${table}' order by column_index`,
        );
        const required = columns.filter(({ nullable }) => nullable === false).map(({ name }) => name);
        expect({ table, required }).toEqual({
          table,
          required: expect.arrayContaining([...key, '_run_id', '_changed_at']) as string[],
        });
        expect({ table, last: columns.slice(-2).map(({ name }) => name) }).toEqual({
          table,
          last: ['_run_id', '_changed_at'],
        });
      }
    });
  });

  it('has no index and no key constraint, which would slow every merge', async () => {
    await inWorld(async ({ rows }) => {
      expect(await rows('select * from duckdb_indexes()')).toEqual([]);
      expect(await rows(`select * from duckdb_constraints() where constraint_type <> 'NOT NULL'`)).toEqual(
        [],
      );
    });
  });

  it('measures in DOUBLE and BIGINT, dates in DATE and instants in TIMESTAMP', async () => {
    await inWorld(async ({ rows }) => {
      expect(
        await rows(
          `select distinct data_type as type from duckdb_columns()
           where not internal and schema_name = 'core' order by type`,
        ),
      ).toEqual(
        ['BIGINT', 'BOOLEAN', 'DATE', 'DOUBLE', 'TIMESTAMP', 'VARCHAR', 'VARCHAR[]'].map((type) => ({
          type,
        })),
      );
    });
  });

  it('explains every table, view and column', async () => {
    await inWorld(async ({ rows }) => {
      expect(
        await rows(
          `select schema_name, table_name, column_name from duckdb_columns()
           where not internal and (comment is null or length(comment) < 5)
           union all select schema_name, table_name, '' from duckdb_tables() where not internal and comment is null
           union all select schema_name, view_name, '' from duckdb_views() where not internal and comment is null`,
        ),
      ).toEqual([]);
    });
  });
});
