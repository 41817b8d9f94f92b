import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openWorkingFile, workingPath } from '../../src/warehouse/working-file.ts';
import { makeFolder } from './folder.ts';

const made = new Map<string, Promise<string>>();

/** A folder that the first test that asks for it fills; nobody may write into it afterwards. */
export async function madeOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const known = made.get(name) ?? fillNew(fill);
  made.set(name, known);
  return await known;
}

async function fillNew(fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = makeFolder();
  await fill(folder);
  return folder;
}

/** Puts a migrated, empty working file where `openWorkingFile` looks for it: a copy costs a twentieth of a migration. */
export async function prepareWorkingFile(publishedPath: string): Promise<void> {
  const folder = await madeOnce('migrated', async (empty) => {
    const { database } = await openWorkingFile({ publishedPath: join(empty, 'answers.duckdb'), now: 0 });
    database.close();
  });
  const path = workingPath(publishedPath);
  mkdirSync(dirname(path), { recursive: true });
  cpSync(workingPath(join(folder, 'answers.duckdb')), path);
}
