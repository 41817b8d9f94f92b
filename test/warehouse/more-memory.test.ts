import { expect, test } from 'vitest';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { withMoreMemory } from '../../src/warehouse/memory-limit.ts';

/** What does not fit into 20 MiB, in memory or on disk. */
const LARGE = 'select len(list(i::varchar order by i)) as n from range(800000) t(i)';

test('work that runs out of memory is done once more with the most that DuckDB may use', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.limitMemory('20MiB');
  await expect(connection.rows(LARGE)).rejects.toMatchObject({ problem: 'out of memory' });
  expect(await withMoreMemory(connection, '2GiB', () => connection.rows(LARGE))).toEqual([{ n: 800_000 }]);
});

test('work that fails for another reason is not repeated', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  let times = 0;
  const work = async (): Promise<unknown> => {
    times += 1;
    return await connection.rows('select no_such_column');
  };
  await expect(withMoreMemory(connection, '2GiB', work)).rejects.toThrow('no_such_column');
  expect(times).toBe(1);
});
