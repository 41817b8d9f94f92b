import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Connection, transaction } from '../../src/warehouse/connection.ts';
import { openDatabase, openMemoryDatabase } from '../../src/warehouse/database.ts';
import {
  releaseCache,
  releaseWhereLarge,
  whereItGrows,
  withinMemory,
  withMoreMemory,
} from '../../src/warehouse/memory-limit.ts';
import { WarehouseError } from '../../src/warehouse/failure.ts';
import { openFolder } from '../support/folder.ts';

/** A database file with 200 MiB of memory. */
async function openLimited(): Promise<AsyncDisposable & { connection: Connection }> {
  const database = await openDatabase({ path: join(openFolder(), 'a.duckdb') });
  const connection = await database.connect();
  await connection.limitMemory('200MiB');
  return { connection, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

async function one(connection: Connection, sql: string): Promise<unknown> {
  const [row] = await connection.rowsAs(z.object({ value: z.unknown() }), `select ${sql} as value`);
  return row?.value;
}

test('released memory held blocks that can be read again; the limit and what is in use stay', async () => {
  await using file = await openLimited();
  const { connection } = file;
  const limit = await one(connection, `current_setting('memory_limit')`);
  await connection.run(`create table kept as select hash(range) as number from range(1000000)`);
  await connection.run('checkpoint');
  await connection.run(`create temp table used as select hash(range) as number from range(3000000)`);
  const cached = `(select sum(memory_usage_bytes) from duckdb_memory() where tag = 'BASE_TABLE')`;
  await connection.run('select sum(number) from kept');
  const before = Number(await one(connection, cached));
  await releaseCache(connection);
  expect(Number(await one(connection, cached))).toBeLessThan(before / 2);
  expect(await one(connection, `current_setting('memory_limit')`)).toBe(limit);
  expect(await one(connection, '(select count(*) from used)')).toBe(3_000_000);
});

test('a large process gives back what DuckDB keeps of its file', async () => {
  await using file = await openLimited();
  const { connection } = file;
  await connection.run(`create table kept as select hash(range) as number from range(4000000)`);
  await connection.run('checkpoint');
  const cached = `(select sum(memory_usage_bytes) from duckdb_memory() where tag = 'BASE_TABLE')`;
  await connection.run('select sum(number) from kept');
  const before = Number(await one(connection, cached));
  const large = Buffer.alloc(256 * 1024 * 1024, 1);
  await releaseWhereLarge(connection);
  expect(Number(await one(connection, cached))).toBeLessThan(before / 2);
  expect(large.at(-1)).toBe(1);
});

test('memory is given back before a commit, with more in use than that, and all is stored', async () => {
  await using file = await openLimited();
  const { connection } = file;
  await connection.run(`set temp_directory = ''`);
  const large = Buffer.alloc(256 * 1024 * 1024, 1);
  await transaction(connection, async () => {
    await connection.run(`create table kept as select hash(range) as number from range(4000000)`);
    await releaseWhereLarge(connection);
  });
  expect(large.at(-1)).toBe(1);
  expect(await one(connection, '(select count(*) from kept)')).toBe(4_000_000);
  expect(await one(connection, `current_setting('memory_limit')`)).toBe('200.0 MiB');
});

test('work that needs more than its little memory is done once more with what there is', async () => {
  await using file = await openLimited();
  const { connection } = file;
  await connection.run(`set temp_directory = ''`);
  const limits: unknown[] = [];
  const rows = await withinMemory(connection, '20MiB', async () => {
    limits.push(await one(connection, `current_setting('memory_limit')`));
    return await one(
      connection,
      '(select count(*) from (select hash(range) as h from range(3000000) group by h))',
    );
  });
  expect(rows).toBe(3_000_000);
  expect(limits).toEqual(['20.0 MiB', '200.0 MiB']);
});

test('memory is given back at first, and then only where the process has grown', async () => {
  await using file = await openLimited();
  const { connection } = file;
  let times = 0;
  const giveBack = whereItGrows(() => {
    times += 1;
    return Promise.resolve();
  });
  await giveBack(connection);
  await giveBack(connection);
  expect(times).toBe(1);
  const grown = Buffer.alloc(64 * 1024 * 1024, 1);
  await giveBack(connection);
  expect(times).toBe(2);
  expect(grown.length).toBeGreaterThan(0);
});

test('a limit that DuckDB tells rounded is the same after it was lowered many times', async () => {
  await using database = await openDatabase({ path: join(openFolder(), 'a.duckdb'), memoryLimit: '1500MiB' });
  const connection = await database.connect();
  const told = `current_setting('memory_limit')`;
  const before = await one(connection, told);
  for (let count = 0; count < 5; count += 1) await releaseCache(connection);
  expect(await one(connection, told)).toBe(before);
});

test('where no limit was given, that of DuckDB is in force after it was lowered', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const large = '(select count(*) from (select hash(range) as h from range(3000000) group by h))';
  const told = `current_setting('memory_limit')`;
  await withinMemory(connection, '20MiB', async () => {
    expect(await one(connection, told)).toBe('20.0 MiB');
    await expect(one(connection, large)).rejects.toMatchObject({ problem: 'out of memory' });
  });
  expect(await one(connection, large)).toBe(3_000_000);
});

test('work that fails for another reason is not repeated, be it about the file', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  let times = 0;
  const work = (): Promise<unknown> => {
    times += 1;
    throw new WarehouseError('no', { problem: 'locked', path: 'a.duckdb' });
  };
  await expect(withMoreMemory(connection, '2GiB', work)).rejects.toMatchObject({ problem: 'locked' });
  await expect(withMoreMemory(connection, '2GiB', () => connection.rows('no_sql'))).rejects.toThrow('no_sql');
  expect(times).toBe(1);
});
