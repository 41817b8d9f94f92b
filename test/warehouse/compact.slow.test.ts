import { tables } from '../support/tables.ts';
import { readdirSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  closeWorkingFile,
  openWorkingFile,
  workingPath,
  type WorkingFile,
} from '../../src/warehouse/working-file.ts';
import { Scratch } from '../support/folder.ts';

const NOW = Date.UTC(2025, 5, 1, 12);
const STAY = new AbortController().signal;

/** Rows of 40 tables and the comments on their columns. */
const PICTURE = `select 'row' as what, cast(r as varchar) as text from core.visibility r
  union all select 'comment', comment from duckdb_columns() where schema_name in ('core', 'meta') order by all`;

const MOST =
  "update core.visibility set _run_id = md5(_run_id); delete from core.visibility where date > '2010-01-01'";
const SOME = "update core.visibility set _run_id = md5(_run_id) where date < '2500-01-01'";

/** A working file with free blocks: where rows were written twice, and where they are gone. */
async function churned(publishedPath: string, change = MOST): Promise<WorkingFile> {
  const working = await openWorkingFile({ tables, publishedPath, now: NOW });
  const connection = await working.database.connect();
  await connection.run(
    `insert into core.visibility select 'p', 'day', date '2000-01-01' + cast(i as integer), 'project', 'p', random(), md5(cast(i as varchar)), now()::timestamp
     from range(600000) t(i)`,
  );
  await connection.run('checkpoint');
  await connection.run(change);
  await connection.run('checkpoint');
  return working;
}

async function pictureOf(publishedPath: string): Promise<unknown> {
  const working = await openWorkingFile({ tables, publishedPath, now: NOW });
  await using database = working.database;
  expect(working.notices).toEqual([]);
  return await (await database.connect()).rows(PICTURE);
}

it('a working file with many free blocks is closed without them, with the same rows, comments and mode', async () => {
  using scratch = new Scratch();
  const published = scratch.path('answers.duckdb');
  const working = await churned(published);
  const picture = await (await working.database.connect()).rows(PICTURE);
  const before = statSync(working.path).size;
  const compaction = await closeWorkingFile(working, { signal: STAY });
  const { size, mode } = statSync(working.path);
  expect(compaction).toEqual({ bytesBefore: before, bytesAfter: size });
  expect(size).toBeLessThan(before / 2);
  expect(mode & 0o777).toBe(0o600);
  expect(readdirSync(scratch.folder)).toEqual(['.answers.work.duckdb']);
  expect(await pictureOf(published)).toEqual(picture);
});

it('a file that is less than a quarter free is closed without free blocks: used blocks are half empty', async () => {
  using scratch = new Scratch();
  const working = await churned(scratch.path('answers.duckdb'), SOME);
  const connection = await working.database.connect();
  const [size] = await connection.rows(
    'select free_blocks / total_blocks as free_share from pragma_database_size() where database_name = current_database()',
  );
  expect(size?.['free_share']).toBeGreaterThan(0.1);
  expect(size?.['free_share']).toBeLessThan(0.25);
  const compaction = await closeWorkingFile(working, { signal: STAY });
  expect(compaction?.bytesAfter).toBeLessThan(0.9 * (compaction?.bytesBefore ?? 0));
});

it.for([
  ['there is no room for a copy', { signal: STAY, freeBytes: () => 1_000_000 }],
  ['the process is asked to stop', { signal: AbortSignal.abort() }],
] as const)('a working file with many free blocks is not changed where %s', async ([, options]) => {
  using scratch = new Scratch();
  const published = scratch.path('answers.duckdb');
  const working = await churned(published);
  const before = statSync(working.path).ino;
  expect(await closeWorkingFile(working, options)).toBeNull();
  expect(statSync(working.path).ino).toBe(before);
  expect(readdirSync(scratch.folder)).toEqual(['.answers.work.duckdb']);
});

it('a working file without free blocks is closed unchanged', async () => {
  using scratch = new Scratch();
  const working = await openWorkingFile({ tables, publishedPath: scratch.path('answers.duckdb'), now: NOW });
  expect(await closeWorkingFile(working, { signal: STAY })).toBeNull();
  expect(workingPath(scratch.path('answers.duckdb'))).toBe(working.path);
});
