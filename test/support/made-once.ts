import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { NEW_WORKING_FILE, workingPath } from '../../src/warehouse/working-file.ts';
import { codeOf } from '../../src/errors.ts';

const LOOK_AGAIN_MS = 10;

/** A folder that the first test that needs it fills, in any worker; tests must not write into it afterwards. */
export async function madeOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  // A copy of the project has other migrations: the recipe for a new endpoint is performed in one.
  const hash = createHash('sha256')
    .update(`${import.meta.url} ${name}`)
    .digest('hex');
  const folder = join(tmpdir(), `made-${hash.slice(0, 16)}`);
  const unfinished = `${folder}-unfinished`;
  while (!existsSync(folder)) {
    if (!isFirst(unfinished)) {
      await wait(LOOK_AGAIN_MS);
      continue;
    }
    try {
      // The one before us may have ended between our two looks.
      if (existsSync(folder)) return folder;
      await fill(unfinished);
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return folder;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Puts an empty working file where `openWorkingFile` looks for it. */
export function prepareWorkingFile(publishedPath: string): void {
  const path = workingPath(publishedPath);
  mkdirSync(dirname(path), { recursive: true });
  cpSync(NEW_WORKING_FILE, path);
}
