import { expect, it } from 'vitest';
import { readViewFiles } from '../../src/publish/published-file.ts';
import { openWorld } from './world.ts';

it('the views give no row, and no failure, in an empty database, except the settings', async () => {
  await using world = await openWorld();
  const { rows } = world;
  const views = await rows(
    `select schema_name || '.' || view_name as name from duckdb_views() where not internal order by name collate nocase`,
  );
  const filled: string[] = [];
  for (const { name } of views)
    if ((await rows(`select * from ${String(name)}`)).length > 0) filled.push(String(name));
  expect(filled.toSorted()).toEqual(['main.ai_vendors', 'main.sync_settings']);
});

it('the views name schema and table, never the catalog', () => {
  for (const { sql } of readViewFiles('duckdb')) {
    expect(sql).not.toMatch(/\b\w+\.(?:core|meta|main|detail)\.\w+/);
  }
});
