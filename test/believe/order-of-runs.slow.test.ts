import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { toDay } from '../../src/day.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { makeFolder } from '../support/folder.ts';
import { openRig, type Rig } from '../flow/rig.ts';
import { JULY, withSync } from './nights.ts';

const HOUR_MS = 3_600_000;
const REQUEST = { endpoints: ['visibility', 'response_sentiment', 'events', 'response_summary'] };
const TABLES = ['visibility', 'response_sentiment', 'events', 'response_summary'];

async function pictureOf(rig: Rig): Promise<Record<string, unknown>> {
  const picture: Record<string, unknown> = {};
  for (const table of TABLES)
    picture[table] = await rig.rows(`select * exclude (_changed_at) from core.${table} order by all`);
  return picture;
}

it.each([
  ['three hours ahead', 3],
  ['thirty hours behind', -30],
] as const)('an archive with a night whose server was %s replays to the same tables', async (_, hours) => {
  let skewHours = 0;
  let now = (): number => 0;
  await using rig = await openRig({
    ...JULY,
    change: withSync({ scopes: {} }),
    serverTime: () => now() + skewHours * HOUR_MS,
  });
  now = rig.effects.now;
  const [project] = rig.simulator.world.projects;
  for (const [index, day] of ['2026-07-14', '2026-07-15', '2026-07-16', '2026-07-17'].entries()) {
    rig.simulator.setToday(toDay(day));
    skewHours = index === 1 ? hours : 0;
    rig.simulator.restate({
      project: project?.id ?? '',
      days: { start: toDay('2026-07-10'), end: toDay('2026-07-13') },
      by: 0.1,
    });
    const report = await rig.sync({ ...REQUEST, today: null });
    expect(report, day).toMatchObject({ exit_code: 0, failures: [] });
  }
  const before = await pictureOf(rig);
  const order = 'select run_id from meta.runs order by sequence';
  const runs = await rig.rows(order);
  expect(runs).toHaveLength(4);
  expect(await replayArchive(rig.context, false)).toMatchObject({ runs: 4, slices_failed: 0 });
  expect(await pictureOf(rig)).toEqual(before);
  expect(await rig.rows(order)).toEqual(runs);
});

it('two warehouses that archive into one folder replay each their own runs', async () => {
  const shared = makeFolder();
  const change = (config: Config): Config => ({
    ...withSync({ scopes: {} })(config),
    raw: { dir: join(shared, 'raw'), keepDays: 400 },
  });
  await using one = await openRig({ ...JULY, change });
  await using other = await openRig({ ...JULY, world: 'hostile', change });
  try {
    for (const day of ['2026-07-14', '2026-07-15']) {
      for (const rig of [one, other]) {
        rig.simulator.setToday(toDay(day));
        await rig.sync(REQUEST);
      }
    }
    for (const rig of [one, other]) {
      const before = await pictureOf(rig);
      expect(await replayArchive(rig.context, false)).toMatchObject({ runs: 2, slices_failed: 0 });
      expect(await pictureOf(rig)).toEqual(before);
    }
  } finally {
    rmSync(shared, { recursive: true, force: true });
  }
});
