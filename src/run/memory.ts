import { availableParallelism, totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;
/** More memory makes nothing faster here; DuckDB spills to disk. */
const ENOUGH_MEBIBYTES = 2048;

/** Memory that DuckDB may use: half of what the machine or the container has, at most 2 GiB. */
export function memoryLimit(): string {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < totalmem() ? constrained : totalmem();
  const half = Math.floor(total / 2 / MEBIBYTE);
  return `${String(Math.max(256, Math.min(half, ENOUGH_MEBIBYTES)))}MiB`;
}

const ENOUGH_THREADS = 4;

/** Threads that DuckDB may use: half of the cores, because a run is many small merges (measured: two thirds of the time with all cores). */
export function threadCount(): number {
  return Math.max(1, Math.min(ENOUGH_THREADS, Math.floor(availableParallelism() / 2)));
}
