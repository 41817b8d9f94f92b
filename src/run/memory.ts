import { availableParallelism, totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;
/** More makes nothing faster here; what does not fit goes to disk. */
const ENOUGH_MEBIBYTES = 2048;

/** Memory that DuckDB may use: half of what the machine or the container has, at most 2 GiB. */
export function memoryLimit(): string {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < totalmem() ? constrained : totalmem();
  const half = Math.floor(total / 2 / MEBIBYTE);
  return `${String(Math.max(256, Math.min(half, ENOUGH_MEBIBYTES)))}MiB`;
}

const ENOUGH_THREADS = 4;

/** Threads that DuckDB may use: half of the cores, because a night is many small merges (about two thirds of the time that all cores took). */
export function threadCount(): number {
  return Math.max(1, Math.min(ENOUGH_THREADS, Math.floor(availableParallelism() / 2)));
}
