import { copyFileSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { publish } from '../../src/publish/publish.ts';
import { openWorkingFile } from '../../src/warehouse/working-file.ts';
import { Scratch } from '../support/folder.ts';
import { writeAndDie } from './held-file.ts';

const NOW = Date.UTC(2025, 5, 1, 12);
const SETTINGS = "select value from meta.settings where name = 'kept'";

/** A published file with a setting, without its working file. */
async function publishAlone(publishedPath: string): Promise<void> {
  const { database, path } = await openWorkingFile({ publishedPath, now: NOW });
  const connection = await database.connect();
  await connection.run("insert into meta.settings values ('kept', 'yes')");
  await publish({ connection, targetPath: publishedPath, now: NOW, mode: 0o644 });
  database.close();
  rmSync(path);
}

it('a rebuilt working file has nothing of a write-ahead log that lies beside the published file', async () => {
  using scratch = new Scratch();
  const publishedPath = scratch.path('answers.duckdb');
  await publishAlone(publishedPath);
  const other = scratch.path('other.duckdb');
  copyFileSync(publishedPath, other);
  await writeAndDie(other, "delete from meta.settings where name = 'kept'");
  copyFileSync(`${other}.wal`, `${publishedPath}.wal`);
  const rebuilt = await openWorkingFile({ publishedPath, now: NOW });
  await using database = rebuilt.database;
  expect(rebuilt.notices.map(({ event }) => event)).toEqual(['rebuilt']);
  expect(await (await database.connect()).rows(SETTINGS)).toEqual([{ value: 'yes' }]);
});

it.each(['template', 'compact'])('a file called %s.duckdb is published', async (name) => {
  using scratch = new Scratch();
  const publishedPath = scratch.path(`${name}.duckdb`);
  const { database } = await openWorkingFile({ publishedPath, now: NOW });
  await using open = database;
  const target = { connection: await open.connect(), targetPath: publishedPath, now: NOW };
  expect(await publish(target)).toMatchObject({ path: publishedPath });
});
