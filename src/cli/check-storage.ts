import { type ExitCode, exitCodeOf, messageOf, shellWord, textOf } from '../errors.ts';
import type { Config } from '../config/config.ts';
import type { CommandContext } from './host.ts';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { notifyStatePath } from '../daemon/notify/decide-notifications.ts';
import { journalPath } from '../run/journal.ts';
import { findDeadFolders } from '../warehouse/own-folder.ts';
import { z } from 'zod';
import { openDatabase, spillStarts } from '../warehouse/database.ts';
import { type DeclaredTable, refuseReshaped } from '../warehouse/declared-tables.ts';
import { versionRefusal } from '../warehouse/migrate.ts';
import { resolveTarget } from '../warehouse/published.ts';
import { counted, formatBytes } from '../quantity.ts';
import * as files from '../warehouse/database-files.ts';
import { leftOutText, readLeftOut } from '../publish/own-views.ts';
import { workingPath } from '../warehouse/working-file.ts';
import { explainFailure, foreignOwner, WarehouseError } from '../warehouse/failure.ts';

/** One line of `answerlake check`. */
export interface CheckResult {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  /** The state and, if it is not fine, the remedy. */
  message: string;
  /** Exit code of a sync with this problem; 0 unless failed. */
  exitCode: ExitCode;
}

const result =
  (status: CheckResult['status']) =>
  (name: string, message: string, exitCode: ExitCode = 0): CheckResult => ({
    name,
    status,
    message,
    exitCode,
  });
export const ok = result('ok');
export const warning = result('warning');
export const failed = result('failed');

const MIN_FREE_BYTES = 512 * 1_048_576;
// Publishing writes a new file next to the old one, and the working file stays.
const COPIES = 3;

/** Working file, published file, folders and free space: performs a run's file operations in the folders and leaves nothing behind. */
export async function checkStorage({ catalogue, warehouse, raw }: Config): Promise<CheckResult[]> {
  const { path } = warehouse;
  // Before the published file is opened, which removes them.
  const spilled = await checkSpilled(path);
  return [
    checkWorkingFile(path),
    ...checkFormerFiles(workingPath(path)),
    ...(await checkPublishedFile(path, catalogue.tables)),
    await checkWarehouseFolder(warehouse),
    await checkArchive(raw.dir),
    ...spilled,
    checkDisk(path),
  ];
}

/** Not opened: a sync that starts while DuckDB has it open would end with exit code 6. */
function checkWorkingFile(publishedPath: string): CheckResult {
  const name = 'working file';
  const path = workingPath(publishedPath);
  const own = [path, `${path}.wal`, journalPath(publishedPath), notifyStatePath(publishedPath)];
  const foreign = findForeign(own);
  if (foreign !== null) return failed(name, foreign, 7);
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size;
  const state = size === undefined ? 'not there yet: the first sync creates it' : formatBytes(size);
  return ok(name, `${state} (${path})`);
}

/** The files that a replay or a repair moved aside. */
function checkFormerFiles(path: string): CheckResult[] {
  const ofReplay = new Set(files.asideFiles(path, files.BEFORE_REPLAY));
  return files.asideFiles(path).map((former) => {
    const end = ofReplay.has(former)
      ? 'the next complete run removes it'
      : 'remove it when you no longer need it';
    return ok('former file', `${formatBytes(fs.statSync(former).size)}, ${end} (${former})`);
  });
}

async function checkPublishedFile(path: string, tables: readonly DeclaredTable[]): Promise<CheckResult[]> {
  const name = 'published file';
  try {
    if (!fs.existsSync(resolveTarget(path)))
      return [ok(name, `not there yet: the first sync publishes it (${path})`)];
    await using database = await openDatabase({ path, readOnly: true });
    const connection = await database.connect();
    const refusal = await versionRefusal(connection);
    if (refusal !== null) throw refusal;
    const catalog = await connection.value(z.string(), 'select current_database()');
    await refuseReshaped(connection, catalog ?? '', tables);
    const count = await connection.value(z.number(), 'select count(*) from meta.runs');
    const leftOut = await readLeftOut(connection);
    return [
      ok(name, `${formatBytes(fs.statSync(path).size)}, ${counted(count ?? 0, 'run')} (${path})`),
      ...leftOut.map((view) => warning('views', leftOutText(view))),
    ];
  } catch (error) {
    const exitCode = exitCodeOf(error);
    return [failed(name, messageOf(error), exitCode === 1 ? 7 : exitCode)];
  }
}

/** The folder of the archive, and those of its days. */
async function checkArchive(path: string): Promise<CheckResult> {
  const name = 'raw archive';
  const { problem } = await tryFolder(path, { isLocked: false });
  if (problem !== null) return failed(name, problem, 7);
  if (!fs.existsSync(path)) return ok(name, `will be created (${path})`);
  const entries = fs.readdirSync(path, { withFileTypes: true });
  const days = entries.flatMap((entry) => (entry.isDirectory() ? [join(path, entry.name)] : []));
  const foreign = findForeign(days);
  return foreign === null ? ok(name, path) : failed(name, foreign, 7);
}

const OTHERS_READ = 0o004;
const OTHERS_PASS = 0o001;

async function checkWarehouseFolder({ path, mode }: Config['warehouse']): Promise<CheckResult> {
  const name = 'warehouse folder';
  const folder = dirname(path);
  const { problem, keepsRights } = await tryFolder(folder, { isLocked: true });
  if (problem !== null) return failed(name, problem, 7);
  const unkept = `${folder}: its file system keeps no permissions, so its mount options say who can read the published file and the working file`;
  if (!keepsRights) return warning(name, unkept);
  if (!fs.existsSync(folder)) return ok(name, `will be created (${folder})`);
  const isShut = (fs.statSync(folder).mode & OTHERS_PASS) === 0;
  const shut = `${folder}: other users may read the published file (warehouse.mode), and cannot enter its folder: run chmod o+x ${shellWord(folder)}, or set another warehouse.mode`;
  return (mode & OTHERS_READ) !== 0 && isShut ? warning(name, shut) : ok(name, folder);
}

/** Leftovers of killed readers next to the file, and the folder that readers with DuckDB's own settings share. */
async function checkSpilled(path: string): Promise<CheckResult[]> {
  const name = 'temporary files';
  const dead = (await Promise.all(spillStarts(path).map(findDeadFolders))).flat();
  const left = `left by a process that was killed; the next query removes them: ${dead.join(', ')}`;
  const shared = `${path}.tmp: a program that reads the published file writes there under names that every other such program uses too, and may read wrong rows: give each its own temp_directory (docs/bi/README.md)`;
  return [
    ...(dead.length > 0 ? [warning(name, left)] : []),
    ...(fs.existsSync(`${path}.tmp`) ? [warning(name, shared)] : []),
  ];
}

function checkDisk(publishedPath: string): CheckResult {
  const folder = existingFolder(dirname(publishedPath));
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = bavail * bsize;
  const size = fs.statSync(publishedPath, { throwIfNoEntry: false })?.size ?? 0;
  const text = `${formatBytes(free)} free`;
  if (free < size * COPIES)
    return failed('disk', `${text}: publishing needs ${formatBytes(size * COPIES)}; free some space`, 7);
  const isLittle = free < MIN_FREE_BYTES;
  return isLittle ? warning('disk', `${text}: that is not much; free some space`) : ok('disk', text);
}

/** Runs a check; if the check itself fails, that failure is its finding. */
async function tried(name: string, check: () => Promise<CheckResult[]>): Promise<CheckResult[]> {
  try {
    return await check();
  } catch (error) {
    return [failed(name, messageOf(error), exitCodeOf(error))];
  }
}

/** The target in addition to the published file, if configured; creates and changes nothing. */
export async function checkTarget({ warehouse }: Config): Promise<CheckResult[]> {
  if (warehouse.target === 'duckdb') return [];
  const { openTarget } = await import('../targets/publish-changed.ts');
  return await tried('target', async () => {
    const target = await openTarget(warehouse);
    if (target === null) return [];
    const { what, publishedAt } = await target.inspect();
    return publishedAt === null
      ? [warning('target', `${what} has no publish of this version: the next one fills it`)]
      : [ok('target', `${what}, up to the publish of ${publishedAt}`)];
  });
}

/** Queue and landing zone, if a queue is configured; creates and changes nothing. */
export async function checkQueue(
  { queue: { url }, landing }: Config,
  { env, signal }: Pick<CommandContext, 'env' | 'signal'>,
) {
  if (url === null) return [];
  const { queueLines, queueProblems, watchQueue } = await import('../scale/queue/queue-state.ts');
  const { openZone, readZoneId, requireSameZone } = await import('../scale/landing/zone.ts');
  let known: string | null = null;
  const queue = await tried('queue', async () => {
    const state = await watchQueue(url);
    known = state.zone;
    const problems = queueProblems(state).join('; ');
    return [problems === '' ? ok('queue', queueLines(state)[0] ?? '') : warning('queue', problems)];
  });
  const zones = await tried('landing', async () => {
    const { problem } = landing.startsWith('s3://')
      ? { problem: null }
      : await tryFolder(landing, { isLocked: false });
    if (problem !== null) return [failed('landing', problem, 7)];
    await using zone = openZone(landing, { env, signal });
    const own = await readZoneId(zone);
    requireSameZone(zone, own, known);
    const text = `${landing} is empty: the loader claims it at its first start`;
    return [own === null ? warning('landing', text) : ok('landing', landing)];
  });
  return [...queue, ...zones];
}

/**
 * Performs a run's file operations as this user, with temporary files, in a folder or where it will be created: create, lock, write,
 * fsync, chmod, rename. Returns why a run would fail there, with the remedy.
 */
async function tryFolder(folder: string, { isLocked }: { isLocked: boolean }) {
  const name = `.answerlake-check-${files.randomName()}.duckdb`;
  const path = join(existingFolder(folder), name);
  const placed = `${path}.placed`;
  try {
    if (isLocked) {
      await using database = await openDatabase({ path });
      await (await database.connect()).run('create table t as select 1 as n; checkpoint');
    } else fs.writeFileSync(path, '');
    files.syncToDisk(path, 'r+');
    const keepsRights = files.setRights(path, 0o444);
    fs.renameSync(path, placed);
    files.syncFolder(dirname(path));
    return { problem: null, keepsRights };
  } catch (error) {
    const cause = error instanceof WarehouseError ? error.cause : error;
    const explained = explainFailure(cause, join(folder, name));
    const reason = explained instanceof WarehouseError ? textOf(explained.reason) : messageOf(explained);
    return { problem: `${folder}: ${reason.replaceAll(path, folder)}`, keepsRights: false };
  } finally {
    if (fs.statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true) {
      files.removeDatabase(placed);
      files.removeDatabase(path);
    }
  }
}

/** The first of these files and folders that a run could not read and write, with its owner; null if it could use all. */
function findForeign(paths: readonly string[]): string | null {
  for (const path of paths.filter((path) => fs.existsSync(path))) {
    try {
      const passes = fs.statSync(path).isDirectory() ? fs.constants.X_OK : 0;
      fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK | passes);
    } catch (error) {
      const explained = explainFailure(error, path);
      if (explained instanceof WarehouseError && explained.problem === 'read-only') return explained.message;
      const remedy = foreignOwner(path) || ': fix its owner or permissions';
      return `${path} cannot be read and written (${messageOf(error)})${remedy}`;
    }
  }
  return null;
}

/** The folder itself, or its nearest existing parent. */
function existingFolder(path: string): string {
  let folder = path;
  while (!fs.existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
