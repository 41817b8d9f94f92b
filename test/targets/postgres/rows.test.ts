import { expect, it } from 'vitest';
import { readLines, lineOf, writeChange } from '../../../src/targets/postgres/rows.ts';
import { openMemoryDatabase } from '../../../src/warehouse/database.ts';
import { differences } from '../../../src/warehouse/parts.ts';

it('rows are read as lines in the text format of copy', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(`create table odd (name varchar, list varchar[], number double, day date, instant timestamp, is_so boolean, other integer[]);
    insert into odd values
      ('a' || chr(0) || chr(9) || 'b' || chr(10) || chr(13) || '\\N', ['x', null, 'y"z', 'back\\slash, {'], 'nan', '2026-01-02', '2026-01-02 03:04:05.678', true, [1, 2]),
      (null, null, 1e-7, null, null, null, null), ('', [], 'inf', '9999-12-31', '1970-01-01', false, []), ('__proto__ ü 🦆', ['1'], -0.1, null, null, null, null)`);
  const columns = ['name', 'list', 'number', 'day', 'instant', 'is_so', 'other'];
  const types = ['VARCHAR', 'VARCHAR[]', 'DOUBLE', 'DATE', 'TIMESTAMP', 'BOOLEAN', 'INTEGER[]'];
  const line = lineOf({
    columns: columns.map((name, index) => ({
      name,
      type: types[index] ?? '',
      isNullable: true,
      comment: null,
    })),
  });
  const lines: string[] = [];
  for await (const chunk of readLines(connection, `select ${line} from odd r`)) lines.push(...chunk);
  expect(lines).toEqual([
    'a�\\tb\\n\\r\\\\N\t{"x",NULL,"y\\\\"z","back\\\\\\\\slash, {"}\tnan\t2026-01-02\t2026-01-02 03:04:05.678\ttrue\t[1, 2]',
    '\\N\t\\N\t1e-07\t\\N\t\\N\t\\N\t\\N',
    '\t{}\tinf\t9999-12-31\t1970-01-01 00:00:00\tfalse\t[]',
    '__proto__ ü 🦆\t{"1"}\t-0.1\t\\N\t\\N\t\\N\t\\N',
  ]);
});

it('a part with other rows goes and comes, one that is gone goes, a new one replaces rows that were added by hand', () => {
  const wanted = new Map([
    ['2026-01-01', '1'],
    ['2026-01-02', '2'],
    ['2026-01-03', '3'],
  ]);
  const held = new Map([
    ['2026-01-01', '1'],
    ['2026-01-02', '9'],
    [null, '5'],
  ]);
  expect(differences(wanted, held)).toEqual({
    stale: [null, '2026-01-02', '2026-01-03'],
    fresh: ['2026-01-02', '2026-01-03'],
  });
  expect(differences(wanted, wanted)).toEqual({ stale: [], fresh: [] });
});

it('a copy that the server refuses at once ends only when DuckDB no longer computes its rows', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(`create temp table target_change (part varchar, digest varchar);
    create table answers as select date '2026-01-01' as date, i from range(100000) r(i)`);
  let isRead = false;
  const stream = connection.raw.stream.bind(connection.raw);
  connection.raw.stream = async (sql) => {
    const result = await stream(sql);
    isRead = true;
    return result;
  };
  const session = {
    rows: async () => [],
    run: async () => undefined,
    copy: async (_: string, texts: AsyncIterable<string>) => {
      void texts[Symbol.asyncIterator]()
        .next()
        .catch(() => undefined);
      throw new Error('cannot execute COPY FROM in a read-only transaction');
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const column = { name: 'date', type: 'DATE', isNullable: false, comment: null };
  const table = { schema: 'core', name: 'answers', comment: null, isView: false };
  const relation = { ...table, columns: [column], key: [] };
  const change = { relation, stale: [], fresh: ['2026-01-01'], digests: ['1'], freshRows: 'from answers r' };
  await expect(writeChange(session, connection, change)).rejects.toThrow('read-only');
  expect(isRead).toBe(true);
});
