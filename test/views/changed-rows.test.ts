import { it } from 'vitest';
import { openWorld, type World } from './world.ts';

const WITHDRAWN = '2025-06-10T03:00:00.000Z';
const KEY = { project_id: 'p', grain: 'day', date: '2025-06-01', scope: 'project', scope_id: 'p' };

async function withdraw(world: World, table: string, key: object): Promise<void> {
  await world.insert('meta.restatements', [
    { table_name: table, key: JSON.stringify(key), change: 'deleted', old: '{}', changed_at: WITHDRAWN },
  ]);
}

it('a withdrawn brand changes the shares of the others, and is deleted in three views until it returns', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert('core.brands', [
    { brand_id: 'own', relation: 'SELF' },
    { brand_id: 'rival', relation: 'OTHER' },
  ]);
  const row = { date: '2025-06-01', mention_count: 4, total_responses: 10 };
  await world.insert('core.brand_visibility', [
    { ...row, brand_id: 'own' },
    { ...row, brand_id: 'own', date: '2025-06-02' },
  ]);
  await withdraw(world, 'brand_visibility', { ...KEY, brand_id: 'rival' });
  await world.gives('select date, changed_at, final_on from brand_mention_share order by date', [
    ['2025-06-01', WITHDRAWN, '2025-06-08'],
    ['2025-06-02', '2025-06-01T00:00:00.000Z', '2025-06-09'],
  ]);
  const deleted =
    "select view_name, key, date, deleted_at from deleted_rows where schema_name = 'detail' order by view_name";
  await world.gives(
    deleted,
    [
      ['brand_mention_share', 'brand_id'],
      ['brand_visibility_trend', 'brand_id'],
      ['competitor_gap', 'competitor_brand_id'],
    ].map(([view, column = '']) => [
      view,
      JSON.stringify({ ...KEY, [column]: 'rival' }),
      KEY.date,
      WITHDRAWN,
    ]),
  );
  await world.insert('core.brand_visibility', [{ ...row, brand_id: 'rival' }]);
  await world.gives(deleted, []);
});

it('a withdrawn day changes the row that is now compared with an older one', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert('core.citation_ranks', [
    { date: '2025-05-31', average_rank: 3 },
    { date: '2025-06-02', average_rank: 2 },
    { date: '2025-06-03', average_rank: 2 },
  ]);
  await withdraw(world, 'citation_ranks', KEY);
  await world.gives('select date, changed_at, previous_date from citation_rank_trend order by date', [
    ['2025-05-31', '2025-06-01T00:00:00.000Z', null],
    ['2025-06-02', WITHDRAWN, '2025-05-31'],
    ['2025-06-03', '2025-06-01T00:00:00.000Z', '2025-06-02'],
  ]);
});
