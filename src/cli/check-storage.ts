import { type ExitCode, exitCodeOf, messageOf } from '../errors.ts';
import type { Config } from '../config/config.ts';
import type { CommandContext } from './host.ts';
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { openDatabase } from '../warehouse/database.ts';
import { resolveTarget } from '../warehouse/published.ts';
import { formatBytes } from '../text.ts';
import { workingPath } from '../warehouse/working-file.ts';

/** One line of `answerlake check`. */
export interface CheckResult {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  /** The state, and what to do if it is not fine. */
  message: string;
  /** Exit code of a sync with this problem; 0 unless failed. */
  exitCode: ExitCode;
}

export function ok(name: string, message: string): CheckResult {
  return { name, status: 'ok', message, exitCode: 0 };
}

export function warning(name: string, message: string): CheckResult {
  return { name, status: 'warning', message, exitCode: 0 };
}

export function failed(name: string, message: string, exitCode: ExitCode): CheckResult {
  return { name, status: 'failed', message, exitCode };
}

const MIN_FREE_BYTES = 512 * 1_048_576;
// Publishing writes a new file beside the old one, and the working file stays.
const COPIES = 3;

/** Working file, published file, folders and free space; creates and changes nothing. */
export async function checkStorage({ warehouse, raw }: Config): Promise<CheckResult[]> {
  const { path } = warehouse;
  // Not opened: a sync that starts while DuckDB has the file open ends with exit code 6.
  const working = workingPath(path);
  const state = existsSync(working)
    ? formatBytes(statSync(working).size)
    : 'not there yet: the first sync creates it';
  return [
    ok('working file', `${state} (${working})`),
    await checkPublishedFile(path),
    checkFolder('warehouse folder', dirname(path)),
    checkFolder('raw archive', raw.dir),
    checkDisk(path),
  ];
}

async function checkPublishedFile(path: string): Promise<CheckResult> {
  const name = 'published file';
  try {
    if (!existsSync(resolveTarget(path)))
      return ok(name, `not there yet: the first sync publishes it (${path})`);
    await using database = await openDatabase({ path, readOnly: true });
    const connection = await database.connect();
    const count = await connection.value(z.number(), 'select count(*) from meta.runs');
    const runs = count === 1 ? '1 run' : `${count ?? 0} runs`;
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
  return free < MIN_FREE_BYTES
    ? warning('disk', `${text}: that is not much; free some space`)
    : ok('disk', text);
}

/** The folder itself, or its nearest parent that exists. */
function existingFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** The target besides the published file, if one is configured; creates and changes nothing. */
export async function checkTarget({ warehouse }: Config): Promise<CheckResult[]> {
  if (warehouse.target === 'duckdb') return [];
  const { openTarget } = await import('../targets/publish-changed.ts');
  try {
    const target = await openTarget(warehouse);
    if (target === null) return [];
    const { what, publishedAt } = await target.inspect();
    if (publishedAt === null) {
      return [warning('target', `${what} holds nothing yet: the next publish brings it up to date`)];
    }
    return [ok('target', `${what}, up to the publish of ${publishedAt}`)];
  } catch (error) {
    return [failed('target', messageOf(error), exitCodeOf(error))];
  }
}

/** Queue and landing zone, if a queue is configured; creates and changes nothing. */
export async function checkQueue(
  { queue: { url }, landing }: Config,
  { env, signal }: CommandContext,
): Promise<CheckResult[]> {
  if (url === null) return [];
  const { queueLines, queueProblems, watchQueue } = await import('../scale/queue/queue-state.ts');
  const { openZone, readZoneId, requireSameZone } = await import('../scale/landing/zone.ts');
  const results: CheckResult[] = [];
  let known: string | null = null;
  try {
    const state = await watchQueue(url);
    known = state.zone;
    const problems = queueProblems(state);
    results.push(
      problems.length === 0 ? ok('queue', queueLines(state)[0] ?? '') : warning('queue', problems.join('; ')),
    );
  } catch (error) {
    results.push(failed('queue', messageOf(error), exitCodeOf(error)));
  }
  try {
    await using zone = openZone(landing, { env, signal });
    const own = await readZoneId(zone);
    requireSameZone(zone, { own, queue: known });
    const text = `${landing} is empty: the loader makes it its own at its first start`;
    results.push(own === null ? warning('landing', text) : ok('landing', landing));
  } catch (error) {
    results.push(failed('landing', messageOf(error), exitCodeOf(error)));
  }
  return results;
}
