import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Connection, transaction } from '../../src/warehouse/connection.ts';
import { openMemoryDatabase, type Database } from '../../src/warehouse/database.ts';

let database: Database;
let connection: Connection;

beforeEach(async () => {
  database = await openMemoryDatabase();
  connection = await database.connect();
  await connection.run('create table t (n bigint)');
});

afterEach(() => database.close());

const count = async (): Promise<unknown> => (await connection.rows('select count(*) as n from t'))[0]?.['n'];

it('transaction stores nothing of work that throws, and rethrows what was thrown', async () => {
  const reason = new Error('no');
  const failing = transaction(connection, async () => {
    await connection.run('insert into t values (1)');
    throw reason;
  });
  await expect(failing).rejects.toBe(reason);
  expect(await count()).toBe(0);
});

it.each(['selec 1', 'select * from missing', `select cast('x' as integer)`])(
  'transaction refuses to commit when %j failed and the work went on',
  async (sql) => {
    const careless = transaction(connection, async () => {
      await connection.run('insert into t values (1)');
      await connection.run(sql).catch(() => undefined);
    });
    await expect(careless).rejects.toMatchObject({ class: 'bug' });
    expect(await count()).toBe(0);
  },
);

it('statements that are left to the next one run before it, in one trip', async () => {
  const run = vi.spyOn(connection.raw, 'run');
  const read = await transaction(connection, async () => {
    connection.runWithNext('insert into t values (1)');
    connection.runWithNext('insert into t select n + 1 from t');
    return await connection.rows('select n from t order by n');
  });
  expect(read).toEqual([{ n: 1 }, { n: 2 }]);
  expect(run.mock.calls.map(([sql]) => sql)).toEqual([
    'begin transaction',
    'insert into t values (1);\ninsert into t select n + 1 from t;\nselect n from t order by n',
    'commit',
  ]);
  run.mockRestore();
});

it('statements that are left to the next one run before parameters, an append, and a commit alone', async () => {
  await transaction(connection, async () => {
    connection.runWithNext('insert into t values (1)');
    expect(await connection.rows('select n from t where n = $1', [1])).toEqual([{ n: 1 }]);
    connection.runWithNext('create table u (n integer)');
    await connection.appendRows({ table: 'u', rows: [{ n: 2 }] });
    connection.runWithNext('insert into t select n from u');
  });
  expect(await connection.rows('select n from t order by n')).toEqual([{ n: 1 }, { n: 2 }]);
});

it('a statement that was left to the commit and fails stores nothing', async () => {
  const failing = transaction(connection, async () => {
    await connection.run('insert into t values (1)');
    connection.runWithNext(`insert into t select cast('x' as integer)`);
  });
  await expect(failing).rejects.toThrow("Could not convert string 'x'");
  expect(await count()).toBe(0);
});

it('statements that were left for later are dropped when the work throws, and do not block the rollback', async () => {
  const failing = transaction(connection, async () => {
    await connection.run('insert into t values (1)');
    connection.runWithNext(`insert into t select cast('x' as integer)`);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await transaction(connection, async () => await connection.run('insert into t values (2)'));
  expect(await connection.rows('select n from t')).toEqual([{ n: 2 }]);
});
