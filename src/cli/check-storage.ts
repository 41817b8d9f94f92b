import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { exitCodeOf, messageOf } from '../errors.ts';
import { openDatabase } from '../warehouse/database.ts';
import { isDuckDbFile } from '../warehouse/duckdb-file.ts';
import { requireLinkTarget } from '../warehouse/file-names.ts';
import { workingPath } from '../warehouse/working-file.ts';
import { failed, formatBytes, ok, warning, type CheckResult } from './check-result.ts';

const LEAST_FREE_BYTES = 512 * 1_048_576;
// Publishing writes the whole file anew beside the old one, and the working file is kept too.
const COPIES = 3;

/** Working file, published file, folders and room on the disk; nothing is created or changed. */
export async function checkStorage(config: Config): Promise<CheckResult[]> {
  const published = config.warehouse.path;
  return [
    checkWorkingFile(workingPath(published)),
    await checkPublishedFile(published),
    checkFolder('warehouse folder', dirname(published)),
    checkFolder('raw archive', config.raw.dir),
    checkDisk(published),
  ];
}

/** Looks at the header alone: whoever opens the file with DuckDB makes a sync that begins in that moment end with 6. */
function checkWorkingFile(path: string): CheckResult {
  const name = 'working file';
  if (!existsSync(path)) return ok(name, `not there yet: the first sync creates it (${path})`);
  try {
    if (isDuckDbFile(path)) return ok(name, `${formatBytes(statSync(path).size)} (${path})`);
    return warning(name, `${path} is damaged: the next run moves it away and builds a new one`);
  } catch (error) {
    return failed(name, messageOf(error), 7);
  }
}

async function checkPublishedFile(path: string): Promise<CheckResult> {
  const name = 'published file';
  try {
    requireLinkTarget(path);
    if (!existsSync(path)) return ok(name, `not there yet: the first sync publishes it (${path})`);
    await using database = await openDatabase({ path, readOnly: true });
    const connection = await database.connect();
    const [row] = await connection.rowsAs(
      z.object({ runs: z.number() }),
      'select count(*) as runs from meta.runs',
    );
    const runs = row?.runs === 1 ? '1 run' : `${row?.runs ?? 0} runs`;
    return ok(name, `${formatBytes(statSync(path).size)}, ${runs} (${path})`);
  } catch (error) {
    const exitCode = exitCodeOf(error);
    return failed(name, messageOf(error), exitCode === 1 ? 7 : exitCode);
  }
}

function checkFolder(name: string, path: string): CheckResult {
  const folder = existingFolder(path);
  try {
    accessSync(folder, constants.W_OK);
    return ok(name, existsSync(path) ? path : `will be created (${path})`);
  } catch {
    return failed(name, `${folder} cannot be written to: fix its owner or permissions`, 7);
  }
}

function checkDisk(publishedPath: string): CheckResult {
  const folder = existingFolder(dirname(publishedPath));
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const size = existsSync(publishedPath) ? statSync(publishedPath).size : 0;
  const text = `${formatBytes(free)} free`;
  if (free < size * COPIES)
    return failed('disk', `${text}: publishing needs ${formatBytes(size * COPIES)}; free some space`, 7);
  return free < LEAST_FREE_BYTES
    ? warning('disk', `${text}: that is not much; free some space`)
    : ok('disk', text);
}

/** The folder itself, or its nearest parent that exists. */
function existingFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
