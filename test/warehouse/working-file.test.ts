import { tables } from '../support/tables.ts';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { publish } from '../../src/publish/publish.ts';
import { limitMemory } from '../../src/warehouse/memory.ts';
import { openWorkingFile, workingPath } from '../../src/warehouse/working-file.ts';
import { madeOnce, prepareWorkingFile } from '../support/made-once.ts';
import { changeFile } from '../support/file-reader.ts';
import { Scratch } from '../support/folder.ts';
import { closeWithoutCheckpoint } from '../support/without-checkpoint.ts';
import { writeAndDie } from './held-file.ts';

const NOW = Date.UTC(2025, 5, 1, 12);
const WORKING = '.answers.work.duckdb';

/** Opens the working file of the warehouse in a folder. */
const openIn = async (scratch: Scratch) =>
  await openWorkingFile({ tables, publishedPath: scratch.path('answers.duckdb'), now: NOW });

async function publishProject(folder: string): Promise<void> {
  const publishedPath = join(folder, 'answers.duckdb');
  prepareWorkingFile(publishedPath);
  const { database } = await openWorkingFile({ tables, publishedPath, now: NOW });
  const connection = await database.connect();
  await connection.run(
    `insert into core.projects values ('p', 'o', 'Name', 's', 'r', timestamp '2025-01-01')`,
  );
  await publish({ connection, targetPath: publishedPath, now: NOW });
  database.close();
}

it('openWorkingFile creates a migrated file in a storage version that refuses a stale write-ahead log', async () => {
  using scratch = new Scratch();
  const publishedPath = scratch.path('data/answers.duckdb');
  const working = await openWorkingFile({ tables, publishedPath, now: NOW });
  {
    await using database = working.database;
    const connection = await database.connect();
    expect(working.notices.map(({ event }) => event)).toEqual(['created']);
    expect(await connection.rows('select count(*) as n from core.visibility')).toEqual([{ n: 0 }]);
    const [file] = await connection.rowsAs(
      z.object({ tags: z.string() }),
      'select cast(tags as varchar) as tags from duckdb_databases() where not internal',
    );
    expect(file?.tags).toContain('v1.5.0');
  }
  expect(readdirSync(scratch.path('data'))).toEqual([WORKING]);
});

it.each([
  ['empty', ''],
  ['no DuckDB file', 'rubbish'.repeat(9999)],
])(
  'openWorkingFile sets a file aside that is %s and rebuilds it from the published one',
  async (_what, content) => {
    using scratch = new Scratch();
    const publishedPath = scratch.path('answers.duckdb');
    const made = await madeOnce('working file published with a project', publishProject);
    cpSync(join(made, 'answers.duckdb'), publishedPath);
    const path = workingPath(publishedPath);
    writeFileSync(path, content);

    const second = await openWorkingFile({ tables, publishedPath, now: NOW });
    await using database = second.database;
    expect(second.notices.map(({ event }) => event)).toEqual(['set_aside', 'rebuilt']);
    expect(existsSync(`${path}.corrupt-20250601T120000Z`)).toBe(true);
    const again = await database.connect();
    expect(await again.rows('select project_id, name from core.projects')).toEqual([
      { project_id: 'p', name: 'Name' },
    ]);
    if (content !== '') return;
    await publish({ connection: again, targetPath: publishedPath, now: NOW });
    expect(statSync(publishedPath).mode & 0o777).toBe(0o444);
  },
);

it('the working file and the files of DuckDB next to it are for the owner alone, others as before', async () => {
  using scratch = new Scratch();
  const umask = process.umask(0o022);
  onTestFinished(() => void process.umask(umask));
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  const first = await openIn(scratch);
  first.database.close();
  chmodSync(first.path, 0o644);
  const { database, path } = await openIn(scratch);
  await (await database.connect()).run(`insert into meta.settings values ('a', 'b')`);
  expect([path, `${path}.wal`].map(modeOf)).toEqual([0o600, 0o600]);
  database.close();
  writeFileSync(scratch.path('other'), '');
  expect(modeOf(scratch.path('other'))).toBe(0o644);
});

it('the working file is not opened when the published file is a link to nothing', async () => {
  using scratch = new Scratch();
  symlinkSync(scratch.path('gone/answers.duckdb'), scratch.path('answers.duckdb'));
  await expect(openIn(scratch)).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringContaining('answers.duckdb: it does not exist'),
  });
  expect(existsSync(scratch.path(WORKING))).toBe(false);
});

it.each([
  ['takes over what a killed process had committed', false, [], 1],
  ['sets file and log aside when the log is damaged', true, ['set_aside', 'set_aside', 'created'], 0],
])('openWorkingFile %s', async (...[, isDamaged, events, rows]) => {
  using scratch = new Scratch();
  const first = await openIn(scratch);
  first.database.close();
  await writeAndDie(first.path, `insert into meta.settings values ('start_date', '2025-01-01')`);
  const log = readFileSync(`${first.path}.wal`);
  if (isDamaged) writeFileSync(`${first.path}.wal`, log.fill(0x55, log.length - 40, log.length - 20));
  const second = await openIn(scratch);
  await using database = second.database;
  expect(second.notices.map(({ event }) => event)).toEqual(events);
  expect(existsSync(`${first.path}.wal.corrupt-20250601T120000Z`)).toBe(isDamaged);
  const stored = "from meta.settings where name = 'start_date'";
  expect(await (await database.connect()).rows(stored)).toHaveLength(rows);
});

it('a working file that is built without a checkpoint, as on a full disk, leaves no row behind in its log', async () => {
  using scratch = new Scratch();
  await publishProject(scratch.folder);
  rmSync(workingPath(scratch.path('answers.duckdb')));
  closeWithoutCheckpoint();
  const { database, notices } = await openIn(scratch);
  await using _ = database;
  expect(notices.map(({ event }) => event)).toEqual(['rebuilt']);
  const connection = await database.connect();
  expect(await connection.rows('select project_id from core.projects')).toEqual([{ project_id: 'p' }]);
});

it('openWorkingFile removes what other processes left half made, whatever their ids: it holds the lock', async () => {
  using scratch = new Scratch();
  const ours = ['.new-0123456789ab', '.new-0123456789ab.wal', '.new-1', `.new-${process.ppid}`, '.new-1.wal'];
  for (const name of [...ours, '.new-mine']) writeFileSync(scratch.path(WORKING + name), 'half');
  const { database } = await openIn(scratch);
  database.close();
  expect(readdirSync(scratch.folder).sort()).toEqual([WORKING, `${WORKING}.new-mine`]);
});

it('openWorkingFile spills into a folder of its own, and removes those of processes that were killed', async () => {
  using scratch = new Scratch();
  const publishedPath = scratch.path('answers.duckdb');
  const path = workingPath(publishedPath);
  for (const left of ['.tmp', '.tmp-0123456789ab']) {
    mkdirSync(`${path}${left}`);
    writeFileSync(`${path}${left}/duckdb_temp_storage_DEFAULT-0.tmp`, 'rows');
  }
  const { database } = await openWorkingFile({ tables, publishedPath, now: NOW });
  const connection = await database.connect();
  await limitMemory(connection, '40MB');
  expect(readdirSync(scratch.folder).filter((name) => name.includes('.tmp'))).toEqual([]);
  await connection.run('create temp table t as select i, hash(i) as h from range(6000000) r(i)');
  expect(readdirSync(scratch.folder).filter((name) => /\.tmp-[0-9a-f]{12}$/.test(name))).toHaveLength(1);
  database.close();
  expect(readdirSync(scratch.folder).filter((name) => name.includes('.tmp'))).toEqual([]);
});

it('openWorkingFile refuses a file of a newer answerlake and leaves it alone', async () => {
  using scratch = new Scratch();
  const first = await openIn(scratch);
  const connection = await first.database.connect();
  await connection.run(`insert into meta.migrations values (9999, 'future', timestamp '2030-01-01')`);
  first.database.close();
  await expect(openIn(scratch)).rejects.toThrow(/schema version 9999.*update answerlake/);
  expect(readdirSync(scratch.folder)).toEqual([WORKING]);
});

it('openWorkingFile refuses a database of something else', async () => {
  using scratch = new Scratch();
  await changeFile(workingPath(scratch.path('answers.duckdb')), 'create table theirs (n bigint)');
  await expect(openIn(scratch)).rejects.toMatchObject({ exitCode: 7, problem: 'foreign' });
});

it('openWorkingFile leaves no temporary file when the published file cannot be used', async () => {
  using scratch = new Scratch();
  const path = scratch.path('answers.duckdb');
  writeFileSync(path, 'not ours');
  await expect(openIn(scratch)).rejects.toMatchObject({ exitCode: 7, path });
  expect(readdirSync(scratch.folder)).toEqual(['answers.duckdb']);
});
