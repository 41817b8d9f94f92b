import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { migrate, schemaVersion, upgrade } from '../../src/warehouse/migrate.ts';
import { readSqlFiles } from '../../src/warehouse/sql.ts';
import { toDay } from '../../src/day.ts';
import { days } from '../support/answers.ts';
import { oldFile } from '../support/old-file.ts';
import { tables } from '../support/tables.ts';
import { coverageOf, ofProject } from '../views/world.ts';
import { schemaPicture } from './schema-picture.ts';

it('migrate applies each file once and notes it', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const files = readSqlFiles('migrations').filter(({ number, name }) => number > 14 || name === 'baseline');
  for (const now of [0, 1]) await migrate(connection, now);
  expect(
    await connection.rows('select version, name, applied_at from meta.migrations order by version'),
  ).toEqual(
    files.map(({ number, name }) => ({ version: number, name, applied_at: '1970-01-01T00:00:00.000Z' })),
  );
});

it('migrate stores nothing of a migration that fails half way', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const files = readSqlFiles('migrations');
  const broken = { number: 9000, name: 'broken', sql: 'create table core.half (n bigint); selec 1;' };
  await expect(migrate(connection, 0, [...files, broken])).rejects.toThrow('selec');
  expect(await connection.rows(`select 1 from duckdb_tables() where table_name = 'half'`)).toEqual([]);
  expect(await schemaVersion(connection)).toBe(files.at(-1)?.number);
});

it('the migrations have numbers without a hole', () => {
  const numbers = new Set(readSqlFiles('migrations').map(({ number }) => number));
  expect([...numbers]).toEqual([...numbers].map((_, index) => index + 13));
});

/** A file of 0.2.0: three weeks of visibility, asked for on 22 March, and what was open of them. */
const OLD = `
insert into meta.slices (endpoint, project_id, scope, scope_id, grain, window_start, window_end, covered_end, sync_day, status, truncated, asked_with, run_id, fetched_at)
values ('visibility', 'p', 'project', 'p', 'day', '2026-03-01', '2026-03-22', '2026-03-22', '2026-03-22', 'loaded', false, 'w', 'r', '2026-03-22'),
  ('visibility', 'p', 'project', 'p', 'day', '2026-02-01', '2026-02-28', null, '2026-03-22', 'refused', false, null, 'r', '2026-03-22'),
  ('visibility', 'p', 'model', 'm', 'day', '2026-03-01', '2026-03-22', null, '2026-03-22', 'failed', false, null, 'r', '2026-03-22');
insert into meta.slices (endpoint, project_id, scope, scope_id, window_kind, window_start, window_end, covered_end, sync_day, status, truncated, asked_with, run_id, fetched_at)
values ('response_summary', 'p', 'project', 'p', 'month', '2026-02-01', '2026-02-28', '2026-02-28', '2026-03-22', 'loaded', false, 'w', 'r', '2026-03-22');
insert into core.visibility select 'p', 'day', unnest(generate_series(date '2026-03-01', date '2026-03-18', interval '1 day')), 'project', 'p', 1, 'r', '2026-03-22';
delete from core.visibility where date = '2026-03-09';
insert into meta.owed_days values
  ('visibility', 'p', 'project', 'p', 'day', '2026-03-05', '2026-03-05', 'refused', '2026-03-21', 'r'),
  ('visibility', 'p', 'project', 'p', 'day', '2026-03-19', '2026-03-20', 'unconfirmed', '2026-03-21', 'r');
insert into meta.vanishing values
  ('visibility', 'p', '{"project_id":"p","grain":"day","date":"2026-03-07","scope":"project","scope_id":"p"}', 'gone', '2026-03-07', '2026-03-21', 'r');
insert into meta.expected_series values ('visibility', 'p', 'model', 'm', 'day', '2026-03-01');
insert into meta.refused_filters values ('visibility', 'p', 'model', 'm', '2026-03-18', '2026-03-21', 4, true, 'no such model');
`;

it('a file of 0.2.0 is upgraded in place, and nothing is asked again that it had', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(oldFile('0.2.0') + OLD);
  await upgrade(connection, { tables, now: 0 });
  const states = await connection.rows(
    `select state, reason, min(date) as first, max(date) as last, count(*) as n from meta.asked_days
     where endpoint = 'visibility' group by all order by first`,
  );
  expect(states.map((row) => Object.values(row))).toEqual([
    ['refused', 'too_old', '2026-02-01', '2026-02-28', 28],
    ['row', null, '2026-03-01', '2026-03-18', 15],
    ['refused', 'bad_row', '2026-03-05', '2026-03-05', 1],
    ['unconfirmed', 'vanishing', '2026-03-07', '2026-03-07', 1],
    ['empty', null, '2026-03-09', '2026-03-22', 3],
    ['unconfirmed', null, '2026-03-19', '2026-03-20', 2],
  ]);
  expect(await connection.rows('select scope_id, reason, days, known_since from meta.alarms')).toEqual([
    { scope_id: 'm', reason: 'refused', days: 4, known_since: '2026-03-21' },
  ]);
  const asking = { today: toDay('2026-03-23'), lookbackDays: 5, askedWith: 'w' };
  const coverage = await coverageOf(connection, ['visibility', 'response_summary'], asking);
  const visibility = { ...ofProject('visibility'), grain: 'day' as const };
  const settled = [days('2026-02-01', '2026-03-04'), days('2026-03-06', '2026-03-17')];
  expect(coverage.settled(visibility)).toEqual(settled);
  // The day that lacks a row is asked about with its neighbours.
  expect(coverage.needed(visibility)).toEqual([days('2026-03-06', '2026-03-08')]);
  const months = { ...ofProject('response_summary'), grain: null, windowKind: 'month' } as const;
  expect(coverage.settled(months).map(({ start }) => start)).toContain('2026-02-01');
});

/** A value of each type that a column has. */
const VALUES: Readonly<Record<string, string>> = {
  BIGINT: '7',
  BOOLEAN: 'true',
  DATE: "date '2026-03-01'",
  DOUBLE: '0.1',
  TIMESTAMP: "timestamp '2026-03-02 03:04:05'",
  VARCHAR: "'day'",
  'VARCHAR[]': "['a', 'b']",
};

async function coreRows(connection: Connection): Promise<Record<string, unknown>> {
  const found = tables.map(async ({ name }) => [name, await connection.rows(`from core.${name}`)] as const);
  return Object.fromEntries(await Promise.all(found));
}

/** The picture of a file; comments of `meta`, which come from migrations, are left out. */
async function coreAndMeta(connection: Connection): Promise<string> {
  const picture = await schemaPicture(connection);
  const blocks = picture
    .split('\n\n')
    .map((block) => (block.includes('table meta.') ? block.replaceAll(/-- .*/g, '') : block));
  return blocks.join('\n\n');
}

it.each([
  ['0.2.0', 12, ''],
  ['0.3.0', 14, ''],
  ['0.3.0', 15, readSqlFiles('migrations').find(({ number }) => number === 15)?.sql ?? ''],
])(
  'a file of %s with schema version %i becomes as a new one, with all its rows',
  async (version, number, sql) => {
    await using database = await openMemoryDatabase();
    const connection = await database.connect();
    await connection.run(oldFile(version) + sql);
    if (sql !== '')
      await connection.run(`insert into meta.migrations values (15, 'alarms_end', '2026-01-01')`);
    expect(await schemaVersion(connection)).toBe(number);
    const columns = await connection.rowsAs(
      z.object({ name: z.string(), types: z.array(z.string()) }),
      `select table_name as name, list(data_type order by column_index) as types from duckdb_columns()
     where schema_name = 'core' group by all`,
    );
    for (const { name, types } of columns)
      await connection.run(
        `insert into core.${name} values (${types.map((type) => VALUES[type]).join(', ')})`,
      );
    const before = await coreRows(connection);
    for (const _ of [1, 2]) await upgrade(connection, { tables, now: 0 });
    const seen = version === '0.2.0' ? { seen_at: '2026-03-02T03:04:05.000Z' } : {};
    const [snapshot] = before['prompt_snapshots'] as object[];
    expect(await coreRows(connection)).toEqual({ ...before, prompt_snapshots: [{ ...snapshot, ...seen }] });
    await using fresh = await openMemoryDatabase();
    const other = await fresh.connect();
    await upgrade(other, { tables, now: 0 });
    expect(await coreAndMeta(connection)).toBe(await coreAndMeta(other));
  },
);

it('a column that a declaration gains is added before the audit columns, and rows stay', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await upgrade(connection, { tables, now: 0 });
  await connection.run(
    `insert into core.visitor_visits values ('p', 'day', '2026-03-01', 'project', 'p', 'x', 3, 'r', '2026-03-02')`,
  );
  const meaning = { meaning: 'Visits of one page.' };
  const gained = { name: 'bounces', type: 'bigint' as const, meaning, isRequired: false };
  const more = tables.map((table) =>
    table.name === 'visitor_visits' ? { ...table, columns: table.columns.toSpliced(-2, 0, gained) } : table,
  );
  await upgrade(connection, { tables: more, now: 0 });
  const [row = {}] = await connection.rows('from core.visitor_visits');
  expect(Object.entries(row).slice(-4)).toEqual([
    ['visits', 3],
    ['bounces', null],
    ['_run_id', 'r'],
    ['_changed_at', '2026-03-02T00:00:00.000Z'],
  ]);
  expect(await schemaPicture(connection)).toContain('bounces bigint, -- Visits of one page.');
});

it('a file of 0.1 is refused with what to do', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(
    `create schema meta; create table meta.migrations (version integer, name varchar, applied_at timestamp);
     insert into meta.migrations values (10, 'parts', '2026-01-01')`,
  );
  await expect(migrate(connection, 0)).rejects.toThrow('move the working and the published file away');
});
