import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Database, openDatabase } from './database.ts';
import { explainFailure, storageProblem, WarehouseError } from './failure.ts';
import * as fileNames from './database-files.ts';
import { inspectPublished, PUBLISHED, resolveTarget, isBehind } from './published.ts';
import { errorClassOf } from '../errors.ts';
import { PACKAGE_ROOT } from '../files.ts';
import { declareTables } from './declared-tables.ts';
import { upgrade, type UpgradeOptions } from './migrate.ts';
import { quoteIdentifier, quoteLiteral } from './sql.ts';
import { type Connection, interruptOn } from './connection.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { writerSettings } from './memory.ts';
import { countRows, haveSameTables } from './tables.ts';

interface WorkingFileOptions extends UpgradeOptions {
  /** The file that analysts read; the working file is next to it. */
  publishedPath: string;
}

interface Opening extends WorkingFileOptions {
  /** The folder for rows that exceed memory. */
  spill: string;
}

/** An event at the opening of the working file that people should hear about. */
export interface WorkingFileNotice {
  event: 'created' | 'set_aside' | 'rebuilt';
  message: string;
}

/** Closed by `await using`. */
export interface WorkingFile extends AsyncDisposable {
  database: Database;
  path: string;
  notices: WorkingFileNotice[];
}

// This DuckDB writes v1.5.0 best; from v1.4.0 on a stale write-ahead log is refused instead of replayed.
export const WORKING_STORAGE_VERSION = 'v1.5.0';

/** A checkpoint rewrites the last rows of every changed table; at DuckDB's own 16 MiB that took a tenth of a first sync of 48 projects. */
const CHECKPOINT_THRESHOLD = '48MiB';

/** A working file before its first run, with all tables and views; made by the build, because creating them takes 2 s of processor time. */
export const NEW_WORKING_FILE = join(PACKAGE_ROOT, 'dist', 'new.work.duckdb');

const TEMPORARY = '.new-';
/** Folder for rows that exceed memory. */
const SPILL = '.tmp';
/** The permissions of group and others. */
const OTHERS = 0o077;

/** `data/answers.duckdb` has its working file at `data/.answers.work.duckdb`. */
export function workingPath(publishedPath: string): string {
  return fileNames.beside(resolve(publishedPath), 'work.duckdb');
}

/**
 * Opens the working file for this process alone: creates a missing one, moves a damaged one aside and rebuilds it from the published
 * file, and migrates it.
 * @throws WarehouseError `locked` (exit 6) when another process holds it, `storage` (exit 7) on a disk failure or a link without a target
 */
export async function openWorkingFile(options: WorkingFileOptions): Promise<WorkingFile> {
  const path = workingPath(options.publishedPath);
  const notices: WorkingFileNotice[] = [];
  // DuckDB spills while it opens a file, under repeating names, so each process needs a folder of its own.
  const spill = `${path}${SPILL}-${fileNames.randomName()}`;
  const opening = { ...options, spill };
  let database: Database | undefined;
  try {
    fs.mkdirSync(dirname(path), { recursive: true });
    // Fail here on a link without a target, not after a whole sync.
    resolveTarget(options.publishedPath);
    database = await openExisting(path, opening, notices);
    using first = await database?.connect();
    if (first !== undefined) await upgrade(first, options);
    if (first !== undefined && (await isBehind(first, options.publishedPath))) {
      database?.close();
      const why = 'older than the published file (a restored backup?)';
      setAside([path, `${path}.wal`], { now: options.now, notices, why });
      database = undefined;
    }
    database ??= await createAndOpen(path, opening, notices);
    fileNames.removeTemporaries(`${path}${TEMPORARY}`);
    // Removes the spill files of killed processes; the lock shows that no other process runs.
    fs.rmSync(`${path}${SPILL}`, { recursive: true, force: true });
    fileNames.removeTemporaries(`${path}${SPILL}-`, spill);
    const opened = database;
    return { database, path, notices, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  } catch (error) {
    database?.close();
    throw explainFailure(error, path);
  }
}

/** Opens the working file of a configuration; the caller closes it. @throws as `openWorkingFile` */
export async function openWarehouse(
  { warehouse, catalogue }: { warehouse: { path: string }; catalogue: Pick<UpgradeOptions, 'tables'> },
  options: Omit<WorkingFileOptions, 'publishedPath' | 'tables'>,
): Promise<WorkingFile> {
  return await openWorkingFile({ ...options, publishedPath: warehouse.path, tables: catalogue.tables });
}

/** Uses the working file of a configuration, and closes it; a refusal leaves none that this call created. @throws as `openWorkingFile`, and as `use` */
export async function withWarehouse<Result>(
  config: Parameters<typeof openWarehouse>[0],
  options: Parameters<typeof openWarehouse>[1],
  use: (working: WorkingFile) => Promise<Result>,
): Promise<Result> {
  const working = await openWarehouse(config, options);
  try {
    await using _ = working;
    return await use(working);
  } catch (error) {
    if (errorClassOf(error) === 'configuration') discardCreated(working);
    throw error;
  }
}

/** Removes a closed working file that this process created, and its folder if that is otherwise empty. */
export function discardCreated({ path, notices }: Pick<WorkingFile, 'path' | 'notices'>): void {
  if (!notices.some(({ event }) => event === 'created')) return;
  fileNames.removeDatabase(path);
  if (fs.readdirSync(dirname(path)).length === 0) fs.rmdirSync(dirname(path));
}

async function openExisting(path: string, options: Opening, notices: WorkingFileNotice[]) {
  const before = inodeOf(path);
  if (before === undefined) {
    if (fs.existsSync(`${path}.wal`)) setAside([`${path}.wal`], { now: options.now, notices });
    return undefined;
  }
  try {
    // An older version, or a copy, may have left it readable by others.
    if ((fs.statSync(path).mode & OTHERS) !== 0) fileNames.setRights(path, 0o600);
    return await open(path, options.spill);
  } catch (error) {
    const problem = storageProblem(error);
    const isDamaged = problem === 'corrupt' || problem === 'not a database';
    // Another process may meanwhile have put a sound file there: then it holds the lock.
    if (!isDamaged || inodeOf(path) !== before) throw error;
    setAside([path, `${path}.wal`], { now: options.now, notices });
    return undefined;
  }
}

function inodeOf(path: string): number | undefined {
  return fs.statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Creates the file under a temporary name: a kill in between must not leave a 0-byte file that cannot be opened. */
async function createAndOpen(path: string, options: Opening, notices: WorkingFileNotice[]) {
  const temporary = `${path}${TEMPORARY}${fileNames.randomName()}`;
  const published = resolveTarget(options.publishedPath);
  const isRebuilt = fs.existsSync(published);
  try {
    if (isRebuilt) await copyPublished(published, temporary, options);
    else {
      fileNames.copyDatabase(NEW_WORKING_FILE, temporary);
      fileNames.syncToDisk(temporary, 'r+');
    }
    putInPlace(temporary, path);
    const built = { event: 'rebuilt', message: `${path}: built from ${options.publishedPath}` } as const;
    notices.push(isRebuilt ? built : { event: 'created', message: `${path}: created` });
  } catch (error) {
    // The process that holds it has also removed this one's temporary file.
    if (inodeOf(path) !== undefined) throw justCreated(path, error);
    const explained = explainFailure(error, path);
    if (!(explained instanceof WarehouseError) || explained.path !== temporary) throw explained;
    // The temporary file is gone: name its target, or its source.
    const { problem, reason } = explained;
    const source = problem === 'older format' ? published : path;
    const named = reason.map((part) => (typeof part === 'string' ? part.replaceAll(temporary, path) : part));
    throw new WarehouseError(named, { problem, path: source, cause: error });
  } finally {
    fileNames.removeDatabase(temporary);
  }
  const database = await open(path, options.spill);
  if (!isRebuilt) await beginWarehouse(database, options);
  return database;
}

async function copyPublished(published: string, temporary: string, options: Opening): Promise<void> {
  await using database = await open(temporary, options.spill);
  const connection = await database.connect();
  await inspectPublished(connection, published, (_, own) =>
    connection.run(`copy from database ${PUBLISHED} to ${quoteIdentifier(own)}`),
  );
  await upgrade(connection, options);
  // Closing ignores a checkpoint that fails (a full disk).
  await connection.run('checkpoint');
}

/** Completes the build's file, which has every table but the user's own. */
async function beginWarehouse(database: Database, options: Opening): Promise<void> {
  try {
    using connection = await database.connect();
    await connection.run(`update meta.migrations set applied_at = epoch_ms(${String(options.now)})`);
    await declareTables(connection, options.tables, options.recreated);
  } catch (error) {
    database.close();
    throw error;
  }
}

async function open(path: string, spill: string): Promise<Database> {
  const settings = {
    ...writerSettings(),
    temp_directory: spill,
    storage_compatibility_version: WORKING_STORAGE_VERSION,
    checkpoint_threshold: CHECKPOINT_THRESHOLD,
  };
  return await openDatabase({ path, isPrivate: true, settings });
}

function putInPlace(temporary: string, path: string): void {
  try {
    // Unlike a rename, a link fails if another process was faster.
    fs.linkSync(temporary, path);
  } catch (error) {
    if (fs.existsSync(path) || !fs.existsSync(temporary)) throw justCreated(path, error);
    // Some file systems have no links.
    fs.renameSync(temporary, path);
  }
}

function justCreated(path: string, cause: unknown): WarehouseError {
  const told = ['another process just created it;', 'run again'];
  return new WarehouseError(told, { problem: 'locked', path, cause });
}

function setAside(
  paths: readonly string[],
  { now, notices, why = 'damaged' }: { now: number; notices: WorkingFileNotice[]; why?: string },
): void {
  for (const path of paths.filter((path) => fs.existsSync(path))) {
    const target = fileNames.asideName(path, why === 'damaged' ? 'corrupt' : 'older', now);
    fs.renameSync(path, target);
    notices.push({ event: 'set_aside', message: `${path}: ${why}, moved to ${target}` });
  }
}

/**
 * A checkpoint writes changes into new blocks and frees the old ones, so tables that change every night occupy many blocks twice.
 * The used ones are then half empty, too: a file with 23 % free blocks was 1.67 times the size of a copy (a year of nights).
 */
const FREE_SHARE = 0.1;
/** 4 MiB: a smaller gain does not justify the copy (measured: 6 % of the processor time of a night of 6 projects). */
const MIN_FREE_BLOCKS = 16;

const COPY = fileNames.CATALOGS.compacted;
const sizeRow = z.object({ name: z.string(), used_bytes: z.number(), pays: z.boolean() });

interface CloseOptions {
  signal: AbortSignal;
  /** Free bytes on the file's disk. */
  freeBytes?: (folder: string) => number;
}

/**
 * Closes the working file and, if that pays, replaces it with a copy without free blocks. The copy is locked from its first byte
 * until the file is closed, so that no other process gets in between. A kill leaves the old file or the new one.
 * @returns null if it did not pay, or there was no room for a copy
 * @throws WarehouseError if the copy failed; the old file is then unchanged and closed
 */
export async function closeWorkingFile({ database, path }: WorkingFile, options: CloseOptions) {
  const temporary = `${path}${TEMPORARY}${fileNames.randomName()}`;
  try {
    database.disconnect();
    return await compact(await database.connect(), temporary, options);
  } finally {
    database.close();
    fileNames.removeDatabase(temporary);
  }
}

async function compact(connection: Connection, temporary: string, options: CloseOptions) {
  const { signal, freeBytes = freeBytesOf } = options;
  const { path } = connection;
  await connection.run('checkpoint');
  const { name: own, used_bytes: usedBytes, pays } = await sizeOf(connection);
  if (signal.aborted || !pays || freeBytes(dirname(path)) < usedBytes) return null;
  try {
    {
      // The steps after the copy take no time and must not be interrupted.
      using _ = interruptOn(signal, connection.raw);
      fileNames.removeDatabase(temporary);
      await connection.run(
        `attach ${quoteLiteral(temporary)} as ${COPY} (recovery_mode 'no_wal_writes', storage_version '${WORKING_STORAGE_VERSION}')`,
      );
      await connection.run(`copy from database ${quoteIdentifier(own)} to ${COPY}`);
      await connection.run(`checkpoint ${COPY}`);
      const [counts, copied] = [await countRows(connection, own), await countRows(connection, COPY)];
      if (!(await haveSameTables(connection, own, COPY)) || !isDeepStrictEqual(counts, copied)) {
        const reason = 'its copy has other tables or rows, so it is left unchanged';
        throw new WarehouseError(reason, { problem: 'unreadable', path });
      }
    }
    const target = fs.realpathSync(path);
    const bytesBefore = fs.statSync(target).size;
    fs.renameSync(temporary, target);
    // Close it first, with its log, while the lock on the copy still excludes others.
    await connection.run(`use ${COPY}`);
    await connection.run(`detach ${quoteIdentifier(own)}`);
    return { bytesBefore, bytesAfter: fs.statSync(target).size };
  } catch (error) {
    if (signal.aborted) return null;
    throw explainFailure(error, path);
  }
}

/** Whether a copy would pay, judging by the last checkpoint. */
export async function hasManyFreeBlocks(connection: Connection): Promise<boolean> {
  return (await sizeOf(connection)).pays;
}

async function sizeOf(connection: Connection) {
  const [size] = await connection.rowsAs(
    sizeRow,
    `select database_name as name, used_blocks * block_size as used_bytes,
       free_blocks >= ${MIN_FREE_BLOCKS} and free_blocks >= ${FREE_SHARE} * (used_blocks + free_blocks) as pays
     from pragma_database_size() where database_name = current_database()`,
  );
  if (size === undefined) throw new Error('DuckDB names no size of its database');
  return size;
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}
