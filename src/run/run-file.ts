import { rmSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';
import { messageOf } from '../errors.ts';
import type { PublishMemory } from '../publish/publish.ts';
import { type Connection, limitMemory } from '../warehouse/connection.ts';
import { isOfMemory } from '../warehouse/failure.ts';
import { asideFiles, BEFORE_REPLAY } from '../warehouse/database-files.ts';
import { closeWorkingFile, type WorkingFile, type WorkingFileNotice } from '../warehouse/working-file.ts';
import type { SyncContext } from './sync-request.ts';
import type { Log } from '../log.ts';

const MEBIBYTE = 1024 * 1024;
/** More makes nothing faster; DuckDB writes to disk what it cannot hold. */
const MAX_MEBIBYTES = 2048;
const LEAST_MEBIBYTES = 256;

/** Memory that DuckDB may use while answers are loaded: it takes what it may have, and more is no faster (with 64 MiB, every tenth merge of 48 projects is done twice). */
export const LOADING_MEMORY = '96MiB';
/** Memory that DuckDB may use in a publish: enough for checks of whole views (measured: 2 million rows; 192 MiB are too few). */
export const PUBLISHING_MEMORY: PublishMemory = { copying: '64MiB', checking: '224MiB' };

/** Memory that DuckDB may use at most: half of what the machine or the container has, no more than 2 GiB. */
export function memoryLimit(): string {
  return `${String(maxMebibytes())}MiB`;
}

function maxMebibytes(): number {
  const half = Math.floor(Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 2 / MEBIBYTE);
  return Math.max(LEAST_MEBIBYTES, Math.min(half, MAX_MEBIBYTES));
}

const ENOUGH_THREADS = 4;

/** Threads that DuckDB may use: half of the cores, because a run is many small merges (measured: two thirds of the time with all cores). */
export function threadCount(): number {
  return Math.max(1, Math.min(ENOUGH_THREADS, Math.floor(availableParallelism() / 2)));
}

/** Does work within the memory that DuckDB may use now; where that does not suffice, again with twice as much, up to all that the machine allows. Only for work that leaves nothing behind when it fails. */
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
      // What is still in use is no reason to fail.
      await limitMemory(connection, before ?? LOADING_MEMORY).catch(() => undefined);
    }
  }
}

/** @param limit as DuckDB writes it: `64.0 MiB` */
function mebibytesOf(limit: string): number {
  const [, number = '', unit = ''] = /^([\d.]+) (MiB|GiB)$/.exec(limit) ?? [];
  return Math.ceil(Number(number)) * (unit === 'GiB' ? 1024 : 1) || MAX_MEBIBYTES;
}

/** A night ends before what V8 optimizes early has paid: 12 % of its processor time (Node 20), 9 % (Node 24). A flag that V8 lacks would print a message. */
const OPTIMIZE_LATE =
  Number.parseInt(process.versions.node, 10) < 22
    ? ['--interrupt-budget=2000000']
    : ['--invocation-count-for-maglev=4000', '--invocation-count-for-turbofan=30000'];

/** Garbage is collected once the heap has doubled, and the space for new rows keeps its size (150 MiB less with 48 projects); code is optimized late. */
export function fitEngineToRun(): void {
  const flags = ['--heap-growing-percent=100', '--semi-space-growth-factor=1', ...OPTIMIZE_LATE];
  for (const flag of flags) setFlagsFromString(flag);
}

/** Closes the working file, smaller where that pays. That it could not be made smaller is no reason to call a run a failure. */
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

/** Removes what a replay moved aside, once a run has shown that the new file works. */
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

/** Tells the log what was found when the working file was opened. */
export function logNotices(notices: readonly WorkingFileNotice[], log: Log): void {
  for (const { event, message } of notices) {
    const level = event === 'set_aside' ? 'warn' : 'info';
    log[level](`working_file.${event}`, { message });
  }
}

/** What was damaged, for people who read no log. */
export function damageOf(notices: readonly WorkingFileNotice[]): string[] {
  return notices.filter(({ event }) => event === 'set_aside').map(({ message }) => message);
}
