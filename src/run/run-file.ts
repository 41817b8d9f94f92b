import { availableParallelism, totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { messageOf } from '../errors.ts';
import { closeWorkingFile, type WorkingFile, type WorkingFileNotice } from '../warehouse/working-file.ts';
import type { SyncContext } from './sync-request.ts';
import type { Log } from '../log.ts';

const MEBIBYTE = 1024 * 1024;
/** More makes nothing faster; DuckDB writes to disk what it cannot hold. */
const MAX_MEBIBYTES = 2048;
const LEAST_MEBIBYTES = 256;
/** Memory that DuckDB may use while answers are loaded: enough for 48 projects of a year, and as fast. It takes what it may have (a peak of 290 MiB, 310 with 96); 40 are too few for some batches. */
export const LOADING_MEMORY = '64MiB';
/** Memory that DuckDB may use in a publish: checks read whole views. */
export const PUBLISHING_MEMORY = `${String(LEAST_MEBIBYTES)}MiB`;

/** Memory that DuckDB may use at most: half of what the machine or the container has, no more than 2 GiB. */
export function memoryLimit(): string {
  const half = Math.floor(Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 2 / MEBIBYTE);
  return `${String(Math.max(LEAST_MEBIBYTES, Math.min(half, MAX_MEBIBYTES)))}MiB`;
}

const ENOUGH_THREADS = 4;

/** Threads that DuckDB may use: half of the cores, because a run is many small merges (measured: two thirds of the time with all cores). */
export function threadCount(): number {
  return Math.max(1, Math.min(ENOUGH_THREADS, Math.floor(availableParallelism() / 2)));
}

/**
 * DuckDB needs the memory, and no time is lost. Garbage is collected once the heap has grown by half: by default it doubles or more (50 MiB less).
 * The space for new rows keeps its size when a run begins, 8 MiB and as much to copy to: by default it grows to twice that (20 MiB less).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Before work of DuckDB alone: V8 collects when something is allocated, so what a load has left would stay until the end (measured: 33 MiB of 79). */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return;
  // The first collection finds the garbage, the second gives back the pages that it was on.
  Reflect.apply(collect, undefined, []);
  Reflect.apply(collect, undefined, []);
}

/** Closes the working file, smaller where that pays. That it could not be made smaller is no reason to call a run a failure. */
export async function closeFile(
  working: WorkingFile,
  { log, signal }: Pick<SyncContext, 'log' | 'signal'>,
): Promise<void> {
  try {
    const compaction = await closeWorkingFile(working, { signal });
    if (compaction === null) return;
    const { bytesBefore, bytesAfter } = compaction;
    log.info('working_file.compacted', { bytes_before: bytesBefore, bytes_after: bytesAfter });
  } catch (error) {
    log.warn('working_file.not_compacted', { error: messageOf(error) });
  }
}

/** Tells the log what was found when the working file was opened. */
export function tellNotices(notices: readonly WorkingFileNotice[], log: Log): void {
  for (const { event, message } of notices) {
    const level = event === 'set_aside' ? 'warn' : 'info';
    log[level](`working_file.${event}`, { message });
  }
}

/** What was damaged, for people who read no log. */
export function damageOf(notices: readonly WorkingFileNotice[]): string[] {
  return notices.filter(({ event }) => event === 'set_aside').map(({ message }) => message);
}
