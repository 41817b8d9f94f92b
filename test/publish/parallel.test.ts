import { expect, it } from 'vitest';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { runInParallel, type Work } from '../../src/publish/checks.ts';

it('each piece of work is done once, and both connections work at the same time', async () => {
  await using database = await openMemoryDatabase();
  const connections = [await database.connect(), await database.connect()];
  const done: number[] = [];
  const usedBy = new Set<unknown>();
  const list = [1, 2, 3, 4, 5].map((place): Work => async (connection) => {
    usedBy.add(connection);
    await connection.run('select 1');
    done.push(place);
  });
  await runInParallel(connections, list);
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  expect(usedBy.size).toBe(2);
});

it('the first failure is thrown once all pieces under way have ended, and no more are begun', async () => {
  await using database = await openMemoryDatabase();
  const connections = [await database.connect(), await database.connect()];
  const ended: string[] = [];
  const failLate: Work = async (connection) => {
    await connection.run('select 1');
    await connection.run('select 2');
    ended.push('late');
    throw new Error('late');
  };
  const failAtOnce: Work = async () => {
    ended.push('at once');
    throw new Error('at once');
  };
  const never: Work = async () => {
    ended.push('never');
  };
  await expect(runInParallel(connections, [failLate, failAtOnce, never])).rejects.toThrow('late');
  expect(ended).toEqual(['at once', 'late']);
});

it('a connection opens another one to the same database', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run('create table t as select 7 as n');
  using other = await connection.another();
  expect(await other.rows('select n from t')).toEqual([{ n: 7 }]);
});
