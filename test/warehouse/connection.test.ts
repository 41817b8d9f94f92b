import { expect, it } from 'vitest';
import { interruptOn } from '../../src/warehouse/connection.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';

async function query(sql: string, params?: Parameters<Query>[1]): Promise<Record<string, unknown>> {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const [row] = await connection.rows(sql, params);
  return row ?? {};
}
type Query = (
  sql: string,
  params?: readonly (string | number | bigint | boolean | null | string[])[],
) => unknown;

it('rows() gives plain values', async () => {
  expect(
    await query(
      `select date '2025-03-01' as day, timestamp '2025-03-01 10:00:00.25' as at, 3::hugeint as whole,
                1.25::decimal(9, 2) as exact, ['a', null] as list, null as none, {'n': 1::bigint} as pair`,
    ),
  ).toEqual({
    day: '2025-03-01',
    at: '2025-03-01T10:00:00.250Z',
    whole: 3,
    exact: 1.25,
    list: ['a', null],
    none: null,
    pair: { n: 1 },
  });
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
  expect(Object.entries(await query('select 1 as "__proto__", 2 as n, 3 as n'))).toEqual([
    ['__proto__', 1],
    ['n', 2],
    ['n:1', 3],
  ]);
});

it('rows() gives whole numbers beyond 2^53 as bigint', async () => {
  expect(await query('select 9007199254740993 as n')).toEqual({ n: 9_007_199_254_740_993n });
});

it('rows() binds numbers as what they are, so that a day can be moved by one', async () => {
  expect(
    await query(`select date '2025-03-01' + $1 as day, $2 + 0.5 as ratio, $3 as big, len($4) as len`, [
      1,
      1.5,
      2 ** 40,
      [],
    ]),
  ).toEqual({ day: '2025-03-02', ratio: 2, big: 2 ** 40, len: 0 });
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
    expect(database.connections).toBe(2);
  }
  expect(database.connections).toBe(1);
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
