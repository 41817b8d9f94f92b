import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { withMoreThreads } from '../../src/warehouse/memory-limit.ts';

const threadsOf = async (connection: Connection): Promise<unknown> =>
  (await connection.rows("select current_setting('threads') as threads"))[0]?.['threads'];

test.each([
  [1, Math.min(2, availableParallelism())],
  [3, 3],
])('work that has more threads gives them back, also when it fails: %i, %i', async (before, meanwhile) => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(`set threads = ${String(before)}`);
  expect(await withMoreThreads(connection, () => threadsOf(connection))).toBe(meanwhile);
  expect(await threadsOf(connection)).toBe(before);
  await expect(withMoreThreads(connection, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await threadsOf(connection)).toBe(before);
});
