import { tables } from '../support/tables.ts';
import { chmodSync, copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { publish } from '../../src/publish/publish.ts';
import { openWorkingFile, workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { Scratch } from '../support/folder.ts';
import { writeAndDie } from './held-file.ts';

const NOW = Date.UTC(2025, 5, 1, 12);
/** Runs of one warehouse: each is entered in the working file and published, and a copy of both files is kept under its name. */
async function publishNights(scratch: Scratch, nights: readonly string[]): Promise<string> {
  const publishedPath = scratch.path('answers.duckdb');
  for (const night of nights) {
    const { database } = await openWorkingFile({ tables, publishedPath, now: NOW });
    await using open = database;
    const connection = await open.connect();
    await connection.run(
      `insert into meta.runs (run_id, sequence, sync_day, started_at, finished_at, status) values ('${night}', ${night}, date '2025-06-01', timestamp '2025-06-0${night} 02:00', timestamp '2025-06-0${night} 03:00', 'ok')`,
    );
    await publish({ connection, targetPath: publishedPath, now: NOW });
    await connection.run('checkpoint');
    copyFileSync(workingPath(publishedPath), scratch.path(`working-${night}`));
  }
  return publishedPath;
}

async function runsOf(publishedPath: string): Promise<{ runs: unknown; notices: string[] }> {
  const { database, notices } = await openWorkingFile({ tables, publishedPath, now: NOW });
  await using open = database;
  const runs = await (await open.connect()).rows('select run_id from meta.runs order by 1');
  return { runs: runs.map(({ run_id: id }) => id), notices: notices.map(({ event }) => event) };
}

it('a rebuilt working file has nothing of a write-ahead log that lies beside the published file', async () => {
  using scratch = new Scratch();
  const publishedPath = await publishNights(scratch, ['1']);
  rmSync(workingPath(publishedPath));
  const other = scratch.path('other.duckdb');
  copyFileSync(publishedPath, other);
  chmodSync(other, 0o644);
  await writeAndDie(other, 'delete from meta.runs');
  copyFileSync(`${other}.wal`, `${publishedPath}.wal`);
  expect(await runsOf(publishedPath)).toEqual({ runs: ['1'], notices: ['rebuilt'] });
});

it('a restored working file beside a newer published one gives way to it, and is kept', async () => {
  using scratch = new Scratch();
  const publishedPath = await publishNights(scratch, ['1', '2', '3']);
  copyFileSync(scratch.path('working-1'), workingPath(publishedPath));
  expect(await runsOf(publishedPath)).toEqual({ runs: ['1', '2', '3'], notices: ['set_aside', 'rebuilt'] });
  expect(readdirSync(scratch.folder).filter((name) => name.includes('.older-'))).toHaveLength(1);
  expect(await runsOf(publishedPath)).toEqual({ runs: ['1', '2', '3'], notices: [] });
});

it('runs that only the retention of the logs removed are no restored backup', async () => {
  using scratch = new Scratch();
  const publishedPath = await publishNights(scratch, ['1', '2']);
  // The next run removed the first one, and changed nothing that would be published.
  const pruned = "update meta.runs set run_id = '3', sequence = 3 where run_id = '1'";
  await changeFile(workingPath(publishedPath), pruned);
  expect(await runsOf(publishedPath)).toEqual({ runs: ['2', '3'], notices: [] });
});

it('a working file restored from the middle of a run gives way to the published file with the end', async () => {
  using scratch = new Scratch();
  const publishedPath = await publishNights(scratch, ['1', '2']);
  await changeFile(
    workingPath(publishedPath),
    "update meta.runs set finished_at = null, status = 'running' where run_id = '2'; delete from meta.settings where name = 'published_file'",
  );
  expect((await runsOf(publishedPath)).notices).toEqual(['set_aside', 'rebuilt']);
});

it('files that each have runs of their own are both left alone: exit code 7 with both remedies', async () => {
  using scratch = new Scratch();
  const publishedPath = await publishNights(scratch, ['1', '2']);
  renameSync(publishedPath, scratch.path('kept'));
  copyFileSync(scratch.path('working-1'), workingPath(publishedPath));
  await publishNights(scratch, ['3']);
  rmSync(publishedPath);
  renameSync(scratch.path('kept'), publishedPath);
  const before = readFileSync(publishedPath);
  await expect(openWorkingFile({ tables, publishedPath, now: NOW })).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(
      /has 1 run that the working file lacks.*2025-06-02 02:00 UTC.*move .+\.work\.duckdb away.*move the published file away/s,
    ) as string,
  });
  expect(readFileSync(publishedPath).equals(before)).toBe(true);
  expect(readdirSync(scratch.folder).filter((name) => name.includes('older'))).toEqual([]);
});

it('a restored older published file is published over, since the working file has its runs', async () => {
  using scratch = new Scratch();
  const publishedPath = await publishNights(scratch, ['1']);
  copyFileSync(publishedPath, scratch.path('kept'));
  await publishNights(scratch, ['2']);
  rmSync(publishedPath);
  renameSync(scratch.path('kept'), publishedPath);
  expect(await runsOf(publishedPath)).toEqual({ runs: ['1', '2'], notices: [] });
});
