import type { DuckDBInstance } from '@duckdb/node-api';
import { accessSync, constants, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { orNull } from '../errors.ts';
import { Connection } from './connection.ts';
import { explainFailure, WarehouseError } from './failure.ts';
import { readerMemory } from './memory.ts';
import { beside } from './database-files.ts';
import { openOwnFolder, removeDeadFolders } from './own-folder.ts';
import { duckdb } from './duckdb.ts';

/** DuckDB's settings by name, for example `memory_limit: '2GB'`; undefined: DuckDB's default. */
export type Settings = Readonly<Record<string, string | number | undefined>>;

interface DatabaseOptions {
  path: string;
  /** With `readerMemory`, and with rows that exceed memory in a folder of its own, not in `<file>.tmp`. */
  readOnly?: boolean;
  /** Makes files created while it is open readable by their owner only. */
  isPrivate?: boolean;
  settings?: Settings;
}

// Two writing instances of one file in one process lose data silently (measured with 1.5.6).
const writers = new Set<string>();

/** One open DuckDB file. The caller closes it (`await using`). */
export class Database {
  readonly path: string;
  readonly #instance: DuckDBInstance;
  readonly #onClose: () => void;
  /** Open connections. */
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

  /** Closes every connection; DuckDB writes a checkpoint. */
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
  if (options.readOnly === true) {
    const folder = await openSpillFolder(path);
    const own = { access_mode: 'READ_ONLY', temp_directory: folder.path };
    return await create(path, { memory_limit: readerMemory(), ...options.settings, ...own }, () =>
      folder[Symbol.dispose](),
    );
  }
  const identity = identityOf(path);
  const taken = ['already open in this process;', 'close it first'];
  if (writers.has(identity)) throw new WarehouseError(taken, { problem: 'locked', path });
  writers.add(identity);
  if (options.isPrivate === true) holdPrivateUmask(identity);
  return await create(path, options.settings, () => {
    releasePrivateUmask(identity);
    writers.delete(identity);
  });
}

/** A database in memory that leaves nothing on disk. */
export async function openMemoryDatabase(): Promise<Database> {
  // By default, rows beyond memory would go to the current folder, readable by all.
  return await create(':memory:', { temp_directory: '' }, () => undefined);
}

async function create(path: string, settings: Settings = {}, onClose: () => void): Promise<Database> {
  const named = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  try {
    const instance = await duckdb.DuckDBInstance.create(path, {
      // Extensions cannot be assumed to be downloadable, and only the configured API is contacted.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...Object.fromEntries(named),
    });
    return new Database(path, instance, onClose);
  } catch (error) {
    onClose();
    throw explainFailure(error, path);
  }
}

/**
 * Where readers of a file write rows that exceed memory: by default all readers share `<file>.tmp` and read each other's rows (DuckDB
 * 1.5.5, measured: a wrong figure in 2 of 26 pairs).
 */
export function spillStarts(path: string): string[] {
  return [beside(path, 'tmp-'), join(tmpdir(), 'answerlake-tmp-')];
}

/** The first folder that this user can write to; without one, only queries that need more memory fail. */
async function openSpillFolder(path: string): Promise<Disposable & { path: string }> {
  for (const start of spillStarts(path)) {
    try {
      accessSync(dirname(start), constants.W_OK);
      await removeDeadFolders(start);
      return await openOwnFolder(start);
    } catch {
      // Readers often have no write access to the folder, and containers none to any other.
    }
  }
  return { path: '', [Symbol.dispose]: () => undefined };
}

function identityOf(path: string): string {
  return orNull(() => join(realpathSync(dirname(path)), basename(path))) ?? path;
}

/** No permissions for group and others. */
const PRIVATE = 0o077;

/** Open files that need this mask. */
const holders = new Set<string>();
let before = 0;

/** While held, every new file is readable by its owner only: DuckDB creates its write-ahead log and spill files at any time. */
function holdPrivateUmask(file: string): void {
  if (holders.size === 0) before = process.umask(PRIVATE);
  holders.add(file);
}

function releasePrivateUmask(file: string): void {
  if (holders.delete(file) && holders.size === 0) process.umask(before);
}

/** Runs `work`; its new files are readable by everyone who can read a file with the permissions `mode`. */
export async function withNewFilesFor<T>(mode: number, work: () => Promise<T>): Promise<T> {
  // Folders need the execute permission, and the owner keeps all permissions.
  const kept = mode | ((mode & 0o444) >> 2) | 0o700;
  const held = process.umask(0o777 & ~kept);
  try {
    return await work();
  } finally {
    process.umask(held);
  }
}
