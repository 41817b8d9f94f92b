import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readViewFiles } from '../../src/publish/published-file.ts';
import { SQL_FOLDER } from '../../src/warehouse/sql.ts';
import { openWorld } from './world.ts';

it('which statuses count as answered is written in the macros alone', () => {
  const files = ['views', 'macros'].flatMap((folder) =>
    readdirSync(join(SQL_FOLDER, folder)).map((file) => join(SQL_FOLDER, folder, file)),
  );
  const others = files.filter((file) => /'not_enabled',.*'truncated'/.test(readFileSync(file, 'utf8')));
  expect(others).toEqual([]);
});

it('each view that joins a series with what was asked fits 60 lines', () => {
  const files = readdirSync(join(SQL_FOLDER, 'views')).map((file) =>
    readFileSync(join(SQL_FOLDER, 'views', file), 'utf8'),
  );
  const statements = files.flatMap((sql) => sql.match(/^create view [^]*?;$/gm) ?? []);
  const joined = statements.filter((sql) => /join_series_state|open_project_days/.test(sql));
  expect(joined.length).toBeGreaterThan(10);
  expect(joined.filter((sql) => sql.split('\n').length > 60)).toEqual([]);
});

it('the views give no row, and no failure, in an empty database, except the settings', async () => {
  await using world = await openWorld();
  const views = await world.rows(
    `select schema_name || '.' || view_name as name from duckdb_views() where not internal`,
  );
  const filled: string[] = [];
  for (const { name } of views)
    if ((await world.rows(`select * from ${String(name)}`)).length > 0) filled.push(String(name));
  expect(filled.toSorted()).toEqual([
    'detail.figures',
    'main.ai_assistants',
    'main.ai_vendors',
    'main.sync_settings',
  ]);
});

it('the views name schema and table, never the catalog', () => {
  for (const { sql } of readViewFiles()) {
    expect(sql).not.toMatch(/\b\w+\.(?:core|meta|main|detail)\.\w+/);
  }
});
