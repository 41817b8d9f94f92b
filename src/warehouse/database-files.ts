import * as fs from 'node:fs';
import { basename, extname, dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';
import { randomBytes } from 'node:crypto';

/** Names of files attached next to the working file; a configured file cannot have them, because DuckDB names a catalog after its file. */
export const CATALOGS = {
  published: 'published',
  publishing: 'publishing',
  compacted: 'answerlake_compacted',
  lake: 'published_lake',
} as const;

/** Copies a closed DuckDB file to an unused path, readable by this user only; unchanged blocks take no space if the file system can share them. */
export function copyDatabase(from: string, to: string): void {
  fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
  setRights(to, 0o600);
}

/**
 * Sets a file's permissions; false if its file system has none (CIFS, some FUSE) or another user owns the file: then the mount, or
 * that user, decides who reads it.
 * @throws the file system's own error
 */
export function setRights(path: string, mode: number): boolean {
  try {
    fs.chmodSync(path, mode);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EINVAL'].includes(codeOf(error) ?? '')) throw error;
  }
  return (fs.statSync(path).mode & 0o777) === mode;
}

/** Waits until a file, or a folder's names, are on disk. @param flags `r+` for a file: Windows syncs only files open for writing */
export function syncToDisk(path: string, flags: 'r' | 'r+', before: () => void = () => undefined): void {
  const file = fs.openSync(path, flags);
  try {
    before();
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Waits until a folder's names are on disk, if its file system can sync them. */
export function syncFolder(path: string): void {
  try {
    syncToDisk(path, 'r');
  } catch (error) {
    // Some systems (Windows, some network mounts) cannot sync a folder.
    if (!['EPERM', 'EISDIR', 'EINVAL', 'EACCES'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** Removes a DuckDB file with its write-ahead log. */
export function removeDatabase(path: string): void {
  fs.rmSync(path, { force: true });
  fs.rmSync(`${path}.wal`, { force: true });
}

/** An unused name for a file moved aside: `<path>.<why>-<instant>`. */
export function asideName(path: string, why: string, now: number): string {
  const name = `${path}.${why}-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  let free = name;
  for (let copy = 2; fs.existsSync(free); copy += 1) free = `${name}-${copy}`;
  return free;
}

/** Marks a former working file that a replay moved aside. */
export const BEFORE_REPLAY = 'before-replay';

/** The folder in which a replay builds, next to the working file: with a random name. */
export const REPLAY_FOLDER = '.replay-';

/** The files that were moved aside from a path, with their logs; `why` selects one reason. */
export function asideFiles(path: string, why = ''): string[] {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  return names
    .filter((name) => name.startsWith(start + why) && ASIDE.test(name.slice(start.length)))
    .map((name) => join(folder, name));
}

const ASIDE = /^[a-z-]+-\d{8}T\d{6}Z(?:-\d+)?(?:\.wal)?$/;

/** A file that answerlake keeps next to the published one: `data/answers.duckdb` has its journal at `data/.answers.journal.json`. */
export function beside(publishedPath: string, rest: string): string {
  return join(dirname(publishedPath), `.${basename(publishedPath, extname(publishedPath))}.${rest}`);
}

/** Random, because process ids repeat across containers. */
export function randomName(): string {
  return randomBytes(6).toString('hex');
}

/** Removes files named `start` + random that killed processes left. Only for the process that holds the working file: any other that writes such names would find it locked. */
export function removeTemporaries(start: string, except?: string): void {
  const folder = dirname(start);
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(basename(start)) || !RANDOM.test(name.slice(basename(start).length))) continue;
    if (join(folder, name) === except) continue;
    fs.rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** 0.2.0 used a process id. */
const RANDOM = /^(?:[0-9a-f]{12}|\d+)(?:-[0-9a-f]{8})?(?:\.duckdb)?(?:\.wal|\.tmp)?$/;

const PUBLISHING = 'publish-';

/** A new name next to the target that marks the file as ours: `.answers.publish-<random>.duckdb`. */
export function temporaryName(targetPath: string): string {
  return `${beside(targetPath, PUBLISHING)}${randomName()}.duckdb`;
}

/** Removes the files that killed publishes of this target left. See `removeTemporaries`. */
export function removeLeftovers(targetPath: string): void {
  removeTemporaries(beside(targetPath, PUBLISHING));
}
