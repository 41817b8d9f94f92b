import { rmSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';
import { messageOf } from '../errors.ts';
import { type Connection, limitMemory } from '../warehouse/connection.ts';
import { isOfMemory } from '../warehouse/failure.ts';
import { asideFiles, BEFORE_REPLAY } from '../warehouse/database-files.ts';
import { closeWorkingFile, type WorkingFile, type WorkingFileNotice } from '../warehouse/working-file.ts';
import type { SyncContext } from './sync-request.ts';
import type { Log } from '../log.ts';

const MEBIBYTE = 1024 * 1024;
/** More threads are no faster; DuckDB writes to disk what exceeds its memory. */
const MAX_MEBIBYTES = 2048;
const LEAST_MEBIBYTES = 256;

/** DuckDB's memory in a run: it uses all that it gets, and more is no faster (with 64 MiB, every tenth merge of 48 projects runs twice). */
export const RUN_MEMORY = '96MiB';

/** DuckDB's memory limit: half of the machine's or container's memory, at most 2 GiB. */
export function memoryLimit(): string {
  return `${String(maxMebibytes())}MiB`;
}

function maxMebibytes(): number {
  const half = Math.floor(Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 2 / MEBIBYTE);
  return Math.max(LEAST_MEBIBYTES, Math.min(half, MAX_MEBIBYTES));
}

const ENOUGH_THREADS = 4;

/** DuckDB's threads: half of the cores, because a run is many small merges (measured: two thirds of the time with all cores). */
export function threadCount(): number {
  return Math.max(1, Math.min(ENOUGH_THREADS, Math.floor(availableParallelism() / 2)));
}

/**
 * Runs `work` within DuckDB's current memory; if that is too little, repeats it with twice as much, up to the machine's limit. Only for
 * work that leaves nothing behind when it fails.
 */
export async function withMoreMemory<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isOfMemory(error)) throw error;
    const before = await connection.value(z.string(), "select current_setting('memory_limit')");
    const twice = 2 * mebibytesOf(before ?? '');
    const most = maxMebibytes();
    await limitMemory(connection, `${String(Math.min(twice, most))}MiB`);
    try {
      return await (twice < most ? withMoreMemory(connection, work) : work());
    } finally {
      // Memory still in use is no reason to fail.
      await limitMemory(connection, before ?? RUN_MEMORY).catch(() => undefined);
    }
  }
}

/** @param limit as DuckDB formats it: `64.0 MiB` */
function mebibytesOf(limit: string): number {
  const [, number = '', unit = ''] = /^([\d.]+) (MiB|GiB)$/.exec(limit) ?? [];
  return Math.ceil(Number(number)) * (unit === 'GiB' ? 1024 : 1) || MAX_MEBIBYTES;
}

/** A night ends before V8's early optimization has paid off: 12 % of its processor time (Node 20), 9 % (Node 24). A flag that V8 lacks would print a message. */
const OPTIMIZE_LATE =
  Number.parseInt(process.versions.node, 10) < 22
    ? ['--interrupt-budget=2000000']
    : ['--invocation-count-for-maglev=4000', '--invocation-count-for-turbofan=30000'];

/** Collects garbage once the heap has grown by 40 % (30 MiB less with 48 projects than once it has doubled, as fast), keeps the size of the space for new rows (150 MiB less with 48 projects) and optimizes code late. */
export function fitEngineToRun(): void {
  const flags = ['--heap-growing-percent=40', '--semi-space-growth-factor=1', ...OPTIMIZE_LATE];
  for (const flag of flags) setFlagsFromString(flag);
}

/** Closes the working file and compacts it if that pays. A failed compaction does not fail the run. */
export async function closeFile(working: WorkingFile, { log, signal }: SyncContext): Promise<void> {
  try {
    const compaction = await closeWorkingFile(working, { signal });
    if (compaction === null) return;
    const { bytesBefore, bytesAfter } = compaction;
    log.info('working_file.compacted', { bytes_before: bytesBefore, bytes_after: bytesAfter });
  } catch (error) {
    log.warn('working_file.not_compacted', { error: messageOf(error) });
  }
}

/** Removes the files that a replay moved aside, once a run has shown that the new file works. */
export function removeFormerFiles(path: string, log: Log): void {
  try {
    for (const former of asideFiles(path, BEFORE_REPLAY)) {
      rmSync(former, { force: true });
      log.info('working_file.former_removed', { path: former });
    }
  } catch (error) {
    log.warn('working_file.former_not_removed', { error: messageOf(error) });
  }
}

/** Logs the notices from opening the working file. */
export function logNotices(notices: readonly WorkingFileNotice[], log: Log): void {
  for (const { event, message } of notices) {
    const level = event === 'set_aside' ? 'warn' : 'info';
    log[level](`working_file.${event}`, { message });
  }
}

/** The damage, for people who read no log. */
export function damageOf(notices: readonly WorkingFileNotice[]): string[] {
  return notices.filter(({ event }) => event === 'set_aside').map(({ message }) => message);
}
