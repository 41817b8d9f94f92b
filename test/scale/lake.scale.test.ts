import * as fs from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/day.ts';
import { openDuckLake } from '../../src/targets/ducklake/duck-lake.ts';
import type { LakePlace } from '../../src/targets/ducklake/with-lake.ts';
import { publish } from '../../src/publish/publish.ts';
import { secretOf } from '../../src/secret.ts';
import { openRig } from '../flow/rig.ts';
import { doDeed, TABLES, WHATS } from '../publish/random-nights.ts';
import { NOW, withPublished } from '../publish/warehouse-files.ts';
import { newDatabase } from './fleet.ts';
import {
  bringUp,
  differences,
  EXTENSIONS,
  knownFiles,
  LakeReader,
  parquetFiles,
  placeIn,
} from './lake-reader.ts';

const DAY_MS = 86_400_000;

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
    await withPublished('select 1', async ({ connection, target, scratch, addDay }) => {
      const place = placeIn(scratch.folder);
      const look = 'select count(*) as n, sum(visibility) as total from lake.core.visibility';
      const current = `select max(file_count + delete_file_count) as n from ducklake_table_info('lake')`;
      await bringUp(connection, target, place);
      await using before = await LakeReader.open(place);
      await before.connection.run('begin');
      const seen = await before.connection.rows(look);
      for (const night of [1, 2]) {
        await addDay(`2025-06-1${String(night)}`, 7);
        await connection.run('update core.visibility set visibility = visibility + 1');
        await publish({ connection, targetPath: target, now: NOW + night * DAY_MS });
        await bringUp(connection, target, { ...place, maxFiles: 2 });
      }
      expect(await before.connection.rows(look)).toEqual(seen);
      await using after = await LakeReader.open(place);
      expect(await after.connection.rows(look)).toEqual(await connection.rows(look.replace('lake.', '')));
      expect(Number((await after.connection.rows(current))[0]?.['n'])).toBeLessThanOrEqual(2);
      expect(
        parquetFiles(place.data)
          .map((name) => basename(name))
          .sort(),
      ).toEqual(await knownFiles(place));
      const modes = parquetFiles(place.data).map((name) => fs.statSync(`${place.data}/${name}`).mode & 0o444);
      expect(new Set(modes)).toEqual(new Set([0o444]));
      expect(fs.statSync(scratch.path('lake.ducklake')).mode & 0o777).toBe(0o444);
    });
  });
});

describe.skipIf(EXTENSIONS === '' || process.env['AWS_ENDPOINT_URL'] === undefined)(
  'a lake with its catalog in PostgreSQL and its files in a bucket',
  () => {
    it('holds what the file holds, and shows one state to a reader of a snapshot', async () => {
      const place: LakePlace = {
        catalog: secretOf('env:LAKE_URL', await newDatabase()),
        data: `s3://answers/lake-${String(process.pid)}`,
        extensions: EXTENSIONS,
      };
      await withPublished('select 1', async ({ connection, target, addDay, publish: publishRig }) => {
        const look = 'select count(*) as n, sum(visibility) as total from lake.core.visibility';
        const settings = { ...place, maxFiles: 1 };
        await bringUp(connection, target, settings);
        await using before = await LakeReader.open(place);
        await before.connection.run('begin');
        const seen = await before.connection.rows(look);
        await addDay('2025-06-02', 7);
        await publishRig({ now: NOW + DAY_MS });
        await bringUp(connection, target, settings);
        expect(await before.connection.rows(look)).toEqual(seen);
        await using after = await LakeReader.open(place);
        expect(await after.connection.rows(look)).toEqual(await connection.rows(look.replace('lake.', '')));
        expect(await bringUp(connection, target, settings)).toBeNull();
        const { publishedAt } = await openDuckLake({ ...place, mode: 0o444 }).inspect();
        expect(publishedAt).toBe(new Date(NOW + DAY_MS).toISOString());
      });
    });
  },
);
