import { expect, it } from 'vitest';
import { parseInstant } from '../../src/day.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';

const COLUMNS = ['text', 'flag', 'ratio', 'small', 'big', 'day', 'moment', 'names'] as const;
const ROW = ['a', true, 1.5, 7, 9_007_199_254_740_991, '2025-02-28', Date.UTC(2025, 1, 28, 3), ['x', 'y']];

async function openTable() {
  const database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(
    'create table kinds (text varchar not null, flag boolean, ratio double, small integer, big bigint, day date, moment timestamp, names varchar[])',
  );
  return {
    connection,
    append: async (rows: readonly (readonly unknown[])[], columns: readonly string[] = COLUMNS) => {
      const named = rows.map((row) => Object.fromEntries(columns.map((name, place) => [name, row[place]])));
      await connection.appendRows({ table: 'kinds', rows: named });
    },
    rows: async () => await connection.rows('select * from kinds'),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

it('appendRows stores every kind of value as it was given', async () => {
  await using table = await openTable();
  const nothing = COLUMNS.map(() => null);
  await table.append([ROW, nothing.with(0, '__proto__' as never)]);
  const moment = '2025-02-28T03:00:00.000Z';
  expect(await table.rows()).toEqual([
    { ...Object.fromEntries(COLUMNS.map((name, place) => [name, ROW[place]])), moment },
    { ...Object.fromEntries(COLUMNS.map((name) => [name, null])), text: '__proto__' },
  ]);
});

it.each([
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000'],
  ['1900-02-28T12:00:00.000001Z', '1900-02-28T12:00:00.000001'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999000'],
  ['2025-02-28T05:00:00.123456789+02:00', '2025-02-28T03:00:00.123456'],
  ['2025-02-28T03:00:00.1234Z', '2025-02-28T03:00:00.123400'],
  ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999'],
])('appendRows stores the instant %s as %s, as text and as parsed', async (text, stored) => {
  await using table = await openTable();
  const moments = [text, parseInstant(text)].map((moment) => ['a', moment]);
  await table.append(moments, ['text', 'moment']);
  const sql = "select strftime(moment, '%Y-%m-%dT%H:%M:%S.%f') as stored from kinds";
  expect(await table.connection.rows(sql)).toEqual([{ stored }, { stored }]);
});

it('appendRows fills columns that are left out with NULL and accepts any order', async () => {
  await using table = await openTable();
  await table.append([[3, 'b']], ['small', 'text']);
  expect(await table.connection.rows('select text, small, big from kinds')).toEqual([
    { text: 'b', small: 3, big: null },
  ]);
});

it.each([
  ['text', 5],
  ['flag', 'no'],
  ['ratio', '1.5'],
  ['ratio', Number.NaN],
  ['small', 2 ** 31],
  ['small', 1.5],
  ['big', 2 ** 53],
  ['big', '5'],
  ['day', '2025-02-30'],
  ['day', '2025-02-28T00:00:00Z'],
  ['moment', 'yesterday'],
  ['moment', Number.NaN],
  ['moment', 2 ** 53],
  ['names', 'x'],
  ['names', [1]],
  ['ratio', undefined],
])('appendRows refuses for column %s the value %j and stores no row of the call', async (column, value) => {
  await using table = await openTable();
  const bad = ROW.with(COLUMNS.indexOf(column as (typeof COLUMNS)[number]), value as never);
  await expect(table.append([ROW, bad])).rejects.toMatchObject({ class: 'bug', exitCode: 1 });
  expect(await table.rows()).toEqual([]);
});

it('appendRows refuses a column that the table lacks', async () => {
  await using table = await openTable();
  await expect(table.append([['a', 1]], ['text', 'nope'])).rejects.toThrow('has no column nope');
});

it('no value of one chunk is left for the next: texts, lists and NULLs of every third row, in turn', async () => {
  await using table = await openTable();
  const rows = Array.from({ length: 5000 }, (_, row) =>
    ROW.map((value, place) => {
      if (place > 0 && (row + Math.floor(row / 2048)) % 3 === 0) return null;
      if (place === 0) return `a text that is too long to be stored inline, ${String(row)}`;
      return place === ROW.length - 1 ? [String(row), 'a name that is too long to be stored inline'] : value;
    }),
  );
  await table.append(rows);
  const expected = rows.map(([text, flag, ratio, small, big, day, moment, names]) => ({
    text,
    flag,
    ratio,
    small,
    big,
    day,
    moment: moment === null ? null : new Date(Number(moment)).toISOString(),
    names,
  }));
  expect(await table.rows()).toEqual(expected);
});

it('a bad value in the last of many rows leaves none of them stored', async () => {
  await using table = await openTable();
  const rows = Array.from({ length: 5000 }, () => ROW);
  await expect(table.append([...rows, ['b', 'no', ...ROW.slice(2)]])).rejects.toThrow(
    /flag \(BOOLEAN\) refuses/,
  );
  expect(await table.rows()).toEqual([]);
});
