import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig } from './rig.ts';

it('a list that the server caps below its limit, ignoring the offset, is truncated and deletes nothing', async () => {
  await using rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-06-15' });
  const [project] = rig.simulator.world.projects;
  const request = { endpoints: ['brand_visibility'], projects: [project?.id ?? ''] };
  await rig.pull(request);
  const stored = "select count(*) as rows from core.brand_visibility where date < '2026-07-15'";
  const before = await rig.workingRows(stored);
  rig.simulator.setToday(toDay('2026-07-15'));
  // The newest 50 of 56 rows.
  let cut: unknown[] = [];
  rig.simulator.override('visibility-over-time', ({ query }, answer) => {
    if (!query.some(([name]) => name === 'offset'))
      cut = (answer.body as unknown[]).toReversed().slice(0, 50);
    return { body: cut };
  });
  rig.simulator.resetRequests();
  const { exitCode, totals } = await rig.pull(request);
  expect({ exitCode, deleted: totals.rows_deleted }).toEqual({ exitCode: 3, deleted: 0 });
  expect(await rig.workingRows(stored)).toEqual(before);
  // Two readings of two pages each.
  expect(
    rig.simulator.requests
      .filter(({ path }) => path.endsWith('visibility-over-time'))
      .map(({ status }) => status),
  ).toEqual([200, 200, 200, 200]);
});
