import { it } from 'vitest';
import { openWorld, slice, type World } from './world.ts';

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

it('a day that stays as it was when it was asked again changes when it is whole, with its difference', async () => {
  await using world = await openWorld('2025-06-03');
  await world.insert('core.share_of_voice', [
    { date: '2025-06-01', share_of_voice: 20, _changed_at: '2025-06-01T03:00:00Z' },
    { date: '2025-06-02', share_of_voice: 25, _changed_at: '2025-06-02T03:00:00Z' },
  ]);
  const runs = ['2025-06-02', '2025-06-03'];
  await world.insert(
    'meta.runs',
    runs.map((day) => ({ run_id: day, started_at: `${day}T03:00:00Z`, sync_day: day, status: 'ok' })),
  );
  await world.insert(
    'meta.slices',
    runs.map((day) => slice('share_of_voice', `2025-06-01..${day}`, { run_id: day })),
  );
  await world.gives('select date, change_points, changed_at from share_of_voice_trend order by date', [
    ['2025-06-01', null, '2025-06-01T03:00:00.000Z'],
    ['2025-06-02', 5, '2025-06-03T03:00:00.000Z'],
  ]);
});
