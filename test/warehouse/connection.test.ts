import { expect, it, vi } from 'vitest';
import { computeOwnRows, interruptOn } from '../../src/warehouse/connection.ts';
import type { Connection, PlainRow } from '../../src/warehouse/connection.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';

async function query(sql: string, params: Parameters<Connection['rows']>[1] = []): Promise<PlainRow[]> {
  await using database = await openMemoryDatabase();
  return await (await database.connect()).rows(sql, params);
}

it.each<[string, string, Parameters<typeof query>[1], unknown[]]>([
  [
    'plain values',
    `select date '2025-03-01', timestamp '2025-03-01 10:00:00.25', 3::hugeint, 1.25::decimal(9, 2), ['a', null], null, {'n': 1::bigint}`,
    [],
    ['2025-03-01', '2025-03-01T10:00:00.250Z', 3, 1.25, ['a', null], null, { n: 1 }],
  ],
  ['whole numbers beyond 2^53 as bigint', 'select 9007199254740993', [], [9_007_199_254_740_993n]],
  [
    'parameters as what they are, so that a day can be moved by one',
    `select date '2025-03-01' + $1, $2 + 0.5, $3, len($4)`,
    [1, 1.5, 2 ** 40, []],
    ['2025-03-02', 2, 2 ** 40, 0],
  ],
])('rows() gives %s', async (...[_title, sql, params, values]) => {
  expect((await query(sql, params)).map((row) => Object.values(row))).toEqual([values]);
});

it('rows() gives all rows in their order, in however many chunks they come', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const many = await connection.rows("select range as n, 'row ' || range as text from range(5000)");
  expect(many).toEqual(Array.from({ length: 5_000 }, (_, n) => ({ n, text: `row ${String(n)}` })));
  const parts = await connection.rows(
    'select 1 as n union all select 2 where false union all select 3 union all select 4',
  );
  expect(parts).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }]);
  expect(await connection.rows('select 1 as n where false')).toEqual([]);
  expect(await connection.rows('create table t (n integer)')).toEqual([]);
});

it('rows() keeps a column that is called like a part of every object', async () => {
  const [row = {}] = await query('select 1 as "__proto__", 2 as n, 3 as n');
  expect(Object.keys(row)).toEqual(['__proto__', 'n', 'n:1']);
  expect(Object.values(row)).toEqual([1, 2, 3]);
});

it('rows() refuses NaN as a parameter', async () => {
  await expect(query('select $1 as n', [Number.NaN])).rejects.toThrow('parameter $1 is NaN');
});

it('a file that stays open forgets a connection that is closed, however many there were', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  for (let count = 0; count < 3; count += 1) {
    using other = await connection.another();
    await other.run('select 1');
    expect(database.connections.size).toBe(2);
  }
  expect(database.connections.size).toBe(1);
});

it.each([true, false])('a statement is interrupted by a signal, aborted before it: %s', async (isBefore) => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const abort = new AbortController();
  if (isBefore) abort.abort();
  using _ = interruptOn(abort.signal, connection.raw);
  const endless = connection.rows(
    'select max(a.range + b.range) as n from range(1e7::bigint) a, range(1e7::bigint) b',
  );
  if (!isBefore) abort.abort();
  await expect(endless).rejects.toThrow(/interrupt/i);
});

it('a view of one’s own that takes too long says so, not that DuckDB was interrupted', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const minute = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
  const endless = 'create table t as select a.range from range(1e7::bigint) a, range(1e7::bigint) b';
  expect(await computeOwnRows(connection, endless)).toBe('it takes more than a minute');
  expect(minute.mock.calls).toEqual([[60_000]]);
  expect(await computeOwnRows(connection, 'select nothing')).toMatch(/^Binder Error/);
});
