import { availableParallelism, totalmem } from 'node:os';
import { messageOf } from '../errors.ts';
import { closeWorkingFile, type WorkingFile, type WorkingFileNotice } from '../warehouse/working-file.ts';
import type { SyncContext } from './sync-request.ts';
import type { Log } from '../log.ts';

const MEBIBYTE = 1024 * 1024;
/** More makes nothing faster; DuckDB writes to disk what it cannot hold. */
const MAX_MEBIBYTES = 2048;
const LEAST_MEBIBYTES = 256;

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
