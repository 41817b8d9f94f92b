import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDatabase, openMemoryDatabase } from '../../src/warehouse/database.ts';
import { Scratch } from '../support/folder.ts';
import { whileHeld } from './held-file.ts';

it('openDatabase answers exit code 6 with path and remedy when another process holds the file', async () => {
  using scratch = new Scratch();
  const path = scratch.path('a.duckdb');
  await whileHeld(path, {}, async () => {
    await expect(openDatabase({ path })).rejects.toMatchObject({
      exitCode: 6,
      message: expect.stringMatching(/a\.duckdb: another process has it open.*run again/) as string,
    });
  });
});

it('openDatabase fails with exit code 6 while this process holds the file, and opens it afterwards', async () => {
  using scratch = new Scratch();
  const path = scratch.path('a.duckdb');
  const first = await openDatabase({ path });
  await expect(openDatabase({ path })).rejects.toMatchObject({ exitCode: 6 });
  first.close();
  await using second = await openDatabase({ path });
  expect(second.path).toBe(path);
});

it('openDatabase answers exit code 7 on a folder and on a missing folder', async () => {
  using scratch = new Scratch();
  mkdirSync(scratch.path('folder'));
  await expect(openDatabase({ path: scratch.path('folder') })).rejects.toMatchObject({ exitCode: 7 });
  const missing = openDatabase({ path: scratch.path('none/a.duckdb') });
  await expect(missing).rejects.toMatchObject({ exitCode: 7, problem: 'not found' });
});

it('every setting that openDatabase gives is in force: DuckDB ignores some without a word', async () => {
  using scratch = new Scratch();
  const path = scratch.path('a.duckdb');
  const limits = { memory_limit: '77MiB', threads: 1, checkpoint_threshold: '33MiB' };
  const settings = { ...limits, storage_compatibility_version: 'v1.0.0' };
  await using database = await openDatabase({ path, settings });
  const expected = {
    autoinstall_known_extensions: false,
    autoload_known_extensions: false,
    checkpoint_threshold: '33.0 MiB',
    memory_limit: '77.0 MiB',
    storage_compatibility_version: 'v1.0.0',
    threads: 1,
  };
  const columns = Object.keys(expected).map((name) => `current_setting('${name}') as ${name}`);
  const connection = await database.connect();
  expect(await connection.rows(`select ${columns.join(', ')}`)).toEqual([expected]);
});

it('openMemoryDatabase has no folder to spill into: by default DuckDB uses the current one', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  expect(await connection.rows(`select current_setting('temp_directory') as folder`)).toEqual([
    { folder: '' },
  ]);
});
