import { it } from 'vitest';
import { openWorld, window, type World } from './world.ts';

const MODEL = { scope: 'model', scope_id: 'm' };

async function openBrands(): Promise<World> {
  const world = await openWorld('2025-06-20');
  await world.insert('core.brands', [
    { brand_id: 'own', name: 'Acme', domain: 'acme.com', relation: 'SELF' },
    { brand_id: 'rival', name: 'Rival', domain: 'rival.com', relation: 'DIRECT_COMPETITOR' },
    { brand_id: 'noise', name: 'Noise', domain: null, relation: 'IGNORED' },
  ]);
  await world.insert('core.models', [{ model_id: 'm', label: 'Model M', deprecated: true }]);
  const measure = { date: '2025-06-01', average_visibility: 1, total_responses: 100 };
  await world.insert('core.brand_visibility', [
    { ...measure, brand_id: 'own', mention_count: 30, visibility_percentage: 30 },
    { ...measure, brand_id: 'rival', mention_count: 50, visibility_percentage: 45 },
    { ...measure, brand_id: 'noise', mention_count: 20, visibility_percentage: 20 },
    { ...measure, ...MODEL, brand_id: 'own', mention_count: 1, visibility_percentage: 2 },
    { ...measure, ...MODEL, brand_id: 'rival', mention_count: 3, visibility_percentage: 1 },
    { ...measure, brand_id: 'rival', mention_count: 7, visibility_percentage: 9, grain: 'week' },
  ]);
  return world;
}

it('brand views put your own brand in the same scope next to each other brand', async () => {
  await using world = await openBrands();
  await world.gives(
    `select scope, scope_name, brand_name, is_own_brand, visibility_pct, own_visibility_pct, gap_points
           from brand_visibility_trend where grain = 'day' order by scope, brand_name`,
    [
      ['model', 'Model M', 'Acme', true, 2, 2, 0],
      ['model', 'Model M', 'Rival', false, 1, 2, 1],
      ['project', null, 'Acme', true, 30, 30, 0],
      ['project', null, 'Noise', false, 20, 30, 10],
      ['project', null, 'Rival', false, 45, 30, -15],
    ],
  );
});

it('brand views share the mentions of one period and scope among its brands, ignored ones left out', async () => {
  await using world = await openBrands();
  await world.gives(
    `select scope, brand_name, mention_share_pct, own_mention_share_pct, mention_rank
           from brand_mention_share where grain = 'day' order by scope, mention_rank`,
    [
      ['model', 'Rival', 75, 25, 1],
      ['model', 'Acme', 25, 25, 2],
      ['project', 'Rival', 62.5, 37.5, 1],
      ['project', 'Acme', 37.5, 37.5, 2],
    ],
  );
});

it('brand views show the gap to competitors only, and NULL where your own brand is not listed', async () => {
  await using world = await openBrands();
  await world.gives(
    'select grain, scope, competitor_name, gap_points, is_own_brand_ahead from competitor_gap order by grain, scope',
    [
      ['day', 'model', 'Rival', 1, true],
      ['day', 'project', 'Rival', -15, false],
      ['week', 'project', 'Rival', null, null],
    ],
  );
});

it('two own brands count the answers of a day once, beside the figures of the one that is named most', async () => {
  await using world = await openBrands();
  await world.insert('core.brands', [{ brand_id: 'shop', name: 'Acme Shop', relation: 'SELF' }]);
  await world.insert('core.brand_visibility', [
    { date: '2025-06-01', brand_id: 'shop', mention_count: 9, total_responses: 100, average_visibility: 1 },
    { date: '2025-06-02', brand_id: 'own', mention_count: 5, total_responses: 70, average_visibility: 1 },
    { date: '2025-06-02', brand_id: 'shop', mention_count: 6, total_responses: 70 },
  ]);
  await world.gives(
    `select date, sum(all_responses), max(own_mention_count), max(own_average_visibility)
           from brand_visibility_trend where grain = 'day' and scope = 'project' group by date order by date`,
    [
      ['2025-06-01', 100, 30, 1],
      ['2025-06-02', 70, 6, null],
    ],
  );
});

const CELL = { competitor_domain: '', model_id: 'm', relation: 'DIRECT_COMPETITOR', competitor_rank: 1 };
const NEWEST = { ...CELL, ...window('last_28_days', '2025-05-05..2025-06-01') };

it('competitor_heatmap_latest shows the newest rolling window rather than a month that has just begun', async () => {
  await using world = await openBrands();
  await world.insert('core.competitor_heatmap', [
    { ...CELL, ...window('month', '2025-06-01..2025-06-02'), competitor_name: 'Rival', visibility: 1 },
    { ...NEWEST, competitor_name: 'Rival', visibility: 45 },
    { ...NEWEST, competitor_name: 'Acme', relation: 'OTHER', visibility: 30 },
    { ...NEWEST, competitor_name: '__proto__', visibility: null },
    { ...CELL, ...window('last_28_days', '2025-05-04..2025-05-31'), competitor_name: 'Gone', visibility: 2 },
  ]);
  await world.gives(
    `select window_start, competitor_name, is_own_brand, model_name, is_deprecated_model, visibility_pct, gap_points
           from competitor_heatmap_latest order by competitor_name`,
    [
      ['2025-05-05', 'Acme', true, 'Model M', true, 30, 0],
      ['2025-05-05', 'Rival', false, 'Model M', true, 45, -15],
      ['2025-05-05', '__proto__', false, 'Model M', true, null, null],
    ],
  );
});

it('competitor_heatmap_latest falls back to the newest month once rolling windows are no longer asked', async () => {
  await using world = await openWorld();
  await world.insert('core.competitor_heatmap', [
    { ...CELL, ...window('last_28_days', '2025-01-05..2025-02-01'), competitor_name: 'Old', visibility: 9 },
    { ...CELL, ...window('month', '2025-05-01..2025-05-31'), competitor_name: 'May', visibility: 5 },
    { ...CELL, ...window('month', '2025-06-01..2025-06-20'), competitor_name: 'June', visibility: 6 },
  ]);
  await world.gives('select competitor_name from competitor_heatmap_latest', [['June']]);
});

it('main repeats no total on each row of a brand: a sum of answers counts them once', async () => {
  await using world = await openBrands();
  await world.gives('select sum(all_responses)::integer from main.brand_visibility_trend', [[100]]);
  const totals =
    "column_name like 'own%' or column_name like 'all_mention%' or column_name like 'listed%count'";
  await world.gives(
    `select table_name, column_name from duckdb_columns() where schema_name = 'main' and (${totals})
     and table_name in ('brand_visibility_trend', 'brand_mention_share', 'competitor_gap', 'domain_citation_trend')`,
    [],
  );
});
