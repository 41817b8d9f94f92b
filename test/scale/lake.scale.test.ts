import * as fs from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/day.ts';
import { openDuckLake } from '../../src/publish/ducklake/duck-lake.ts';
import type { LakePlace } from '../../src/publish/ducklake/lake-settings.ts';
import { publish } from '../../src/publish/publish.ts';
import { secretOf } from '../../src/secret.ts';
import type { WorldName } from '../../simulator/worlds.ts';
import { openRig } from '../flow/rig.ts';
import { doDeed, TABLES, WHATS } from '../publish/random-nights.ts';
import { NOW, withPublished } from '../publish/rig.ts';
import { newDatabase } from './queue-rig.ts';
import {
  bringUp,
  differences,
  EXTENSIONS,
  knownFiles,
  LakeReader,
  parquetFiles,
  placeIn,
} from './lake-rig.ts';

const DAY_MS = 86_400_000;

describe.skipIf(EXTENSIONS === '')('a lake', () => {
  it.for([
    ['small', 2, false],
    ['hostile', 2, true],
    ['empty', 1, false],
  ] satisfies [WorldName, number, boolean][])(
    'holds every row, view and comment of the published file after each night (%s)',
    { timeout: 240_000 },
    async ([world, nights, withViews]) => {
      await using rig = await openRig({
        world,
        today: '2026-07-14',
        startDate: '2026-07-06',
        change: (config) => ({
          ...config,
          warehouse: { ...config.warehouse, target: 'ducklake', lake: placeIn(config.directory) },
        }),
      });
      const { path, lake } = rig.config.warehouse;
      if (lake === null) throw new Error('no lake');
      for (let night = 0; night < nights; night += 1) {
        const { exit_code: code, failures } = await rig.sync({ acceptShrink: night === 1 });
        expect(failures.filter(({ class: cause }) => cause === 'storage' || cause === 'bug')).toEqual([]);
        expect([0, 3]).toContain(code);
        expect(await differences(path, lake, { views: withViews && night === nights - 1 })).toEqual([]);
        const today = addDays(rig.simulator.today, 1);
        rig.simulator.setToday(today);
        const days = { start: addDays(today, -6), end: addDays(today, -2) };
        for (const { id } of rig.simulator.world.projects)
          rig.simulator.restate({ project: id, days, by: 0.07 });
      }
    },
  );

  it('holds what the file holds, whatever happens to any table, after missed nights and after compaction', async () => {
    await withPublished('select 1', async ({ connection, target, scratch }) => {
      const place = placeIn(scratch.folder);
      const reports = [];
      for (const [night, isMissed] of [false, true, true, false].entries()) {
        for (const [index, table] of TABLES.entries()) {
          const what = WHATS[(index + night) % WHATS.length] ?? 'insert';
          await doDeed(connection, { table, what, seed: night * 31 + index }, night + 1);
        }
        await publish({ connection, targetPath: target, now: NOW + night * DAY_MS });
        if (isMissed) continue;
        // In the last night, files are put together.
        reports.push(await bringUp(connection, target, { ...place, mostFiles: night === 3 ? 1 : 1000 }));
        expect(await differences(target, place, { views: false })).toEqual([]);
      }
      expect(reports.map((report) => (report?.parts ?? 0) > 20)).toEqual([true, true]);
      expect(await bringUp(connection, target, place)).toBeNull();
    });
  });

  it('shows one state to a reader of a snapshot while two nights and a compaction go by', async () => {
    await withPublished('select 1', async ({ connection, target, scratch, addDay, publish: publishRig }) => {
      const place = placeIn(scratch.folder);
      const look = `select count(*) as n, sum(visibility) as total, count(distinct date) as days from lake.core.visibility`;
      await bringUp(connection, target, place);
      await using before = await LakeReader.open(place);
      await before.connection.run('begin');
      const seen = await before.connection.rows(look);
      for (const day of ['2025-06-02', '2025-06-03']) {
        await addDay(day, 7);
        await connection.run('update core.visibility set visibility = visibility + 1');
        await publishRig();
        await bringUp(connection, target, { ...place, mostFiles: 0 });
      }
      expect(await before.connection.rows(look)).toEqual(seen);
      await using after = await LakeReader.open(place);
      expect(seen[0]?.['days']).toBe(1);
      expect((await after.connection.rows(look))[0]?.['days']).toBe(3);
    });
  });

  it('has few files after many nights, may be read by whoever may read the file, and has no file that no state names', async () => {
    await withPublished('select 1', async ({ connection, target, scratch, addDay }) => {
      const place = placeIn(scratch.folder);
      const current = `select max(file_count + delete_file_count) as n from ducklake_table_info('lake')`;
      const most: unknown[] = [];
      for (let night = 0; night < 4; night += 1) {
        await addDay(`2025-06-1${String(night)}`);
        // More rows than DuckLake keeps in the catalog.
        await connection.run(
          `insert into core.visibility select v.* replace ('n${String(night)}-' || i as scope_id, 'model' as scope) from (from core.visibility limit 1) v, range(50) r(i)`,
        );
        await publish({ connection, targetPath: target, now: NOW + night * DAY_MS });
        await bringUp(connection, target, { ...place, mostFiles: 2 });
        await using reader = await LakeReader.open(place);
        most.push((await reader.connection.rows(current))[0]?.['n']);
      }
      expect(Math.max(...most.map(Number))).toBeLessThanOrEqual(2);
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
        const settings = { ...place, mostFiles: 1 };
        await bringUp(connection, target, settings);
        await using before = await LakeReader.open(place);
        await before.connection.run('begin');
        const seen = await before.connection.rows(look);
        for (const day of ['2025-06-02', '2025-06-03']) {
          await addDay(day, 7);
          await publishRig();
          await bringUp(connection, target, settings);
        }
        expect(await before.connection.rows(look)).toEqual(seen);
        expect(await differences(target, place, { views: false })).toEqual([]);
        expect(await bringUp(connection, target, settings)).toBeNull();
        const { publishedAt } = await openDuckLake({ ...place, mode: 0o444 }).look();
        expect(publishedAt).toBe(new Date(NOW).toISOString());
      });
    });
  },
);
