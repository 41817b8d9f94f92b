import { expect, it } from 'vitest';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { migrate, schemaVersion } from '../../src/warehouse/migrate.ts';
import { readSqlFiles } from '../../src/warehouse/sql.ts';
import { toDay } from '../../src/day.ts';
import { days } from '../support/answers.ts';
import { coverageOf, ofProject } from '../views/world.ts';

it('migrate applies each file once and notes it', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const files = readSqlFiles('migrations');
  for (const now of [0, 1]) await migrate(connection, { now });
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
  await expect(migrate(connection, { now: 0, files: [...files, broken] })).rejects.toThrow('selec');
  expect(await connection.rows(`select 1 from duckdb_tables() where table_name = 'half'`)).toEqual([]);
  expect(await schemaVersion(connection)).toBe(files.at(-1)?.number);
});

it('the migrations have numbers without a hole', () => {
  expect(readSqlFiles('migrations').map(({ number }) => number)).toEqual(
    readSqlFiles('migrations').map((_, index) => index + 12),
  );
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
  const [baseline] = readSqlFiles('migrations');
  await migrate(connection, { now: 0, files: baseline === undefined ? [] : [baseline] });
  await connection.run(OLD);
  await migrate(connection, { now: 0 });
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
  expect(coverage.settled(visibility)).toEqual([
    days('2026-02-01', '2026-03-04'),
    days('2026-03-06', '2026-03-17'),
  ]);
  // The day that lacks a row is asked about with its neighbours.
  expect(coverage.needed(visibility)).toEqual([days('2026-03-06', '2026-03-08')]);
  expect(coverage.isWindowSettled(ofProject('response_summary'), 'month', toDay('2026-02-01'))).toBe(true);
});

it('a file of 0.1 is refused with the command that builds it again', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(
    `create schema meta; create table meta.migrations (version integer, name varchar, applied_at timestamp);
     insert into meta.migrations values (10, 'parts', '2026-01-01')`,
  );
  await expect(migrate(connection, { now: 0 })).rejects.toThrow('run answerlake replay');
});
