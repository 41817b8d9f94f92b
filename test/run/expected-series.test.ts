import { expect, it } from 'vitest';
import { openRig } from '../flow/rig.ts';

it('a first run expects the series of the models that it lists itself', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const expected = async (): Promise<unknown> =>
    await rig.workingRows(
      "select scope, count(*)::integer as series from meta.expected_series where endpoint = 'visibility' group by 1 order by 1",
    );
  await rig.pull({ endpoints: ['visibility'] });
  expect(await expected()).toEqual([{ scope: 'project', series: 1 }]);
  await rig.pull({ endpoints: ['models', 'visibility'] });
  expect(await expected()).toEqual([
    { scope: 'model', series: 6 },
    { scope: 'project', series: 1 },
  ]);
});
