import { expect, it } from 'vitest';
import {
  copyLines,
  readLines,
  comparePartitions,
  type Partition,
} from '../../../src/targets/postgres/rows.ts';
import { nameRow } from '../../../src/warehouse/connection.ts';
import { Scratch } from '../../support/folder.ts';
import { openDatabase } from '../../../src/warehouse/database.ts';
import type { TableColumns } from '../../../src/warehouse/tables.ts';

it('the rows of the chosen parts are read as lines in the text format of copy', async () => {
  using scratch = new Scratch();
  await using database = await openDatabase({ path: scratch.path('odd.duckdb') });
  const connection = await database.connect();
  await connection.run(`create schema core; create table core.odd (name varchar, list varchar[], number double, day date, instant timestamp, is_so boolean);
    insert into core.odd values
      ('a' || chr(0) || chr(9) || 'b' || chr(10) || chr(13) || '\\N', ['x', null, 'y"z', 'back\\slash, {'], 'nan', '2026-01-02', '2026-01-02 03:04:05.678', true),
      (null, null, 1e-7, null, null, null), ('', [], 'inf', '9999-12-31', '1970-01-01', false), ('__proto__ ü 🦆', ['1'], -0.1, null, null, null),
      ('of another part', null, null, null, null, null);
    create temp table target_parts as select replace(name, chr(0), chr(65533)) as part from core.odd where name is null or name <> 'of another part'`);
  const columns = ['name', 'list', 'number', 'day', 'instant', 'is_so'];
  const types = ['VARCHAR', 'VARCHAR[]', 'DOUBLE', 'DATE', 'TIMESTAMP', 'BOOLEAN'];
  const table = {
    schema: 'core',
    name: 'odd',
    comment: null,
    columns: columns.map((name, index) => ({
      name,
      type: types[index] ?? '',
      isNullable: true,
      comment: null,
    })),
  };
  const [home] = await connection.rowsAs(nameRow, 'select current_database() as name');
  const source = { connection, catalog: home?.name ?? '', settings: new Map() };
  const lines: string[] = [];
  for await (const chunk of readLines(connection, copyLines(source, table))) lines.push(...chunk);
  expect(lines).toEqual([
    'a�\\tb\\n\\r\\\\N\t{"x",NULL,"y\\\\"z","back\\\\\\\\slash, {"}\tnan\t2026-01-02\t2026-01-02 03:04:05.678\ttrue',
    '\\N\t\\N\t1e-07\t\\N\t\\N\t\\N',
    '\t{}\tinf\t9999-12-31\t1970-01-01 00:00:00\tfalse',
    '__proto__ ü 🦆\t{"1"}\t-0.1\t\\N\t\\N\t\\N',
  ]);
});

const days: TableColumns = {
  schema: 'core',
  name: 'visibility',
  comment: null,
  columns: [{ name: 'date', type: 'DATE', isNullable: false, comment: null }],
};

const part = (day: string | null, digest: string, rows = 1): Partition => ({
  table_name: 'core.visibility',
  part: day,
  row_count: String(rows),
  digest,
});

it('a part with other rows is deleted and written, one that is gone is deleted, a new one is written', () => {
  const own = [part('2026-01-01', '1'), part('2026-01-02', '2'), part('2026-01-03', '3', 4)];
  const held = [part('2026-01-01', '1'), part('2026-01-02', '9'), part(null, '5')];
  expect(comparePartitions([days], own, held)).toEqual([
    {
      table: days,
      stale: [part('2026-01-02', '9'), part(null, '5')],
      fresh: [part('2026-01-02', '2'), part('2026-01-03', '3', 4)],
    },
  ]);
  expect(comparePartitions([days], own, own)).toEqual([]);
});
