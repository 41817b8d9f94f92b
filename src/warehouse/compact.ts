import { realpathSync, renameSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Connection, interruptOn } from './connection.ts';
import type { Database } from './database.ts';
import { explainFailure, WarehouseError } from './failure.ts';
import { quoteIdentifier, quoteLiteral } from './sql.ts';
import { CATALOGS, removeDatabase } from './file-names.ts';
import { countRows, haveSameTables } from './tables.ts';

/** A file that was rewritten without its free blocks. */
export interface Compaction {
  bytesBefore: number;
  bytesAfter: number;
}

export interface CompactOptions {
  /** Path of the copy, beside the file: it takes the file's place. */
  temporary: string;
  storageVersion: string;
  signal: AbortSignal;
  /** Bytes that are free where the file lies. */
  freeBytes?: (folder: string) => number;
}

/**
 * A checkpoint writes what changed into new blocks and frees the old ones, so a file whose tables change every night holds
 * many of them twice. Used blocks are half filled then, too: a file of which 23 % were free was 1.67 times a copy (a year of nights).
 */
const FREE_SHARE = 0.1;
/** 4 MiB: a smaller gain is not worth the copy (measured: 6 % of the processor time of a night of 6 projects). */
const MIN_FREE_BLOCKS = 16;

const COPY = CATALOGS.compacted;
const sizeRow = z.object({ name: z.string(), used_bytes: z.number(), pays: z.boolean() });

/**
 * Closes a database, and where that pays puts a copy without its free blocks in its place. The copy is locked from its first
 * byte until the file is closed, so that no other process gets in between. A kill leaves the old file or the new one.
 * @returns null when it did not pay, or there was no room for a copy
 * @throws WarehouseError when the copy failed; the old file is then as it was, and closed
 */
export async function closeCompacted(
  database: Database,
  options: CompactOptions,
): Promise<Compaction | null> {
  try {
    return await compact(await database.connectAlone(), database.path, options);
  } finally {
    database.close();
    removeDatabase(options.temporary);
  }
}

async function compact(
  connection: Connection,
  path: string,
  { temporary, storageVersion, signal, freeBytes = freeBytesOf }: CompactOptions,
): Promise<Compaction | null> {
  await connection.run('checkpoint');
  const { name: own, used_bytes: usedBytes, pays } = await sizeOf(connection);
  if (signal.aborted || !pays || freeBytes(dirname(path)) < usedBytes) return null;
  try {
    {
      // What comes after the copy takes no time, and must not be left half done.
      using _ = interruptOn(signal, connection.raw);
      removeDatabase(temporary);
      await connection.run(
        `attach ${quoteLiteral(temporary)} as ${COPY} (recovery_mode 'no_wal_writes', storage_version ${quoteLiteral(storageVersion)})`,
      );
      await connection.run(`copy from database ${quoteIdentifier(own)} to ${COPY}`);
      await connection.run(`checkpoint ${COPY}`);
      const counts = await countRows(connection, own);
      const isCopy =
        (await haveSameTables(connection, own, COPY)) &&
        isDeepStrictEqual(counts, await countRows(connection, COPY));
      if (!isCopy) {
        const reason = 'its copy has other tables or rows, so it is left unchanged';
        throw new WarehouseError(reason, { problem: 'unreadable', path });
      }
    }
    const target = realpathSync(path);
    const bytesBefore = statSync(target).size;
    renameSync(temporary, target);
    // Closed first, with its log, while the lock on the copy still keeps others out.
    await connection.run(`use ${COPY}`);
    await connection.run(`detach ${quoteIdentifier(own)}`);
    return { bytesBefore, bytesAfter: statSync(target).size };
  } catch (error) {
    if (signal.aborted) return null;
    throw explainFailure(error, path);
  }
}

/** Whether a copy would pay, as far as the last checkpoint tells. */
export async function hasManyFreeBlocks(connection: Connection): Promise<boolean> {
  return (await sizeOf(connection)).pays;
}

async function sizeOf(connection: Connection): Promise<z.output<typeof sizeRow>> {
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
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
