import { expect, it } from 'vitest';
import { VIEW_KEYS } from '../../src/guide/view-keys.ts';
import { openRig, type Rig } from '../flow/rig.ts';

/** The last digits of a mean depend on the order of its terms, an age on the clock. */
function rounded(name: string, value: unknown): unknown {
  if (name === 'age_hours') return null;
  return typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value;
}

/** Each view, row by row, in an order of its own. */
async function readAll(rig: Rig): Promise<Map<string, string[]>> {
  const read = new Map<string, string[]>();
  for (const name of Object.keys(VIEW_KEYS))
    read.set(
      name,
      (await rig.rows(`select * from ${name}`)).map((row) => JSON.stringify(row, rounded)).toSorted(),
    );
  return read;
}

it('no view depends on the order in which the session of a reader sorts', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2025-12-01' });
  await rig.sync();
  const usual = await readAll(rig);
  expect([...usual.values()].filter((rows) => rows.length === 0).length).toBeLessThan(10);
  await rig.rows("set default_order = 'desc'");
  const other = await readAll(rig);
  expect(
    [...usual].filter(([name, rows]) => other.get(name)?.join() !== rows.join()).map(([name]) => name),
  ).toEqual([]);
});
