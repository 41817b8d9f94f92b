import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { LakePlace } from '../../src/targets/ducklake/with-lake.ts';
import { secretOf, type Secret } from '../../src/secret.ts';
import { exitCodeOf, messageOf } from '../../src/errors.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { quoteLiteral } from '../../src/warehouse/sql.ts';
import { NOW, withPublished } from '../publish/warehouse-files.ts';
import { newDatabase } from './fleet.ts';
import {
  bringUp,
  differences,
  EXTENSIONS,
  LakeReader,
  ONE_THREAD,
  placeIn,
  strayFiles,
} from './lake-reader.ts';

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
    const { database } = await openWorkingFile({ publishedPath: published, now: Date.now() });
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

describe.skipIf(EXTENSIONS === '')('a lake whose writer is killed', () => {
  it('has the old state, and the next publish repairs it and removes its files', async () => {
    await withNight(async ({ connection, target, folder, place }) => {
      // The rows are written, and files are put together.
      expect(await killAt('ducklake_merge', folder, place)).toBe('SIGKILL');
      expect(await daysIn(place)).toBe(1);
      expect((await bringUp(connection, target, place))?.parts).toBeGreaterThan(0);
      expect(await differences(target, place, { views: false })).toEqual([]);
      expect(await strayFiles(place)).toEqual([]);
    });
  });

  it('has the old state until its transaction ends, with its catalog in PostgreSQL', async () => {
    const catalog = secretOf('env:LAKE_URL', await newDatabase());
    await withNight(async ({ connection, target, folder, place }) => {
      expect(await killAt('commit', folder, place)).toBe('SIGKILL');
      expect(await daysIn(place)).toBe(1);
      expect(await killAt('ducklake_merge', folder, place)).toBe('SIGKILL');
      expect(await daysIn(place)).toBe(2);
      expect(await bringUp(connection, target, place)).toBeNull();
    }, catalog);
  });
});

describe.skipIf(EXTENSIONS === '')('a lake', () => {
  it('is refused unchanged if another program or a clone made it or it is read-only, without its password', async () => {
    await withPublished('select 1', async ({ connection, target, scratch, publish }) => {
      const place = placeIn(scratch.folder);
      const current = 'select current_database() as name';
      const before = await connection.rows(current);
      const failure = (change: Partial<LakePlace>) =>
        failureOf(bringUp(connection, target, { ...place, ...change }));
      await connection.run(
        "insert into meta.runs (run_id, sync_day, started_at, finished_at, status) values ('own', date '2025-06-01', timestamp '2025-06-02', timestamp '2025-06-02', 'ok')",
      );
      await publish();
      await bringUp(connection, target, place);
      // As in a clone, or after a backup was restored.
      await connection.run("update meta.runs set run_id = 'of a clone'");
      await publish({ now: NOW + 1 });
      expect(await failure({})).toEqual([
        7,
        expect.stringMatching(/warehouse\.lake holds .* that the published file lacks/),
      ]);
      await using reader = await LakeReader.open(place);
      expect(await reader.connection.rows('select run_id from lake.meta.runs')).toEqual([{ run_id: 'own' }]);
      const catalog = scratch.path('other.ducklake');
      copyFileSync(target, catalog);
      expect(await failure({ catalog })).toEqual([7, expect.stringContaining('has no lake')]);
      await connection.run("update meta.settings set value = 'other' where name = 'lake_id'");
      expect(await failure({})).toEqual([7, expect.stringContaining('is not the lake of this warehouse')]);
      const isNew = { catalog: scratch.path('new.ducklake') };
      expect(
        await failure({ ...isNew, catalog: secretOf('env:LAKE', 'postgres://me:hunter2@127.0.0.1:1/lake') }),
      ).toEqual([7, expect.stringMatching(/^(?!.*hunter2).*env:LAKE.*is unchanged.*DuckDB says: /s)]);
      expect(await failure({ ...isNew, extensions: scratch.folder })).toEqual([
        2,
        expect.stringContaining('pip install'),
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
      const catalog = join(dirname(target), 'lake.ducklake');
      chmodSync(catalog, 0o644);
      await connection.run(`attach ${quoteLiteral(catalog)} as plain`);
      await connection.run(`update plain.ducklake_metadata set value = '9.9' where key = 'version'`);
      await connection.run('detach plain');
      const bytes = readFileSync(catalog);
      expect(await failure()).toEqual([7, expect.stringMatching(/another version of DuckLake.*9\.9/s)]);
      expect(readFileSync(catalog).equals(bytes)).toBe(true);
    });
  });
});
