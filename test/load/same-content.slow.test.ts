import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { silentLog } from '../../src/log.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { openRig } from '../flow/rig.ts';
import { warehouseHashes } from '../support/content-hash.ts';

const FIRST_NIGHT = toDay('2026-07-14');
const NIGHTS = 3;

/** Name of a file that gets the digests: compare those of two versions of the program before a change of the hot path lands. */
const DIGESTS = process.env['CONTENT_DIGESTS'];

/** Three nights of a world, with days restated before the second and the third; the digests of everything that they stored. */
async function nights(world: 'demo' | 'hostile', restates: boolean) {
  await using rig = await openRig({ world, today: FIRST_NIGHT, startDate: '2026-06-20' });
  for (let night = 0; night < NIGHTS; night += 1) {
    rig.simulator.setToday(addDays(FIRST_NIGHT, night));
    if (restates && night > 0) {
      const days = { start: addDays(FIRST_NIGHT, night - 6), end: addDays(FIRST_NIGHT, night - 2) };
      for (const { id } of rig.simulator.world.projects)
        rig.simulator.restate({ project: id, days, by: 0.07 });
    }
    await rig.pull({ acceptShrink: night === 2 });
  }
  const path = workingPath(rig.config.warehouse.path);
  const stored = await warehouseHashes(path);
  const { config, effects } = rig;
  const context = { config, effects, log: silentLog, signal: new AbortController().signal, version: '0.0.0' };
  await replayArchive(context, false);
  return { stored, replayed: await warehouseHashes(path) };
}

it.each([
  ['demo', 'demo', false],
  ['hostile', 'hostile', false],
  ['restated', 'demo', true],
] as const)(
  'what is stored after three nights depends on the answers and not on their batches: %s',
  { timeout: 300_000 },
  async (name, world, restates) => {
    const { stored, replayed } = await nights(world, restates);
    if (DIGESTS !== undefined) appendFileSync(DIGESTS, `${name} ${JSON.stringify(stored, null, 1)}\n`);
    const core = (hashes: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(hashes).filter(
          ([table]) => table.startsWith('core.') || table === 'meta.restatements',
        ),
      );
    expect(core(replayed)).toEqual(core(stored));
  },
);
