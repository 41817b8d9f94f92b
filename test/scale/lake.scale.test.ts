import * as fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/day.ts';
import { openDuckLake } from '../../src/targets/ducklake/duck-lake.ts';
import type { LakePlace } from '../../src/targets/ducklake/with-lake.ts';
import { publish } from '../../src/publish/publish.ts';
import { secretOf } from '../../src/secret.ts';
import { openRig } from '../flow/rig.ts';
import { doDeed, TABLES, WHATS } from '../publish/random-nights.ts';
import { NOW, withPublished, type WarehouseFiles } from '../publish/warehouse-files.ts';
import { newDatabase } from './fleet.ts';
import {
  bringUp,
  differences,
  EXTENSIONS,
  LakeReader,
  parquetFiles,
  placeIn,
  strayFiles,
} from './lake-reader.ts';

const DAY_MS = 86_400_000;
const LOOK = 'select count(*) as n, sum(visibility) as total from lake.core.visibility';

/** Two nights and their compactions: a reader of a snapshot sees one state, a new one that of the file. */
async function expectOneState(place: LakePlace, files: WarehouseFiles): Promise<void> {
  const { connection, target, addDay, publish } = files;
  const settings = { ...place, maxFiles: 2 };
  await bringUp(connection, target, settings);
  await using before = await LakeReader.open(place);
  await before.connection.run('begin');
  const seen = await before.connection.rows(LOOK);
  for (const night of [1, 2]) {
    await addDay(`2025-06-1${String(night)}`, 7);
    await connection.run('update core.visibility set visibility = visibility + 1');
    await publish({ now: NOW + night * DAY_MS });
    await bringUp(connection, target, settings);
  }
  expect(await before.connection.rows(LOOK)).toEqual(seen);
  await using after = await LakeReader.open(place);
  expect(await after.connection.rows(LOOK)).toEqual(await connection.rows(LOOK.replace('lake.', '')));
  const current = `select max(file_count + delete_file_count) as n from ducklake_table_info('lake')`;
  expect(Number((await after.connection.rows(current))[0]?.['n'])).toBeLessThanOrEqual(2);
  expect(await bringUp(connection, target, settings)).toBeNull();
  const { publishedAt } = await openDuckLake({ ...place, mode: 0o444 }).inspect();
  expect(publishedAt).toBe(new Date(NOW + 2 * DAY_MS).toISOString());
}

describe.skipIf(EXTENSIONS === '')('a lake', () => {
  it('holds every row, view and comment of the published file after two nights of a hostile world', async () => {
    await using rig = await openRig({
      world: 'hostile',
      today: '2026-07-14',
      startDate: '2026-07-08',
      change: (config) => ({
        ...config,
        warehouse: { ...config.warehouse, target: 'ducklake', lake: placeIn(config.directory) },
      }),
    });
    const { simulator } = rig;
    await rig.sync();
    const days = { start: addDays(simulator.today, -5), end: addDays(simulator.today, -1) };
    simulator.setToday(addDays(simulator.today, 1));
    for (const { id } of simulator.world.projects) simulator.restate({ project: id, days, by: 0.07 });
    expect(await rig.sync()).toMatchObject({ exit_code: 0 });
    const { path, lake } = rig.config.warehouse;
    expect(await differences(path, lake ?? placeIn(''))).toEqual([]);
  });

  it('holds what the file holds, whatever happens to any table, after a missed night and compaction', async () => {
    await withPublished('select 1', async ({ connection, target, scratch }) => {
      const place = placeIn(scratch.folder);
      const written = [];
      for (const [night, isMissed] of [false, true, false].entries()) {
        for (const [index, table] of TABLES.entries()) {
          const what = WHATS[(index + night) % WHATS.length] ?? 'insert';
          await doDeed(connection, { table, what, seed: night * 31 + index }, night + 1);
        }
        await publish({ connection, targetPath: target, now: NOW + night * DAY_MS });
        if (isMissed) continue;
        // In the last night, files are put together.
        const report = await bringUp(connection, target, { ...place, maxFiles: night === 2 ? 1 : 1000 });
        written.push((report?.parts ?? 0) > 20);
        expect(await differences(target, place, { views: false })).toEqual([]);
      }
      expect(written).toEqual([true, true]);
      expect(await bringUp(connection, target, place)).toBeNull();
    });
  });

  it('shows one state to a reader of a snapshot over nights and compactions, and keeps few files', async () => {
    await withPublished('select 1', async (files) => {
      const place = placeIn(files.scratch.folder);
      await expectOneState(place, files);
      expect(await strayFiles(place)).toEqual([]);
      const modes = parquetFiles(place.data).map((name) => fs.statSync(`${place.data}/${name}`).mode & 0o444);
      expect(new Set(modes)).toEqual(new Set([0o444]));
      expect(fs.statSync(files.scratch.path('lake.ducklake')).mode & 0o777).toBe(0o444);
    });
  });

  it.skipIf(process.env['AWS_ENDPOINT_URL'] === undefined)(
    'shows one state to a reader of a snapshot with its catalog in PostgreSQL and its files in a bucket',
    async () => {
      const catalog = secretOf('env:LAKE_URL', await newDatabase());
      const data = `s3://answers/lake-${String(process.pid)}`;
      await withPublished('select 1', (files) =>
        expectOneState({ catalog, data, extensions: EXTENSIONS }, files),
      );
    },
  );
});
