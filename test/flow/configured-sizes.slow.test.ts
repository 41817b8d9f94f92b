import { expect, it } from 'vitest';
import { openRig } from './rig.ts';

const SMALL = { world: 'demo', today: '2026-07-14', startDate: '2026-06-01' } as const;

it('whole windows that a server refuses as too long are asked for once, and none that is as long', async () => {
  const summary = { endpoints: ['response_summary'] };
  await using rig = await openRig({ ...SMALL, world: 'small', maxWindowDays: { 'responses/summary': 20 } });
  Object.assign(rig.config.sync, { windows: ['month', 'last_28_days', 'last_7_days', 'last_90_days'] });
  const refused = (): number => rig.simulator.requests.filter(({ status }) => status === 400).length;
  // July so far and the last 7 days are answered.
  expect((await rig.pull(summary)).exitCode).toBe(3);
  expect(refused()).toBeLessThanOrEqual(3);
  expect(
    await rig.workingRows(
      'select window_kind as kind, window_start as start from core.response_summary order by all',
    ),
  ).toEqual([
    { kind: 'last_7_days', start: '2026-07-07' },
    { kind: 'month', start: '2026-07-01' },
  ]);
});
