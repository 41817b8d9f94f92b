import { expect, it } from 'vitest';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { migrate, schemaVersion } from '../../src/warehouse/migrate.ts';
import { readSqlFiles } from '../../src/warehouse/sql.ts';

it('migrate applies each file once and notes it', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const files = readSqlFiles('migrations');
  for (const now of [0, 1]) await migrate(connection, { now });
  expect(
    await connection.rows('select version, name, applied_at from meta.migrations order by version'),
  ).toEqual(
    files.map(({ number, name }) => ({ version: number, name, applied_at: '1970-01-01T00:00:00.000Z' })),
  );
});

it('migrate stores nothing of a migration that fails half way', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const files = readSqlFiles('migrations');
  const broken = { number: 9000, name: 'broken', sql: 'create table core.half (n bigint); selec 1;' };
  await expect(migrate(connection, { now: 0, files: [...files, broken] })).rejects.toThrow('selec');
  expect(await connection.rows(`select 1 from duckdb_tables() where table_name = 'half'`)).toEqual([]);
  expect(await schemaVersion(connection)).toBe(files.at(-1)?.number);
});

it('the migrations have numbers without a hole', () => {
  expect(readSqlFiles('migrations').map(({ number }) => number)).toEqual(
    readSqlFiles('migrations').map((_, index) => index + 12),
  );
});
