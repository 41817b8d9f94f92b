import { expect, it } from 'vitest';
import { readLines, lineOf, writeChange } from '../../../src/targets/postgres/rows.ts';
import { openMemoryDatabase } from '../../../src/warehouse/database.ts';
import { differences, type Parts } from '../../../src/warehouse/parts.ts';

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

const column = (name: string, type: string) => ({ name, type, isNullable: false, comment: null });
const dated = { schema: 'core', name: 'answers', comment: null, isView: false };
const ofAll = { ...dated, columns: [column('date', 'DATE')] };
const ofProjects = { ...dated, columns: [...ofAll.columns, column('project_id', 'VARCHAR')] };
const parts = (held: Record<string, Record<string, string>>): Parts =>
  new Map(Object.entries(held).map(([part, shards]) => [part, JSON.stringify(Object.entries(shards))]));

it('a part with other rows goes and comes, one that is gone goes, a new one replaces rows that were added by hand', () => {
  const wanted = parts({ d1: { '': '1' }, d2: { '': '2' }, d3: { '': '3' } });
  const held = new Map([...parts({ d1: { '': '1' }, d2: { '': '9' } }), [null, '[["","5"]]']]);
  expect(differences(ofAll, { wanted, held })).toEqual({
    stale: ['d2', null, 'd3'].map((part) => ({ part, shard: null })),
    fresh: ['d2', 'd3'].map((part) => ({ part, shard: '' })),
    digests: new Map([
      ['d2', '[["","2"]]'],
      [null, null],
      ['d3', '[["","3"]]'],
    ]),
    shards: new Set(['']),
  });
  expect(differences(ofAll, { wanted, held: wanted }).stale).toEqual([]);
});

it('of a part, only the shards of projects with other rows go and come', () => {
  const held = parts({ d1: { aa: '1', bb: '2' }, d2: { aa: '3', bb: '4' }, d3: { aa: '5' } });
  const wanted = parts({ d1: { aa: '1', bb: '9', cc: '8' }, d2: { bb: '4' }, d3: { aa: '6' } });
  expect(differences(ofProjects, { wanted, held })).toEqual({
    stale: [
      { part: 'd1', shard: 'bb' },
      { part: 'd1', shard: 'cc' },
      { part: 'd2', shard: 'aa' },
      { part: 'd3', shard: null },
    ],
    fresh: [
      { part: 'd1', shard: 'bb' },
      { part: 'd1', shard: 'cc' },
      { part: 'd3', shard: 'aa' },
    ],
    digests: wanted,
    shards: new Set(['bb', 'cc', 'aa']),
  });
});

it('shards that were not computed stay as they are, and are not taken for gone', () => {
  const held = parts({ d1: { aa: '1', bb: '2' }, d2: { aa: '3' }, d3: { bb: '4' } });
  const wanted = parts({ d1: { bb: '9' }, d4: { bb: '7' } });
  expect(differences(ofProjects, { wanted, held }, new Set(['bb']))).toEqual({
    stale: [
      { part: 'd1', shard: 'bb' },
      { part: 'd3', shard: null },
      { part: 'd4', shard: null },
    ],
    fresh: [
      { part: 'd1', shard: 'bb' },
      { part: 'd4', shard: 'bb' },
    ],
    digests: new Map([
      ['d1', '[["aa","1"],["bb","9"]]'],
      ['d3', null],
      ['d4', '[["bb","7"]]'],
    ]),
    shards: new Set(['bb']),
  });
});

it('a part whose digest an older version wrote, and one whose project no column names, are written whole', () => {
  const wanted = parts({ d1: { aa: '1', bb: '2' } });
  const whole = {
    stale: [{ part: 'd1', shard: null }],
    fresh: ['aa', 'bb'].map((shard) => ({ part: 'd1', shard })),
  };
  expect(differences(ofProjects, { wanted, held: new Map([['d1', '3 14 15']]) })).toMatchObject(whole);
  expect(differences(ofAll, { wanted, held: parts({ d1: { aa: '1', bb: '3' } }) })).toMatchObject(whole);
});

it('a copy that the server refuses at once ends only when DuckDB no longer computes its rows', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(`create table answers as select date '2026-01-01' as date, i from range(100000) r(i)`);
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
  const change = {
    relation: { ...ofAll, key: [] },
    stale: [],
    fresh: [{ part: '2026-01-01', shard: '' }],
    digests: new Map<string, string>(),
    freshRows: 'from answers r',
  };
  await expect(writeChange(session, connection, change)).rejects.toThrow('read-only');
  expect(isRead).toBe(true);
});
