import { expect, test } from 'vitest';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { WarehouseError } from '../../src/warehouse/failure.ts';
import { limitMemory, withMoreMemory } from '../../src/warehouse/memory.ts';

/** Needs more than 32 MiB, and finds nothing. */
const LARGE = 'from range(1500000) r(i) group by hash(i) having count(*) > 1';

test('work that does not fit into memory is done again with twice as much; no other failure is', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await limitMemory(connection, '32MiB');
  let times = 0;
  const work = async (): Promise<unknown> => {
    times += 1;
    return await connection.rows(`select hash(i) ${LARGE}`);
  };
  await expect(work()).rejects.toMatchObject({ problem: 'nowhere to spill' });
  expect(await withMoreMemory(connection, work)).toEqual([]);
  expect(await connection.rows("select current_setting('memory_limit') as now")).toEqual([
    { now: '32.0 MiB' },
  ]);
  // How much it needs depends on DuckDB.
  expect(times).toBeGreaterThan(2);
  times = 0;
  const locked = new WarehouseError('held', { problem: 'locked', path: 'a' });
  const fail = (): Promise<never> => {
    times += 1;
    return Promise.reject(locked);
  };
  await expect(withMoreMemory(connection, fail)).rejects.toBe(locked);
  expect(times).toBe(1);
});
