import { tables } from '../support/tables.ts';
import * as fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/day.ts';
import { openDuckLake } from '../../src/targets/ducklake/duck-lake.ts';
import { catalogAddress, type LakePlace } from '../../src/targets/ducklake/with-lake.ts';
import { publish } from '../../src/publish/publish.ts';
import { secretOf, type Secret } from '../../src/secret.ts';
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
  ONE_THREAD,
} from './lake-reader.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exitCodeOf, messageOf } from '../../src/errors.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { quoteLiteral } from '../../src/warehouse/sql.ts';

const DAY_MS = 86_400_000;
const LAST_NIGHT = new Date(NOW + 2 * DAY_MS).toISOString();
const LOOK = 'select count(*) as n, sum(visibility) as total from lake.core.visibility';

/** Two nights and their compactions: a reader of a snapshot sees one state, a new one that of the file. @returns when it was published */
async function overTwoNights(place: LakePlace, files: WarehouseFiles): Promise<string | null> {
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
  return (await openDuckLake({ ...place, mode: 0o444 }).inspect()).publishedAt;
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

  it('is made again by the next publish where somebody dropped or changed tables or views of it', async () => {
    await withPublished('select 1', async ({ connection, target, scratch }) => {
      const place = placeIn(scratch.folder);
      await bringUp(connection, target, place);
      chmodSync(scratch.path('lake.ducklake'), 0o600);
      await using other = await LakeReader.open(place);
      await other.connection.run(`detach lake; attach ${quoteLiteral(catalogAddress(place.catalog))} as lake;
        drop table lake.core.visibility; alter table lake.core.sentiment add column odd varchar;
        drop view lake.main.daily_kpis; detach lake`);
      expect(await bringUp(connection, target, place)).not.toBeNull();
      expect(await differences(target, place)).toEqual([]);
      expect(await bringUp(connection, target, place)).toBeNull();
    });
  });

  it('shows one state to a reader of a snapshot over nights and compactions, and keeps few files', async () => {
    await withPublished('select 1', async (files) => {
      const place = placeIn(files.scratch.folder);
      expect(await overTwoNights(place, files)).toBe(LAST_NIGHT);
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
      await withPublished('select 1', async (files) => {
        const place = { catalog, data, extensions: EXTENSIONS };
        expect(await overTwoNights(place, files)).toBe(LAST_NIGHT);
      });
    },
  );
});

const dist = (path: string): string =>
  JSON.stringify(pathToFileURL(join(process.cwd(), 'dist/src', path)).href);

/** Brings the lake up in a process of its own, which is killed when it is about to run a statement with `text` for the last time. */
async function killAt(text: string, folder: string, place: LakePlace): Promise<string | null> {
  const { catalog } = place;
  const opened =
    typeof catalog === 'string'
      ? JSON.stringify(catalog)
      : `secretOf('env:LAKE_URL', ${JSON.stringify(catalog.reveal())})`;
  const script = `
    const { openWorkingFile } = await import(${dist('warehouse/working-file.js')});
    const { Connection } = await import(${dist('warehouse/connection.js')});
    const { inspectPublished, PUBLISHED } = await import(${dist('warehouse/published.js')});
    const { openDuckLake } = await import(${dist('targets/ducklake/duck-lake.js')});
    const { secretOf } = await import(${dist('secret.js')});
    const published = ${JSON.stringify(join(folder, 'answers.duckdb'))};
    const { database } = await openWorkingFile({ tables: ${JSON.stringify(tables)}, publishedPath: published, now: Date.now() });
    const connection = await database.connect();
    await connection.run('${ONE_THREAD}');
    const { run } = Connection.prototype;
    Connection.prototype.run = function (sql, ...rest) {
      if (sql.includes(${JSON.stringify(text)})) process.kill(process.pid, 'SIGKILL');
      return run.call(this, sql, ...rest);
    };
    const target = openDuckLake({ ...${JSON.stringify(place)}, catalog: ${opened}, mode: 0o444, maxFiles: 0 });
    await inspectPublished(connection, published, (found) => target.bringUpToDate({ connection, catalog: PUBLISHED, ...found }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

interface Night {
  connection: Connection;
  target: string;
  /** A copy of the working file and of the published one, for processes that are killed. */
  folder: string;
  place: LakePlace;
}

/** A lake that misses a night of the published file. */
async function withNight(test: (night: Night) => Promise<void>, catalog?: Secret): Promise<void> {
  await withPublished('select 1', async ({ connection, target, scratch, addDay, publish }) => {
    const place = { ...placeIn(scratch.folder), ...(catalog === undefined ? {} : { catalog }) };
    await bringUp(connection, target, place);
    await addDay('2025-06-02');
    await publish({ now: NOW + 1 });
    await connection.run('checkpoint');
    const folder = scratch.path('copy');
    mkdirSync(folder);
    for (const name of ['.answers.work.duckdb', 'answers.duckdb']) {
      copyFileSync(scratch.path(name), join(folder, name));
    }
    await test({ connection, target, folder, place });
  });
}

/** Exit code and message. */
async function failureOf(work: Promise<unknown>): Promise<[number, string]> {
  return await work.then(
    () => [0, ''],
    (error: unknown) => [exitCodeOf(error), messageOf(error)],
  );
}

async function daysIn(place: LakePlace): Promise<unknown> {
  await using reader = await LakeReader.open(place);
  const [row] = await reader.connection.rows('select count(*) as n from lake.core.visibility');
  return row?.['n'];
}

describe.skipIf(EXTENSIONS === '')('a lake', () => {
  it('whose writer is killed has the old state, and the next publish repairs it and removes its files', async () => {
    await withNight(async ({ connection, target, folder, place }) => {
      // The rows are written, and files are put together.
      expect(await killAt('ducklake_merge', folder, place)).toBe('SIGKILL');
      expect(await daysIn(place)).toBe(1);
      expect((await bringUp(connection, target, place))?.parts).toBeGreaterThan(0);
      expect(await differences(target, place, { views: false })).toEqual([]);
      expect(await strayFiles(place)).toEqual([]);
    });
  });

  it('whose writer is killed has the old state until its transaction ends, with its catalog in PostgreSQL', async () => {
    const catalog = secretOf('env:LAKE_URL', await newDatabase());
    await withNight(async ({ connection, target, folder, place }) => {
      expect(await killAt('commit', folder, place)).toBe('SIGKILL');
      expect(await daysIn(place)).toBe(1);
      expect(await killAt('ducklake_merge', folder, place)).toBe('SIGKILL');
      expect(await daysIn(place)).toBe(2);
      expect(await bringUp(connection, target, place)).toBeNull();
    }, catalog);
  });

  it('of another program or another warehouse, or out of reach, is refused unchanged without its password', async () => {
    await withPublished('select 1', async ({ connection, target, scratch }) => {
      const place = placeIn(scratch.folder);
      const current = 'select current_database() as name';
      const before = await connection.rows(current);
      const failure = (change: Partial<LakePlace>) =>
        failureOf(bringUp(connection, target, { ...place, ...change }));
      await bringUp(connection, target, place);
      const catalog = scratch.path('other.ducklake');
      copyFileSync(target, catalog);
      expect(await failure({ catalog })).toEqual([7, expect.stringMatching(/has no lake: move it away/)]);
      rmSync(catalog);
      expect(await failure({ catalog, data: scratch.path('other') })).toEqual([0, '']);
      await connection.run("update meta.settings set value = 'other' where name = 'lake_id'");
      expect(await failure({})).toEqual([7, expect.stringContaining('is not the lake of this warehouse')]);
      const away = secretOf('env:LAKE', 'postgres://me:hunter2@127.0.0.1:1/lake');
      expect(await failure({ catalog: away })).toEqual([
        7,
        expect.stringMatching(/^(?!.*hunter2).*env:LAKE.*is unchanged.*DuckDB says: /s),
      ]);
      expect(await connection.rows(current)).toEqual(before);
    });
  });

  it('with missing files, or of another version of DuckLake, is told with what to do, and left alone', async () => {
    await withNight(async ({ connection, target, place }) => {
      const failure = () => failureOf(bringUp(connection, target, place));
      const away = `${place.data}-away`;
      renameSync(place.data, away);
      expect(await failure()).toEqual([7, expect.stringMatching(/has lost files in .*bring them back/)]);
      rmSync(place.data, { recursive: true, force: true });
      renameSync(away, place.data);
      expect(await bringUp(connection, target, place)).not.toBeNull();
      const catalog = join(dirname(target), 'lake.ducklake');
      chmodSync(catalog, 0o644);
      await connection.run(`attach ${quoteLiteral(catalog)} as plain`);
      await connection.run(`update plain.ducklake_metadata set value = '9.9' where key = 'version'`);
      await connection.run('detach plain');
      const bytes = readFileSync(catalog);
      expect(await failure()).toEqual([7, expect.stringMatching(/another version of DuckLake.*9\.9/s)]);
      expect(readFileSync(catalog).equals(bytes)).toBe(true);
      renameSync(catalog, `${catalog}-old`);
      expect(await failure()).toEqual([0, '']);
      expect(await differences(target, place, { views: false })).toEqual([]);
    });
  });
});
