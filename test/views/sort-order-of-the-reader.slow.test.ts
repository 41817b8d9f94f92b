import { expect, it } from 'vitest';
import { readViews } from '../../src/publish/views.ts';
import { action, configure, days, openWorld, prompts, slice } from './world.ts';
import type { World } from './world.ts';

/** Each view, row by row, in an order of its own. */
async function readAll(world: World): Promise<Map<string, string[]>> {
  const names = readViews('duckdb').flatMap(({ sql }) =>
    [...sql.matchAll(/create view main\.(\w+)/g)].map(([, name = '']) => name),
  );
  const read = new Map<string, string[]>();
  for (const name of names)
    read.set(name, (await world.rows(`select * from ${name}`)).map((row) => JSON.stringify(row)).toSorted());
  return read;
}

async function fill(world: World): Promise<void> {
  await configure(world, '2025-06-20');
  const dates = days('2025-01-01', 171);
  const heatmap = { competitor_domain: '', model_id: 'm', visibility: 1 };
  const windows = ['2025-04-01', '2025-05-01'].map((window_start) => ({
    window_kind: 'month',
    window_start,
    window_end: window_start === '2025-04-01' ? '2025-04-30' : '2025-05-31',
  }));
  await world.insert('meta.slices', [
    slice('visibility', '2025-01-01..2025-03-10'),
    slice('visibility', '2025-03-15..2025-06-20'),
    slice('events', '2025-01-01..2025-06-20'),
  ]);
  await world.insert(
    'core.visibility',
    dates.map((date, index) => ({
      date,
      visibility: (index < 100 ? 10 : 60) + (Math.abs(Math.sin(index) * 99) % 7),
    })),
  );
  await world.insert(
    'core.share_of_voice',
    dates.map((date, index) => ({
      date,
      total_responses: 10,
      brand_mentions: index % 5,
      share_of_voice: 10 * (index % 5),
    })),
  );
  await world.insert(
    'core.citation_ranks',
    dates.map((date, index) => ({
      date,
      total_citations: index === 150 ? 900 : (index * 3) % 11,
      average_rank: index,
    })),
  );
  await world.insert(
    'core.domain_citations',
    dates.flatMap((date, index) => [
      { date, domain: 'a.com', citations: index },
      { date, domain: 'b.com', citations: 3 },
    ]),
  );
  await world.insert(
    'core.prompt_snapshots',
    dates.slice(0, 4).map((date, index) => ({ date, prompt_id: 'q', average_visibility: index })),
  );
  await world.insert(
    'core.competitor_heatmap',
    windows.flatMap((window) => ['A', 'B'].map((name) => ({ ...heatmap, ...window, competitor_name: name }))),
  );
  await world.insert(
    'core.crawler_top_pages',
    windows.flatMap((window) =>
      ['/', '/x'].map((request_path, index) => ({ ...window, request_path, requests: index })),
    ),
  );
  await world.insert('core.events', [
    ...['2025-03-01', '2025-03-03', '2025-04-11'].map((date, index) => action(String(index), date)),
    action('late', '2025-04-11', { occurred_at: '2025-04-11T20:00:00Z' }),
    prompts('prompts_created', '2025-04-11', 3),
  ]);
}

it('no view depends on the order in which the session of a reader sorts', async () => {
  await using world = await openWorld();
  await fill(world);
  const usual = await readAll(world);
  expect(usual.get('turning_points')?.length).toBeGreaterThan(0);
  expect(usual.get('anomalies')?.length).toBeGreaterThan(0);
  await world.connection.run("set default_order = 'desc'");
  const other = await readAll(world);
  expect(
    [...usual].filter(([name, rows]) => other.get(name)?.join() !== rows.join()).map(([name]) => name),
  ).toEqual([]);
});
