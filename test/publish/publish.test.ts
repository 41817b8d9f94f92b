import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect, it, vi } from 'vitest';
import { inspectPublished } from '../../src/warehouse/published.ts';
import { whileHeld } from '../warehouse/held-file.ts';
import { publishAtEnd, withPublished, withWorkingFile } from './warehouse-files.ts';
import { changeFile, rowsOfFile } from '../support/file-reader.ts';

const COUNT = 'select count(*) as n from daily_kpis';

it('publish writes a read-only file with views and comments that DuckDB 1.1 reads, and nothing else', async () => {
  await withWorkingFile(async ({ target, scratch, publish }) => {
    const report = await publish();
    expect(report).toMatchObject({ path: target, bytes: statSync(target).size });
    expect(report.tables).toMatchObject({ 'core.visibility': 1, 'core.events': 0 });
    expect(statSync(target).mode & 0o777).toBe(0o444);
    expect(readdirSync(scratch.folder).filter((name) => !name.includes('.work.'))).toEqual([
      'answers.duckdb',
    ]);
    expect(await rowsOfFile(target, 'select date, visibility from daily_kpis')).toEqual([
      { date: '2025-06-01', visibility: 1 },
    ]);
    const [file] = await rowsOfFile(
      target,
      'select tags::varchar as tags from duckdb_databases() where not internal',
    );
    expect(file?.['tags']).toContain('v1.0.0');
    const silent = 'select 1 from duckdb_columns() where not internal and comment is null';
    expect(await rowsOfFile(target, silent)).toEqual([]);
  });
});

it('the published file is readable for whom the configuration says, also when nothing else changed', async () => {
  await withWorkingFile(async ({ target, connection, publish }) => {
    await publish({ mode: 0o440 });
    expect(statSync(target).mode & 0o777).toBe(0o440);
    expect(await publishAtEnd(connection, target, 0o400)).toBeNull();
    expect(statSync(target).mode & 0o777).toBe(0o400);
  });
});

it('publish replaces the file even while another program holds it for writing', async () => {
  await withPublished('', async ({ target, publish, addDay }) => {
    chmodSync(target, 0o644);
    await whileHeld(target, {}, async () => {
      await addDay('2025-06-02');
      await publish();
    });
    expect(await rowsOfFile(target, COUNT)).toEqual([{ n: 2 }]);
  });
});

it('publish parks a stray write-ahead log instead of letting readers replay it', async () => {
  await withPublished('', async ({ target, scratch, publish }) => {
    writeFileSync(`${target}.wal`, 'stray');
    await publish();
    expect(existsSync(`${target}.wal`)).toBe(false);
    expect(readFileSync(scratch.path('answers.duckdb.wal.parked-20250605T060000Z'), 'utf8')).toBe('stray');
    expect(await rowsOfFile(target, COUNT)).toEqual([{ n: 1 }]);
  });
});

it('publish follows a symbolic link to the file', async () => {
  await withWorkingFile(async ({ scratch, publish }) => {
    mkdirSync(scratch.path('real'));
    await publish({ targetPath: scratch.path('real/answers.duckdb') });
    symlinkSync(scratch.path('real/answers.duckdb'), scratch.path('link.duckdb'));
    const report = await publish({ targetPath: scratch.path('link.duckdb') });
    expect(report.path).toBe(realpathSync(scratch.path('real/answers.duckdb')));
  });
});

it('publish answers exit code 7 on a folder in place of the target', async () => {
  await withWorkingFile(async ({ scratch, publish }) => {
    mkdirSync(scratch.path('folder.duckdb'));
    await expect(publish({ targetPath: scratch.path('folder.duckdb') })).rejects.toMatchObject({
      exitCode: 7,
      message: expect.stringContaining('is a folder') as string,
    });
  });
});

it.each([
  ['a text file', async (path: string) => Promise.resolve(writeFileSync(path, 'notes'))],
  ['an empty file', async (path: string) => Promise.resolve(writeFileSync(path, ''))],
  ['a DuckDB database of another program', (path: string) => changeFile(path, 'create table their (n int)')],
])(
  'publish answers exit code 7 on %s in place of the target and leaves it unchanged',
  async (_what, make) => {
    await withWorkingFile(async ({ scratch, publish }) => {
      const targetPath = scratch.path('other.duckdb');
      await make(targetPath);
      const before = readFileSync(targetPath);
      await expect(publish({ targetPath })).rejects.toMatchObject({
        exitCode: 7,
        problem: 'foreign',
        reason: [expect.stringMatching(/^(?:is|was) not/), expect.anything()],
      });
      expect(readFileSync(targetPath).equals(before)).toBe(true);
      expect(readdirSync(scratch.folder).filter((name) => name.includes('publish'))).toEqual([]);
    });
  },
);

it('publish removes what killed ones left, whatever their process ids: it holds the working file', async () => {
  await withWorkingFile(async ({ scratch, publish }) => {
    const left = ['0123456789ab', '1-0a1b2c3d', `${process.ppid}-0a1b2c3d`];
    const names = left.flatMap((name) => [
      `.answers.publish-${name}.duckdb`,
      `.answers.publish-${name}.duckdb.wal`,
    ]);
    for (const name of [...names, '.answers.publish-mine.duckdb']) writeFileSync(scratch.path(name), '');
    await publish();
    expect(readdirSync(scratch.folder).filter((name) => name.includes('publish'))).toEqual([
      '.answers.publish-mine.duckdb',
    ]);
  });
});

it('work on the published file that fails is done once, and fails as it does', async () => {
  await withPublished('', async ({ connection, target }) => {
    const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('of its own'));
    await expect(inspectPublished(connection, target, work)).rejects.toThrow('of its own');
    expect(work).toHaveBeenCalledOnce();
  });
});

it('a working file with a table of its own is published all the same', async () => {
  await withWorkingFile(async ({ target, connection, publish }) => {
    await connection.run("create table core.extra (id varchar); comment on table core.extra is 'one more'");
    await connection.run("comment on column core.extra.id is 'its id'; insert into core.extra values ('x')");
    const { tables } = await publish();
    expect(tables['core.extra']).toBe(1);
    expect(await rowsOfFile(target, 'from core.extra')).toEqual([{ id: 'x' }]);
  });
});
