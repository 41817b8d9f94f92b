import { duckdb } from './duckdb.ts';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { storageProblem } from './failure.ts';

/** A folder of one process, and next to it a lock that the system releases however the process ends: process ids repeat from container to container. */
export interface OwnFolder extends Disposable {
  path: string;
}

const LOCK = '.lock';
const NAME = /^[0-9a-f]{12}\.lock$/;

// Within one process these locks do not exclude each other, and closing the file a second time would release them.
const held = new Set<string>();

/** Creates a folder `start` + random, for this user alone; it is gone when it is disposed of. @throws the file system's own error */
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

/** The folders called `start` + random whose process has ended. */
export async function findDeadFolders(start: string): Promise<string[]> {
  const dead: string[] = [];
  for (const path of foldersOf(start)) if (!held.has(path) && (await isDead(path))) dead.push(path);
  return dead;
}

/** Removes what `findDeadFolders` finds, as far as this user may. */
export async function removeDeadFolders(start: string): Promise<void> {
  for (const path of await findDeadFolders(start)) {
    removeQuietly(path);
    removeQuietly(`${path}${LOCK}`);
  }
}

function foldersOf(start: string): string[] {
  const own = basename(start);
  try {
    return readdirSync(dirname(start))
      .filter((name) => name.startsWith(own) && NAME.test(name.slice(own.length)))
      .map((name) => join(dirname(start), name.slice(0, -LOCK.length)));
  } catch {
    // Where the folder cannot be read, nothing of ours is there.
    return [];
  }
}

async function isDead(path: string): Promise<boolean> {
  try {
    (await duckdb.DuckDBInstance.create(`${path}${LOCK}`, { threads: '1' })).closeSync();
    return true;
  } catch (error) {
    // A process that was killed before its lock was a whole file; one that lives holds it from the start.
    return ['not a database', 'corrupt'].includes(storageProblem(error) ?? '');
  }
}

/** Where the file system has no locks, the folder stays without one and is never taken for one of a process that has ended. */
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
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It belongs to another user, or the disk fails: the next process tries again, and `check` names it.
  }
}
