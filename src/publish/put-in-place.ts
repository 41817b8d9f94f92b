import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** For everybody, read-only. */
export const DEFAULT_MODE = 0o444;

/** Moves a finished file to the target. Readers see one step, and a power cut does no harm. */
export function putInPlace(
  temporary: string,
  target: string,
  { now, mode }: { now: number; mode: number },
): void {
  if (existsSync(`${temporary}.wal`))
    throw new Error(`${temporary}.wal is still there, so the file is not complete`);
  makeReadOnlyOnDisk(temporary, mode);
  parkWriteAheadLog(target, now);
  renameSync(temporary, target);
  syncFolder(dirname(target));
}

/** Gives a published file the configured rights. */
export function setMode(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
}

/** The size of a file in bytes. */
export function sizeOf(path: string): number {
  return statSync(path).size;
}

// Storage v1.3.0 and older would silently replay a log into the new file beside it.
function parkWriteAheadLog(target: string, now: number): void {
  const log = `${target}.wal`;
  if (!existsSync(log)) return;
  const parked = `${log}.parked-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  let name = parked;
  for (let copy = 2; existsSync(name); copy += 1) name = `${parked}-${copy}`;
  renameSync(log, name);
}

// Windows syncs only a file that is open for writing, so it is opened before it becomes read-only.
function makeReadOnlyOnDisk(path: string, mode: number): void {
  const file = openSync(path, 'r+');
  try {
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!cannotSync(error)) throw error;
  }
}

// Some systems (Windows, some network mounts) cannot sync a folder.
function cannotSync(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return ['EPERM', 'EISDIR', 'EINVAL', 'EACCES'].includes(String(error.code));
}
