import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  AnswerlakeError,
  codeOf,
  messageOf,
  storageError,
  shellWord,
  textOf,
  toRun,
  orNull,
} from '../errors.ts';
import type { Message } from '../errors.ts';

const REMEDIES = {
  locked: ['another process has it open;', 'wait for it to end, or end it, and run again'],
  'no locks': [
    'its file system has no file locks, without which two runs could overwrite each other:',
    'mount it with locks (NFS: lockd, or local_lock=all for a single host), or put warehouse.path on a local disk',
  ],
  spill: [
    'a temporary file for rows beyond memory could not be written or read; the database itself is untouched:',
    'free space and memory, and run again',
  ],
  'nowhere to spill': [
    'it does not fit into memory, and neither its own folder nor the temporary one can be written to;',
    'set TMPDIR to a folder with free space, and run again',
  ],
  'not a database': ['it is not a DuckDB file;', 'move it away and run again'],
  corrupt: ['it is damaged;', 'move it and its .wal away and run again'],
  'newer format': ['it was written by a newer DuckDB;', 'update answerlake'],
  'older format': ['it was written by answerlake 0.1, which is no longer supported;', 'move it away'],
  'disk full': ['the disk is full;', 'free some space and run again'],
  'not writable': ['it or its folder cannot be read or written;', 'check owner and permissions'],
  'read-only': [
    'its file system is mounted read-only;',
    'mount it for writing (after a disk error the system may have changed it: see its log), or choose a folder on another one, and run again',
  ],
  'not found': ['it does not exist or its folder is missing;', 'check the path'],
  'out of memory': ['this process may use no more memory;', 'give it more, or free some, and run again'],
  foreign: ['it was not written by answerlake;', 'move it away or configure another path'],
  apart: ['it holds runs that the working file lacks;', 'move one of the two away and run again'],
  'check failed': ['it is not sound;', 'run answerlake replay'],
  unreadable: ['it cannot be read or written;', 'check the disk and the path'],
} as const;

/** A problem with a database file. */
export type StorageProblem = keyof typeof REMEDIES;

/** DuckDB could not use a file: class `locked` (exit 6) or `storage` (exit 7). */
export class WarehouseError extends AnswerlakeError {
  readonly problem: StorageProblem;
  readonly path: string;
  /** The message without the path: the problem and the remedy. */
  readonly reason: Exclude<Message, string>;

  constructor(reason: Message, details: { problem: StorageProblem; path: string; cause?: unknown }) {
    const [what = '', ...todo] = [reason].flat();
    super([`${details.path}: ${textOf([what])}`, ...todo], {
      class: details.problem === 'locked' ? 'locked' : 'storage',
      cause: details.cause,
    });
    this.name = 'WarehouseError';
    this.problem = details.problem;
    this.path = details.path;
    this.reason = [what, ...todo];
  }
}

/** Whether more memory may help. */
export function isOfMemory(error: unknown): boolean {
  return error instanceof WarehouseError && ['out of memory', 'nowhere to spill'].includes(error.problem);
}

// Messages of DuckDB 1.5.5 and of the operating system; the first match wins.
const SIGNS: readonly (readonly [RegExp, StorageProblem])[] = [
  [/could not set lock.*(?:no locks available|not supported|not implemented|invalid argument)/i, 'no locks'],
  [/could not set lock|conflicting lock|already open in this process/i, 'locked'],
  [/no space left|disk quota|EDQUOT|ENOSPC|out of disk|max_temp_directory_size/i, 'disk full'],
  // Precedes the damage patterns: the damaged file lives only as long as its process.
  [/duckdb_temp/i, 'spill'],
  [/read-only file ?system|EROFS/i, 'read-only'],
  [/permission denied|operation not permitted|EACCES|EPERM/i, 'not writable'],
  [/newer version of duckdb|but we can only read version|storage version .* not supported/i, 'newer format'],
  [/not a valid duckdb database file|zero bytes/i, 'not a database'],
  [/checksum|corrupt|serialization error|deserializ|could not read enough bytes/i, 'corrupt'],
  [/\bwal\b.*(?:match|mismatch|different|replay)|replaying wal|truncated file/i, 'corrupt'],
  [/no such file or directory|database does not exist|ENOENT/i, 'not found'],
  [/no temporary directory is specified/i, 'nowhere to spill'],
  [/^out of memory error|failed to allocate/i, 'out of memory'],
  // The appender omits the kind of an error.
  [/^io error|^fatal error|fsync failed|could not (?:read|write)|has been invalidated/i, 'unreadable'],
  [/is a directory|EISDIR/i, 'unreadable'],
];

/** The problem behind a failure of DuckDB or the file system; undefined if it does not concern the file. */
export function storageProblem(error: unknown): StorageProblem | undefined {
  if (error instanceof WarehouseError) return error.problem;
  if (error instanceof AnswerlakeError) return undefined;
  const message = messageOf(error);
  // A missing table also "does not exist"; only failures of files count here.
  if (/^(?:catalog|binder|parser|constraint|conversion|invalid input) error/i.test(message)) return undefined;
  const isFromSystem = error instanceof Error && 'syscall' in error;
  return SIGNS.find(([sign]) => sign.test(message))?.[1] ?? (isFromSystem ? 'unreadable' : undefined);
}

/** A `WarehouseError` with path and remedy if the failure concerns the file, else the error unchanged. */
export function explainFailure(error: unknown, path: string): unknown {
  if (error instanceof AnswerlakeError) return error;
  const problem = storageProblem(error);
  if (problem === undefined) return error;
  const [what, todo] = REMEDIES[problem];
  const owner = problem === 'not writable' ? foreignOwner(path) : '';
  const reason = `${todo}${owner} (${messageOf(error).split('\n')[0] ?? ''})`;
  return new WarehouseError([what, reason], { problem, path, cause: error });
}

/** Disk errors on an open file, which come without its path. */
const OF_DISK = new Set(['EIO', 'ENOSPC', 'EDQUOT', 'EFBIG', 'ESTALE']);

/** Explains a failure of the file system with its path; returns any other error unchanged. */
export function explainSystemError(error: unknown): unknown {
  const path = error instanceof Error && 'syscall' in error && 'path' in error ? error.path : undefined;
  if (typeof path === 'string') return explainFailure(error, path);
  return OF_DISK.has(codeOf(error) ?? '') ? explainFailure(error, 'a file') : error;
}

/** The files that answerlake puts into its folders; chown is never suggested for a folder with anything else. */
const OWN_NAME =
  /\.duckdb\b|^\..+\.(?:journal|runs)\.json$|^raw$|^lost\+found$|^\d{4}-\d\d-\d\d$|\.ndjson\.gz$/;

/** The remedy if the path, or the folder that it needs, belongs to another user, as after one run as root; empty otherwise. */
export function foreignOwner(path: string): string {
  const folder = dirname(path);
  let blocking = path;
  while (!existsSync(blocking) && dirname(blocking) !== blocking) blocking = dirname(blocking);
  const own = process.getuid?.();
  // This user's file can be replaced only in a folder of this user.
  if (blocking === path && statSync(path).uid === own) blocking = folder;
  const { uid } = statSync(blocking);
  if (own === undefined || uid === own) return '';
  const owner = `; ${blocking} belongs to user ${String(uid)}${uid === 0 ? ' (root)' : ''}, and this is user ${String(own)}`;
  if (blocking === path || OWN_NAME.test(basename(blocking)) || (blocking === folder && isOwnFolder(folder)))
    return `${owner}: as root, run chown ${String(own)} ${shellWord(blocking)}`;
  if (blocking === folder) return `${owner}: choose a folder that holds nothing else`;
  return `${owner}: as root, run install -d -o ${String(own)} ${shellWord(folder)}`;
}

function isOwnFolder(path: string): boolean {
  return orNull(() => readdirSync(path))?.every((name) => OWN_NAME.test(name)) ?? false;
}

/** A published file of another version, whose views differ from those that the caller queries. */
export function outdatedFile(cause?: unknown): AnswerlakeError {
  const message = [
    'The published file is of another version of answerlake:',
    toRun`run ${'answerlake publish'}, and try again.`,
  ];
  return storageError(message, cause);
}

/** Whether a statement names a table, view, function or column that the file lacks. */
export function isOfNames(error: unknown): boolean {
  return /(?:^|: )(?:binder|catalog) error/i.test(messageOf(error));
}

/** Our own statements need the tables and views of their version. */
export function explainOutdatedViews(error: unknown): unknown {
  return isOfNames(error) ? outdatedFile(error) : error;
}
