import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import { isOfMemory } from './failure.ts';
import { quoteLiteral } from './sql.ts';
import type { Connection } from './connection.ts';

const MIB = 1024 * 1024;
const MAX_THREADS = 4;
const MIN_WRITER_MIB = 256;
/** Beyond it, DuckDB writes to disk. */
const MAX_WRITER_MIB = 2048;
/** A reader's share of the machine's or container's memory, after Node's: leaves room for a second reader. */
const READER_SHARE = 0.4;
const NODE_MIB = 64;
const MIN_READER_MIB = 64;

const machineBytes = (): number => Math.min(process.constrainedMemory() || totalmem(), totalmem());

/** DuckDB's memory for reading, out of `bytes`; by default each process takes 80 %. */
export function readerMemory(bytes = machineBytes()): string {
  return `${String(Math.max(MIN_READER_MIB, Math.floor((bytes * READER_SHARE) / MIB) - NODE_MIB))}MiB`;
}

/** DuckDB's settings for a working file. */
export function writerSettings(): { memory_limit: string; threads: number } {
  return {
    // DuckDB uses all that it gets, and more is no faster (with 64 MiB, every tenth merge of 48 projects runs twice).
    memory_limit: '96MiB',
    // Half of the cores, because a run is many small merges (measured: two thirds of the time with all cores).
    threads: Math.max(1, Math.min(MAX_THREADS, Math.floor(availableParallelism() / 2))),
  };
}

/** Limits DuckDB's memory, for all connections to the file. @throws WarehouseError (out of memory) when more is in use */
export async function limitMemory(connection: Connection, limit: string): Promise<void> {
  await connection.run(`set memory_limit = ${quoteLiteral(limit)}`);
}

/**
 * Runs `work` within DuckDB's current memory; if that is too little, repeats it with twice as much, up to half of the machine's memory
 * (2 GiB at most). Only for work that leaves nothing behind when it fails; a transaction around it cannot be repeated.
 */
export async function withMoreMemory<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isOfMemory(error) || connection.isInTransaction) throw error;
    const before = await connection.value(z.string(), "select current_setting('memory_limit')");
    const half = Math.floor(machineBytes() / 2 / MIB);
    const most = Math.max(MIN_WRITER_MIB, Math.min(half, MAX_WRITER_MIB));
    const twice = 2 * mebibytesOf(before ?? '');
    await limitMemory(connection, `${String(Math.min(twice, most))}MiB`);
    try {
      return await (twice < most ? withMoreMemory(connection, work) : work());
    } finally {
      // Memory still in use is no reason to fail.
      await limitMemory(connection, before ?? writerSettings().memory_limit).catch(() => undefined);
    }
  }
}

/** @param limit as DuckDB formats it: `64.0 MiB` */
function mebibytesOf(limit: string): number {
  const [, number = '', unit = ''] = /^([\d.]+) (MiB|GiB)$/.exec(limit) ?? [];
  return Math.ceil(Number(number)) * (unit === 'GiB' ? 1024 : 1) || MAX_WRITER_MIB;
}
