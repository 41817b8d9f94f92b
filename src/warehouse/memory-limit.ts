import { totalmem } from 'node:os';
import type { Connection } from './connection.ts';
import { WarehouseError } from './failure.ts';

const LEAST = '16MiB';
const MIB = 1024 * 1024;
/** A reader's share of the memory of the machine or the container, less what Node takes: a second reader has room beside it. */
const READER_SHARE = 0.4;
const NODE_MIB = 64;
const MIN_READER_MIB = 64;

/** What DuckDB may use for reading, of `bytes` in all; by default it takes 80 % for each process. */
export function readerMemory(bytes = availableBytes()): string {
  return `${String(Math.max(MIN_READER_MIB, Math.floor((bytes * READER_SHARE) / MIB) - NODE_MIB))}MiB`;
}

/** Of the container, or of the machine where it has no limit. */
function availableBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** A process of this size has read much that it does not need again soon. */
const LARGE_BYTES = 240 * MIB;
/** Growth of the process that is worth the 2 to 5 ms of giving back. */
const WORTH_BYTES = 8 * MIB;

/**
 * Gives back the blocks of files that DuckDB keeps in memory in case they are read again: DuckDB does so only at its limit
 * (measured: 74 MiB of 275 after a first sync of 146,000 rows). What is in use stays.
 */
export async function releaseCache(connection: Connection): Promise<void> {
  await withinMemory(connection, LEAST, () => Promise.resolve());
}

/**
 * The same when the process is large, before a commit, which takes 50 MiB (measured while 48 projects of a year are loaded: a peak of 270 to
 * 280 MiB instead of 304 to 314, no time lost). A statement that fails would end the transaction, so another connection sets the limit, which counts for all.
 */
export async function releaseWhereLarge(connection: Connection): Promise<void> {
  if (process.memoryUsage.rss() < LARGE_BYTES) return;
  using other = await connection.another();
  await releaseCache(other);
}

/** Gives memory that DuckDB has freed back to the system, which it does whenever its limit is set; others may be at work (measured: 60 MiB of 240 during the checks of a publish). */
export async function returnFreed(connection: Connection): Promise<void> {
  await tryLimit(connection, await connection.memoryLimit());
}

/** Gives back what `giveBack` gives back, at first and then wherever the process has grown since. */
export function whereItGrows(
  giveBack: (connection: Connection) => Promise<void>,
): (connection: Connection) => Promise<void> {
  let residentBytes = Number.NEGATIVE_INFINITY;
  return async (connection) => {
    if (process.memoryUsage.rss() < residentBytes + WORTH_BYTES) return;
    await giveBack(connection);
    residentBytes = process.memoryUsage.rss();
  };
}

/**
 * Does work while DuckDB may use no more than `limit`, for work that would fill what it may have and is no faster for it; where that
 * does not suffice, once more with what it may use now. Only for work that leaves nothing behind when it fails.
 */
export async function withinMemory<Result>(
  connection: Connection,
  limit: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await connection.memoryLimit();
  try {
    await tryLimit(connection, limit);
    return await withMoreMemory(connection, before, work);
  } finally {
    await connection.limitMemory(before);
  }
}

/**
 * Does work within the memory that DuckDB may use now; if that does not suffice, once more with `most`.
 * Only for work that leaves nothing behind when it fails.
 */
export async function withMoreMemory<Result>(
  connection: Connection,
  most: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    requireOutOfMemory(error);
    await connection.limitMemory(most);
    return await work();
  }
}

async function tryLimit(connection: Connection, limit: string): Promise<void> {
  try {
    await connection.limitMemory(limit);
  } catch (error) {
    // More is in use than that; unused memory is released before DuckDB reports that.
    requireOutOfMemory(error);
  }
}

function requireOutOfMemory(error: unknown): void {
  if (!(error instanceof WarehouseError) || error.problem !== 'out of memory') throw error;
}
