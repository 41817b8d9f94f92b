import { isMainThread } from 'node:worker_threads';

/** Group and others get nothing. */
const PRIVATE = 0o077;

let holders = 0;
let before = 0;

/**
 * While held, every new file is for its owner alone: DuckDB creates its write-ahead log and its spill files by itself,
 * whenever it needs them. Returns what lets go of it.
 */
export function holdPrivateUmask(): () => void {
  if (!isMainThread) return () => undefined;
  if (holders === 0) before = process.umask(PRIVATE);
  holders += 1;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holders -= 1;
    if (holders === 0) process.umask(before);
  };
}

/** Runs `work`, whose new files may be read by those who may read a file with the rights `mode`. */
export async function withNewFilesFor<T>(mode: number, work: () => Promise<T>): Promise<T> {
  if (!isMainThread) return await work();
  // Folders need the right to pass through, and the owner keeps all.
  const kept = mode | ((mode & 0o444) >> 2) | 0o700;
  const held = process.umask(0o777 & ~kept);
  try {
    return await work();
  } finally {
    process.umask(held);
  }
}
