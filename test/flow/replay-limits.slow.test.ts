import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { silentLog } from '../../src/log.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { openRig } from './rig.ts';

it('a replay keeps what was learned of the server: the night after it changes nothing', async () => {
  const change = (config: Config): Config => ({
    ...config,
    sync: { ...config.sync, scopes: {}, grains: ['day', 'week'] },
  });
  await using rig = await openRig({
    world: 'small',
    today: '2026-07-14',
    startDate: '2026-06-20',
    endDateInclusive: false,
    change,
  });
  const learned = 'select * from meta.limits where end_inclusive is not null order by endpoint';
  await rig.sync();
  const before = await rig.workingRows(learned);
  expect(before.filter((row) => row['end_inclusive'] === false).length).toBeGreaterThan(3);
  const { config, effects } = rig;
  const context = { config, effects, log: silentLog, signal: new AbortController().signal, version: '0.0.0' };
  await replayArchive(context, false);
  expect(await rig.workingRows(learned)).toEqual(before);
  expect(await rig.sync()).toMatchObject({
    exit_code: 0,
    rows_inserted: 0,
    rows_updated: 0,
    rows_deleted: 0,
  });
});
