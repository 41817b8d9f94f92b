import { orNull } from '../errors.ts';
import { duckdb } from './duckdb.ts';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { storageProblem } from './failure.ts';

/** A folder of one process, with a lock next to it that the system releases however the process ends: process ids repeat across containers. */
export interface OwnFolder extends Disposable {
  path: string;
}

const LOCK = '.lock';
const NAME = /^[0-9a-f]{12}\.lock$/;

// Within one process these locks do not exclude each other, and closing the file a second time releases them.
const held = new Set<string>();

/** Creates a folder `start` + random for this user only and removes it when disposed of. @throws the file system's own error */
export async function openOwnFolder(start: string): Promise<OwnFolder> {
  const path = `${start}${randomBytes(6).toString('hex')}`;
  const lock = await takeLock(path);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
  return {
    path,
    [Symbol.dispose]: () => {
      removeQuietly(path);
      lock[Symbol.dispose]();
    },
  };
}

/** The folders named `start` + random whose process has ended. */
export async function findDeadFolders(start: string): Promise<string[]> {
  const dead: string[] = [];
  for (const path of foldersOf(start)) if (!held.has(path) && (await isDead(path))) dead.push(path);
  return dead;
}

/** Removes the folders from `findDeadFolders` that this user may remove. */
export async function removeDeadFolders(start: string): Promise<void> {
  for (const path of await findDeadFolders(start)) {
    removeQuietly(path);
    removeQuietly(`${path}${LOCK}`);
  }
}

function foldersOf(start: string): string[] {
  const own = basename(start);
  // A folder that cannot be read has no files of ours.
  const names = orNull(() => readdirSync(dirname(start))) ?? [];
  return names
    .filter((name) => name.startsWith(own) && NAME.test(name.slice(own.length)))
    .map((name) => join(dirname(start), name.slice(0, -LOCK.length)));
}

async function isDead(path: string): Promise<boolean> {
  try {
    (await duckdb.DuckDBInstance.create(`${path}${LOCK}`, { threads: '1' })).closeSync();
    return true;
  } catch (error) {
    // A process that was killed before its lock file was complete; a live process holds the lock from the start.
    return ['not a database', 'corrupt'].includes(storageProblem(error) ?? '');
  }
}

/** On a file system without locks, the folder has none and is never treated as that of an ended process. */
async function takeLock(path: string): Promise<Disposable> {
  const lock = `${path}${LOCK}`;
  held.add(path);
  const instance = await duckdb.DuckDBInstance.create(lock, { threads: '1' }).catch(() => null);
  const release = (): void => {
    instance?.closeSync();
    held.delete(path);
    removeQuietly(lock);
  };
  if (instance === null) release();
  return { [Symbol.dispose]: release };
}

function removeQuietly(path: string): void {
  // Owned by another user, or the disk fails: the next process tries again, and `check` names it.
  orNull(() => rmSync(path, { recursive: true, force: true }));
}
