import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { openDatabase, openMemoryDatabase, type Database } from '../../src/warehouse/database.ts';
import { readerMemory } from '../../src/warehouse/memory.ts';
import { explainFailure } from '../../src/warehouse/failure.ts';
import { changeFile } from '../support/file-reader.ts';
import { Scratch } from '../support/folder.ts';
import { madeOnce } from '../support/made-once.ts';
import { refuse } from '../support/refusing-disk.ts';

const MIB = 1024 * 1024;

async function withRows(use: (path: string, scratch: Scratch) => Promise<void>): Promise<void> {
  using scratch = new Scratch();
  const path = scratch.path('answers.duckdb');
  const made = await madeOnce('rows to spill', (folder) =>
    changeFile(
      join(folder, 'answers.duckdb'),
      'create table t as select range % 1000 as part, hash(range) as n, repeat(range::varchar, 8) as b from range(600000)',
    ),
  );
  copyFileSync(join(made, 'answers.duckdb'), path);
  await use(path, scratch);
}

/** Sorts more than fits into the memory of the reader. */
async function sorted(database: Database): Promise<unknown> {
  const connection = await database.connect();
  return await connection.value(
    z.string(),
    `select md5(string_agg(r::varchar, '' order by part)) from (select part, sum(place * (n % 7)) as r from
     (select part, n, row_number() over (order by b, n) as place from t) group by part)`,
  );
}

it('two readers of one file spill at the same time, each into a folder of its own, gone at the end', async () => {
  await withRows(async (path, scratch) => {
    const limits = { path, readOnly: true, settings: { memory_limit: '48MiB', threads: 2 } };
    let truth: unknown;
    {
      await using database = await openDatabase({ path, readOnly: true });
      truth = await sorted(database);
    }
    await using first = await openDatabase(limits);
    await using second = await openDatabase(limits);
    const folders = await Promise.all(
      [first, second].map(
        async (database) =>
          await (await database.connect()).value(z.string(), `select current_setting('temp_directory')`),
      ),
    );
    expect(new Set(folders).size).toBe(2);
    expect(folders.map((folder) => dirname(folder ?? ''))).toEqual([scratch.folder, scratch.folder]);
    expect(await Promise.all([sorted(first), sorted(second)])).toEqual([truth, truth]);
    first.close();
    second.close();
    expect(readdirSync(scratch.folder)).toEqual(['answers.duckdb']);
  });
});

it('the next reader removes what a killed one spilled', async () => {
  await withRows(async (path, scratch) => {
    const left = scratch.path('.answers.tmp-0123456789ab');
    mkdirSync(left);
    writeFileSync(`${left}/duckdb_temp_storage_DEFAULT-0.tmp`, 'rows');
    writeFileSync(`${left}.lock`, '');
    await using _ = await openDatabase({ path, readOnly: true });
    expect(existsSync(left)).toBe(false);
  });
});

it.each([
  [512 * MIB, '140MiB'],
  [2048 * MIB, '755MiB'],
  [64 * MIB, '64MiB'],
])('a reader takes of %i bytes so much that a second one and Node have room: %s', (bytes, limit) => {
  expect(readerMemory(bytes)).toBe(limit);
});

it('a reader has a share of the memory as its limit, unless it asks for another', async () => {
  await withRows(async (path) => {
    await using database = await openDatabase({ path, readOnly: true });
    const settings = { memory_limit: readerMemory() };
    await using other = await openDatabase({ path, readOnly: true, settings });
    await using defaults = await openMemoryDatabase();
    const sql = "select current_setting('memory_limit') as memory";
    const [own, same] = [await database.connect(), await other.connect()];
    expect(await own.rows(sql)).toEqual(await same.rows(sql));
    expect(await own.rows(sql)).not.toEqual(await (await defaults.connect()).rows(sql));
  });
});

it('a query that needs more than memory where a reader can write nowhere says so and names TMPDIR', async () => {
  await withRows(async (path, scratch) => {
    refuse('accessSync', 'EROFS', scratch.folder);
    vi.stubEnv('TMPDIR', scratch.path('missing'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const settings = { memory_limit: '48MiB', threads: 2 };
    await using database = await openDatabase({ path, readOnly: true, settings });
    const told = explainFailure(await sorted(database).catch((error: unknown) => error), path);
    expect(told).toMatchObject({ class: 'storage', problem: 'nowhere to spill', path });
    expect(String(told)).toMatch(/neither its own folder nor the temporary one.*set TMPDIR to a folder/);
  });
});

const SPILLING = z.object({ n: z.number(), folder: z.string() });

it.each([
  ['nowhere reads all the same', 'EROFS', 'missing', ''],
  ['elsewhere spills into the temporary folder of the system', 'EACCES', '', 'elsewhere'],
])('a reader that can write %s', async (...[_title, code, temporary, expected]) => {
  await withRows(async (path, scratch) => {
    refuse('accessSync', code, scratch.folder);
    using elsewhere = new Scratch();
    vi.stubEnv('TMPDIR', elsewhere.path(temporary));
    try {
      await using database = await openDatabase({ path, readOnly: true });
      const sql = `select count(*)::int as n, current_setting('temp_directory') as folder from t`;
      const [row] = await (await database.connect()).rowsAs(SPILLING, sql);
      expect(row?.n).toBe(600_000);
      expect(dirname(row?.folder ?? '')).toBe(expected === '' ? '.' : elsewhere.folder);
    } finally {
      vi.unstubAllEnvs();
    }
    expect([...readdirSync(scratch.folder), ...readdirSync(elsewhere.folder)]).toEqual(['answers.duckdb']);
  });
});
