import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../errors.ts';
import { openDatabase } from '../warehouse/database.ts';
import { explainFailure, foreignOwner, WarehouseError } from '../warehouse/failure.ts';
import { randomName, removeDatabase, setRights } from '../warehouse/file-names.ts';

/** What a folder can do of what a run does in it. */
export interface FolderTrial {
  /** Why a run would fail there, with its remedy; null if it would not. */
  problem: string | null;
  keepsRights: boolean;
}

/** Does in a folder what a run does, as this user, with files of its own that are gone afterwards: create, lock, write, fsync, chmod, rename. */
export async function tryFolder(folder: string): Promise<FolderTrial> {
  const path = join(folder, `.answerlake-check-${randomName()}.duckdb`);
  const placed = `${path}.placed`;
  try {
    {
      await using database = await openDatabase({ path });
      await (await database.connect()).run('create table t as select 1 as n; checkpoint');
    }
    syncToDisk(path);
    const keepsRights = setRights(path, 0o444);
    renameSync(path, placed);
    return { problem: null, keepsRights };
  } catch (error) {
    const explained = explainFailure(error, path);
    const reason = explained instanceof WarehouseError ? explained.reason : messageOf(explained);
    return { problem: `${folder}: ${reason.replaceAll(path, folder)}`, keepsRights: false };
  } finally {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
      removeDatabase(placed);
      removeDatabase(path);
    }
  }
}

function syncToDisk(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The first of these files and folders that a run could not read and write, with its owner; null if it could. */
export function findForeign(paths: readonly string[]): string | null {
  for (const path of paths.filter((path) => existsSync(path))) {
    try {
      const passes = statSync(path).isDirectory() ? constants.X_OK : 0;
      accessSync(path, constants.R_OK | constants.W_OK | passes);
    } catch (error) {
      return `${path} cannot be read and written (${messageOf(error)})${foreignOwner(path) || ': fix its owner or permissions'}`;
    }
  }
  return null;
}

/** The folder itself, or its nearest parent that exists. */
export function existingFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
