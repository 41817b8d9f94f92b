import { constants, copyFileSync, linkSync, rmSync } from 'node:fs';
import { WarehouseError } from './failure.ts';
import { temporaryName } from './publish-names.ts';

/**
 * Works on a published file under another name, where DuckDB finds no write-ahead log that may lie beside the file: a link, or a copy where
 * there are no links or somebody holds the file.
 * @param isUnderWay tells that a failure is not one of opening the file, which is not tried again then
 */
export async function withOtherName<T>(
  path: string,
  work: (name: string) => Promise<T>,
  isUnderWay: () => boolean,
): Promise<T> {
  try {
    return await withName(path, linkSync, work);
  } catch (error) {
    const isHeld = error instanceof WarehouseError && error.problem === 'locked';
    if (isUnderWay() || (!isHeld && !isLinkFailure(error))) throw error;
  }
  return await withName(path, copy, work);
}

async function withName<T>(
  path: string,
  give: (from: string, to: string) => void,
  work: (name: string) => Promise<T>,
): Promise<T> {
  const name = temporaryName(path);
  try {
    give(path, name);
    return await work(name);
  } finally {
    rmSync(name, { force: true });
  }
}

function copy(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
}

function isLinkFailure(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'link';
}
