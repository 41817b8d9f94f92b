import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import type { Database } from '../../src/warehouse/database.ts';
import { transaction } from '../../src/warehouse/transaction.ts';
import { Scratch } from './scratch.ts';

let scratch: Scratch;
let database: Database;
let connection: Connection;

beforeEach(async () => {
  scratch = new Scratch();
  database = await openDatabase({ path: scratch.path('a.duckdb') });
  connection = await database.connect();
  await connection.run('create table t (n bigint)');
});

afterEach(() => {
  database.close();
  scratch[Symbol.dispose]();
});

const count = async (): Promise<unknown> => (await connection.rows('select count(*) as n from t'))[0]?.['n'];

it('transaction stores the work and gives its result', async () => {
  expect(
    await transaction(connection, async () => await connection.run('insert into t values (1), (2)')),
  ).toBe(2);
  expect(await count()).toBe(2);
});

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

it('transaction leaves the connection usable after a failure', async () => {
  await expect(transaction(connection, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await transaction(connection, async () => await connection.run('insert into t values (1)'));
  expect(await count()).toBe(1);
});
