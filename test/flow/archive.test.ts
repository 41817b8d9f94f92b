import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig } from './rig.ts';

const DAY_MS = 86_400_000;

it('the raw archive is pruned by the clock, not by the day that a run treats as today', async () => {
  await using rig = await openRig({
    world: 'small',
    today: '2026-07-14',
    startDate: '2026-07-14',
    change: (config) => ({ ...config, raw: { ...config.raw, keepDays: 3 } }),
  });
  const endpoints = ['models'];
  await rig.sync({ endpoints });
  rig.simulator.setToday(toDay('2026-07-20'));
  await rig.sync({ endpoints });
  expect(readdirSync(rig.config.raw.dir)).toEqual(['2026-07-14', '2026-07-20']);
  await rig.effects.sleep(6 * DAY_MS);
  await rig.sync({ endpoints });
  expect(readdirSync(rig.config.raw.dir)).toEqual(['2026-07-20']);
});
