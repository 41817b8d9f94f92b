import { expect, it } from 'vitest';
import { openRig, PROJECT_ONLY } from './rig.ts';

it('a refused model list, which belongs to no project, ends no run', async () => {
  await using rig = await openRig(PROJECT_ONLY);
  const gone = { status: 404, body: { error: 'Not Found', message: 'gone' } };
  rig.answer('/api/v1/models', () => gone);
  const exits: number[] = [];
  for (const day of ['2026-07-14', '2026-07-15', '2026-07-16', '2026-07-17'])
    exits.push((await rig.night(day, { endpoints: ['models', 'visibility'] })).exit_code);
  expect(exits).toEqual([3, 3, 3, 0]);
  expect(await rig.rows('select count(*) > 20 as has_days from core.visibility')).toEqual([
    { has_days: true },
  ]);
});
