import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { exportTables } from '../../src/export/export-tables.ts';
import { buildReport } from '../../src/report/build-report.ts';
import { openFolder } from '../support/folder.ts';
import { action, days, openWorld, slice, type World } from './world.ts';

const START = '2024-11-01';
const DATES = days(START, 210);
const END = DATES.at(-1) ?? '';
const ABSURD_DAY = '2025-05-05';

/** A year of quiet figures in every table that has doubles, with two actions. */
async function openYear(): Promise<World> {
  const world = await openWorld(END);
  await world.insert(
    'meta.slices',
    ['visibility', 'sentiment', 'share_of_voice', 'events'].map((name) => slice(name, `${START}..${END}`)),
  );
  await world.insert('core.projects', [{ name: 'Fernhill', slug: 'fernhill' }]);
  await world.insert('core.brands', [{ brand_id: 'b', name: 'Fernhill', relation: 'own' }]);
  const figures = (wave: number): Record<string, Record<string, unknown>> => ({
    visibility: { visibility: wave },
    sentiment: { sentiment: wave },
    share_of_voice: { total_responses: 100, brand_mentions: wave, share_of_voice: wave, change: 1 },
    brand_visibility: { brand_id: 'b', average_visibility: wave, mention_count: 5, total_responses: 10 },
    citation_ranks: { total_citations: wave, average_rank: 2, citations_with_rank: 10 },
  });
  for (const table of Object.keys(figures(0)))
    await world.daily(`core.${table}`, DATES, (index) => figures(50 + (index % 7))[table] ?? {});
  await world.insert('core.events', [action('1', '2025-05-04'), action('2', '2025-02-01')]);
  return world;
}

/** Every score and share of the day, and of the whole window tables, becomes `absurd`. */
async function spoil(world: World, absurd: number): Promise<void> {
  const columns = await world.connection.rowsAs(
    z.object({ table_name: z.string(), column_name: z.string() }),
    `select table_name, column_name from duckdb_columns() where schema_name = 'core' and data_type = 'DOUBLE'
     and table_name in (select table_name from duckdb_columns() where schema_name = 'core' and column_name = 'date')`,
  );
  expect(columns.length).toBeGreaterThan(5);
  for (const { table_name: table, column_name: column } of columns) {
    await world.run(`update core.${table} set ${column} = '${absurd}'::double where date = '${ABSURD_DAY}'`);
  }
}

it.each([1.797e308, 101, -1])(
  'a score of %d is shown as it was answered, and left out of statistics',
  async (absurd) => {
    await using world = await openYear();
    await spoil(world, absurd);
    await world.gives(
      `select measure, value from measure_days where measure in ('visibility', 'sentiment') and date = '${ABSURD_DAY}' order by 1`,
      [
        ['sentiment', null],
        ['visibility', null],
      ],
    );
    await world.gives(`select visibility from daily_kpis where date = '${ABSURD_DAY}'`, [[absurd]]);
  },
);

it.each([1.797e308, -1.797e308])(
  'every view, the report and an export survive a day of %d in every score and share',
  async (absurd) => {
    const folder = openFolder();
    const path = join(folder, 'answers.duckdb');
    {
      await using world = await openYear();
      await spoil(world, absurd);
      const views = await world.rows(
        `select schema_name || '.' || view_name as name from duckdb_views() where not internal order by 1`,
      );
      expect(views.length).toBeGreaterThan(40);
      const failures: string[] = [];
      for (const { name } of views)
        await world
          .run(`create or replace temp table whole as from ${String(name)}`)
          .catch((error: unknown) => failures.push(`${String(name)}: ${String(error)}`));
      expect(failures).toEqual([]);
      await world.run('checkpoint');
      copyFileSync(world.connection.path, path);
    }
    const page = await buildReport({ path, now: Date.parse(`${END}T03:00:00Z`), days: 0 });
    expect(page).toContain('Fernhill');
    expect(page).not.toMatch(/NaN|Infinity/);
    const all = { projectId: null, names: null, schema: 'main', partition: 'month' } as const;
    const none = (): undefined => undefined;
    const order = { ...all, earlier: none, standing: none, signal: new AbortController().signal };
    mkdirSync(join(folder, 'export'));
    const { tables } = await exportTables({ source: path, folder: join(folder, 'export'), ...order });
    expect(tables.length).toBeGreaterThan(30);
  },
);
