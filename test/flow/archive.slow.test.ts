import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig } from './rig.ts';

const DAY_MS = 86_400_000;

it('the raw archive is pruned by the clock, not by the day that a run treats as today', async () => {
  await using rig = await openRig({
    world: 'small',
    today: '2026-07-14',
    startDate: '2026-07-05',
    change: (config) => ({ ...config, raw: { ...config.raw, keepDays: 3 } }),
  });
  const past = { endpoints: ['models'], today: toDay('2026-07-10') };
  const files = (): number => readdirSync(join(rig.config.raw.dir, past.today)).length;
  await rig.sync(past);
  await rig.sync(past);
  expect(files()).toBe(2);
  await rig.effects.sleep(6 * DAY_MS);
  await rig.sync(past);
  expect(files()).toBe(3);
  await rig.effects.sleep(DAY_MS);
  await rig.sync(past);
  expect(files()).toBe(2);
});

it('a clock that is far ahead while nothing can be reached removes no answer', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  await rig.sync();
  await rig.simulator.close();
  await rig.effects.sleep(500 * DAY_MS);
  expect(await rig.sync({ today: null })).toMatchObject({ exit_code: 5 });
  expect(readdirSync(join(rig.config.raw.dir, '2026-07-14'))).toHaveLength(1);
});
