import { availableParallelism, totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';

const MEBIBYTE = 1024 * 1024;
/** More makes nothing faster; DuckDB writes to disk what it cannot hold. */
const MOST_MEBIBYTES = 2048;
/** Enough to load 48 projects of a year, and as fast: DuckDB takes what it may have (80 MiB more with 256 MiB). */
const LOADING_MEBIBYTES = 96;
/** Enough to publish them: checks read whole views. */
const PUBLISHING_MEBIBYTES = 256;

/** Memory that DuckDB may use while answers are loaded, as long as it suffices. */
export function loadingMemory(): string {
  return `${String(LOADING_MEBIBYTES)}MiB`;
}

/** Memory that DuckDB may use in a publish, as long as it suffices. */
export function publishingMemory(): string {
  return `${String(PUBLISHING_MEBIBYTES)}MiB`;
}

/** Memory that DuckDB may use at most: half of what the machine or the container has, no more than 2 GiB. */
export function memoryLimit(): string {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < totalmem() ? constrained : totalmem();
  const half = Math.floor(total / 2 / MEBIBYTE);
  return `${String(Math.max(PUBLISHING_MEBIBYTES, Math.min(half, MOST_MEBIBYTES)))}MiB`;
}

const ENOUGH_THREADS = 4;

/** Threads that DuckDB may use: half of the cores, because a run is many small merges (measured: two thirds of the time with all cores). */
export function threadCount(): number {
  return Math.max(1, Math.min(ENOUGH_THREADS, Math.floor(availableParallelism() / 2)));
}

/** Garbage is collected once the heap has grown by half: by default it doubles or more, and DuckDB needs the memory (50 MiB less, no time lost). */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
