import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readViewFiles } from '../../src/publish/published-file.ts';
import { SQL_FOLDER } from '../../src/warehouse/sql.ts';
import { viewProblems } from './whole-views.ts';
import { action, openWorld } from './world.ts';

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
  const settings = ['detail.figures', 'main.ai_assistants', 'main.ai_vendors', 'main.sync_settings'];
  expect(filled.toSorted()).toEqual(settings);
});

it('the views name schema and table, never the catalog', () => {
  for (const { sql } of readViewFiles()) {
    expect(sql).not.toMatch(/\b\w+\.(?:core|meta|main|detail)\.\w+/);
  }
});

it('the views hold each key once, of days with several events and of days without a row', async () => {
  await using world = await openWorld();
  const days = ['2025-06-01', '2025-06-02', '2025-06-05'];
  await world.daily('core.visibility', days, () => ({ visibility: 50 }));
  await world.daily('core.sentiment', days, () => ({ sentiment: 70 }));
  const actions = ['1', '2', '3'].map((id) => action(id, '2025-06-02'));
  await world.insert('core.events', actions);
  expect(await world.rows('select count(*) as days from detail.daily_kpis')).toEqual([{ days: 5 }]);
  expect(await viewProblems(world.connection)).toEqual([]);
});

it('every table, view and column has a comment, and views have the types that BI tools read', async () => {
  await using world = await openWorld();
  const relations = ['table', 'view'].map(
    (kind) =>
      `select schema_name || '.' || ${kind}_name as name, comment from duckdb_${kind}s() where not internal`,
  );
  const columns = `select schema_name || '.' || table_name || '.' || column_name as name, comment, data_type
    from duckdb_columns() where not internal`;
  const silent = `select name from (${relations.join(' union all ')} union all select name, comment from (${columns}))
    where coalesce(comment, '') = ''`;
  expect(await world.rows(silent)).toEqual([]);
  const readable = ['VARCHAR', 'BIGINT', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP'];
  const strange = `select name, data_type from (${columns}) where regexp_matches(name, '^(main|detail)[.]')
    and data_type not in (${readable.map((type) => `'${type}'`).join(', ')})`;
  expect(await world.rows(strange)).toEqual([]);
});
