import type { DuckDBInstance } from '@duckdb/node-api';
import { accessSync, constants, realpathSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Connection } from './connection.ts';
import { explainFailure, WarehouseError } from './failure.ts';
import { beside } from './database-files.ts';
import { openOwnFolder, removeDeadFolders } from './own-folder.ts';
import { duckdb } from './duckdb.ts';

interface DatabaseOptions {
  path: string;
  readOnly?: boolean;
  /** Oldest DuckDB that can read what is written, for example `v1.0.0`; matters when the file is created. */
  storageVersion?: string;
  /** For example `2GB`. Default: `readerMemory` where it is read only, else DuckDB's own. */
  memoryLimit?: string;
  threads?: number | undefined;
  /** Size of the write-ahead log from which on a commit writes the tables, for example `48MiB`. */
  checkpointThreshold?: string;
  /** What is created while it is open is for its owner alone. */
  isPrivate?: boolean;
  /** Where a writer puts what does not fit into memory. Default: `<file>.tmp`. */
  temporaryDirectory?: string;
}

// Two writing instances on one file in one process lose data silently (measured with 1.5.6).
const writers = new Set<string>();

/** One open DuckDB file. The caller closes it (`await using`). */
export class Database {
  readonly path: string;
  readonly #instance: DuckDBInstance;
  readonly #onClose: () => void;
  /** Those that are open. */
  readonly connections = new Set<Connection>();

  constructor(path: string, instance: DuckDBInstance, onClose: () => void) {
    this.path = path;
    this.#instance = instance;
    this.#onClose = onClose;
  }

  async connect(): Promise<Connection> {
    const connection = new Connection(this, await this.#instance.connect());
    this.connections.add(connection);
    return connection;
  }

  disconnect(): void {
    for (const connection of this.connections) connection.close();
  }

  /** Closes every connection; DuckDB writes its checkpoint. */
  close(): void {
    this.disconnect();
    this.#instance.closeSync();
    this.#onClose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}

/**
 * Opens a DuckDB file, creating it unless `readOnly`.
 * @throws WarehouseError class `locked` (exit 6) when another process, or this one, has it open; `storage` (exit 7)
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const path = resolve(options.path);
  const readOnly = options.readOnly === true;
  const identity = identityOf(path);
  const taken = ['already open in this process;', 'close it first'];
  if (!readOnly && writers.has(identity)) throw new WarehouseError(taken, { problem: 'locked', path });
  if (!readOnly) writers.add(identity);
  if (options.isPrivate === true) holdPrivateUmask(identity);
  let onClose = (): void => {
    if (options.isPrivate === true) releasePrivateUmask(identity);
    if (!readOnly) writers.delete(identity);
  };
  try {
    let own = options;
    if (readOnly) {
      const folder = await openSpillFolder(path);
      onClose = () => folder[Symbol.dispose]();
      own = { memoryLimit: readerMemory(), ...options, temporaryDirectory: folder.path };
    }
    return new Database(path, await duckdb.DuckDBInstance.create(path, settings(own)), onClose);
  } catch (error) {
    onClose();
    throw explainFailure(error, path);
  }
}

/** A database that is gone when it is closed, and leaves nothing on the disk. */
export async function openMemoryDatabase(): Promise<Database> {
  const path = ':memory:';
  // By default it would write what it has no room for into the current folder, readable by all.
  const own = settings({ path, temporaryDirectory: '' });
  return new Database(path, await duckdb.DuckDBInstance.create(path, own), () => undefined);
}

/** Where readers of a file write rows that do not fit into memory: by default all of them would share `<file>.tmp` and read each other's rows (DuckDB 1.5.5, measured: a wrong figure in 2 of 26 pairs). */
export function spillStarts(path: string): string[] {
  return [beside(path, 'tmp-'), join(tmpdir(), 'answerlake-tmp-')];
}

/** In the first place that this user can write to; without one, a query that needs more memory fails, and others do not. */
async function openSpillFolder(path: string): Promise<Disposable & { path: string }> {
  for (const start of spillStarts(path)) {
    try {
      accessSync(dirname(start), constants.W_OK);
      await removeDeadFolders(start);
      return await openOwnFolder(start);
    } catch {
      // A reader often has the folder read-only, and a container no other.
    }
  }
  return { path: '', [Symbol.dispose]: () => undefined };
}

function settings(options: DatabaseOptions): Record<string, string> {
  const own = {
    access_mode: options.readOnly === true ? 'READ_ONLY' : undefined,
    storage_compatibility_version: options.storageVersion,
    memory_limit: options.memoryLimit,
    threads: options.threads?.toString(),
    checkpoint_threshold: options.checkpointThreshold,
    temp_directory: options.temporaryDirectory,
  };
  const named = Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return {
    // Extensions cannot be assumed to be downloadable, and nothing but the configured API is contacted.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...Object.fromEntries(named),
  };
}

function identityOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

/** Group and others get nothing. */
const PRIVATE = 0o077;

/** The open files that need it. */
const holders = new Set<string>();
let before = 0;

/** While held, every new file is for its owner alone: DuckDB creates its write-ahead log and its spill files whenever it needs them. */
function holdPrivateUmask(file: string): void {
  if (holders.size === 0) before = process.umask(PRIVATE);
  holders.add(file);
}

function releasePrivateUmask(file: string): void {
  if (holders.delete(file) && holders.size === 0) process.umask(before);
}

/** Runs `work`, whose new files may be read by those who may read a file with the rights `mode`. */
export async function withNewFilesFor<T>(mode: number, work: () => Promise<T>): Promise<T> {
  // Folders need the right to pass through, and the owner keeps all.
  const kept = mode | ((mode & 0o444) >> 2) | 0o700;
  const held = process.umask(0o777 & ~kept);
  try {
    return await work();
  } finally {
    process.umask(held);
  }
}

const MIB = 1024 * 1024;
/** A reader's share of the memory of the machine or the container, less what Node takes: a second reader has room beside it. */
const READER_SHARE = 0.4;
const NODE_MIB = 64;
const MIN_READER_MIB = 64;

/** What DuckDB may use for reading, of `bytes` in all; by default it takes 80 % for each process. */
export function readerMemory(
  bytes = Math.min(process.constrainedMemory() || totalmem(), totalmem()),
): string {
  return `${String(Math.max(MIN_READER_MIB, Math.floor((bytes * READER_SHARE) / MIB) - NODE_MIB))}MiB`;
}
