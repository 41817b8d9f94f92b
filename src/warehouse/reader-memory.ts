import { totalmem } from 'node:os';

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
