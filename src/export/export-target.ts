import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Bucket } from '../bucket/bucket.ts';
import { openFolder, type Store } from '../bucket/folder.ts';
import { explainFailure } from '../warehouse/failure.ts';
import { removeTemporaries } from '../warehouse/file-names.ts';

/** A folder or a prefix of a bucket that holds an export. */
export interface ExportTarget extends Pick<Store, 'read' | 'write' | 'remove'>, AsyncDisposable {
  /** For messages. */
  name: string;
  /** A folder for what is being written. */
  staging: string;
  /** Every file and its size. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /** Takes a file from the staging folder. */
  take(name: string): Promise<void>;
}

/** Between the name of an export's folder and the number of the process that writes it. */
const STAGING = '.new-';

/** A folder of this machine; files are staged next to it and moved, not copied. */
export function openFolderTarget(folder: string): ExportTarget {
  const start = join(dirname(folder), `.${basename(folder)}`);
  const parent = statSync(dirname(folder), { throwIfNoEntry: false });
  if (parent?.isDirectory() === true) removeTemporaries(`${start}${STAGING}`);
  const staging = `${start}${STAGING}${String(process.pid)}`;
  const explain = (error: unknown): unknown => explainFailure(error, folder);
  const store = openFolder(folder, { isPrivate: false, explain });
  return {
    ...store,
    name: folder,
    staging,
    sizes: async () =>
      new Map((await store.list('')).map((name) => [name, statSync(join(folder, name)).size])),
    take: async (name) => {
      try {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        renameSync(join(staging, name), join(folder, name));
      } catch (error) {
        throw explain(error);
      }
    },
    [Symbol.asyncDispose]: async () => {
      try {
        rmSync(staging, { recursive: true });
      } catch {
        // Where nothing could be made, nothing can be removed, and the error before says why.
      }
    },
  };
}

/** A prefix of a bucket; what is staged on this machine is uploaded. */
export function openBucketTarget(name: string, bucket: Bucket): ExportTarget {
  const staging = mkdtempSync(join(tmpdir(), 'answerlake-export-'));
  return {
    ...bucket,
    name,
    staging,
    sizes: () => bucket.sizes(''),
    take: (file) => bucket.write(file, readFileSync(join(staging, file))),
    [Symbol.asyncDispose]: async () => {
      rmSync(staging, { recursive: true });
      await bucket[Symbol.asyncDispose]();
    },
  };
}
