import { chmodSync, constants, copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, extname, dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';
import { randomBytes } from 'node:crypto';

/** What attached files are called beside the working file; a configuration cannot give a file these names, because DuckDB names a file's catalog after it. */
export const CATALOGS = {
  published: 'published',
  publishing: 'publishing',
  compacted: 'answerlake_compacted',
  lake: 'published_lake',
} as const;

/** Copies a closed DuckDB file to a path at which nothing is, for this user alone; only changed blocks take space where the file system can do that. */
export function copyDatabase(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
}

/** Removes a DuckDB file with its write-ahead log. */
export function removeDatabase(path: string): void {
  rmSync(path, { force: true });
  rmSync(`${path}.wal`, { force: true });
}

/** A free name to move a file to: `<path>.<why>-<instant>`. */
export function asideName(path: string, why: string, now: number): string {
  const name = `${path}.${why}-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  let free = name;
  for (let copy = 2; existsSync(free); copy += 1) free = `${name}-${copy}`;
  return free;
}

/** The name of a file without its folder and extension. */
export function stem(path: string): string {
  return basename(path, extname(path));
}

const LEFTOVER_AFTER_MS = 86_400_000;

/**
 * Removes files and folders called `start` and a process id that a kill left behind: those of processes that have ended. With `now`, those
 * older than a day too: their process may have been of another container.
 */
export function removeTemporaries(start: string, now?: number): void {
  const folder = dirname(start);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(basename(start))) continue;
    const id = /^(\d+)(?:-[0-9a-f]{8}\.duckdb)?(?:\.wal)?$/.exec(name.slice(basename(start).length))?.[1];
    if (id === undefined) continue;
    const path = join(folder, name);
    if (isDeadProcess(Number(id)) || (now !== undefined && isOld(path, now)))
      rmSync(path, { recursive: true, force: true });
  }
}

/** True when the process has ended or is this one: a restarted container gives us the same id again. */
function isDeadProcess(id: number): boolean {
  if (id === process.pid) return true;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function isOld(path: string, now: number): boolean {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changed !== undefined && now - changed > LEFTOVER_AFTER_MS;
}

/** A new name beside the target that we recognise as ours: `.answers.publish-<process>-<random>.duckdb`. */
export function temporaryName(targetPath: string): string {
  return `${publishStart(targetPath)}${process.pid}-${randomBytes(4).toString('hex')}.duckdb`;
}

/** Removes the files that killed publishes of this target left behind. */
export function removeLeftovers(targetPath: string, now: number): void {
  removeTemporaries(publishStart(targetPath), now);
}

function publishStart(targetPath: string): string {
  return join(dirname(targetPath), `.${stem(targetPath)}.publish-`);
}
