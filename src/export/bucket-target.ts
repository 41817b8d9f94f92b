import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bucket } from '../bucket/bucket.ts';
import type { ExportTarget } from './export-target.ts';

const AT_ONCE = 8;

/** A prefix of a bucket; what is staged on this machine is uploaded. */
export function openBucketTarget(name: string, bucket: Bucket): ExportTarget {
  const staging = mkdtempSync(join(tmpdir(), 'answerlake-export-'));
  const each = async (names: readonly string[], work: (name: string) => Promise<void>): Promise<void> => {
    // Each takes the next name from the one queue.
    const queue = names.values();
    const takeNext = async (): Promise<void> => {
      for (const one of queue) await work(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, takeNext));
  };
  return {
    name,
    staging,
    list: () => bucket.list(),
    readText: async (file) => (await bucket.read(file))?.toString() ?? null,
    writeText: (file, text) => bucket.write(file, Buffer.from(text)),
    take: (names) => each(names, (file) => bucket.write(file, readFileSync(join(staging, file)))),
    remove: (names) => each(names, (file) => bucket.remove(file)),
    [Symbol.asyncDispose]: async () => {
      rmSync(staging, { recursive: true, force: true });
      await bucket[Symbol.asyncDispose]();
    },
  };
}
