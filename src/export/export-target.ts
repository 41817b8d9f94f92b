import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Bucket } from '../bucket/bucket.ts';
import { openFolder, type Store } from '../bucket/folder.ts';
import { explainFailure } from '../warehouse/failure.ts';
import { openOwnFolder, type OwnFolder, removeDeadFolders } from '../warehouse/own-folder.ts';

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

/** A folder of this machine; files are staged next to it and moved, not copied. */
export async function openFolderTarget(folder: string): Promise<ExportTarget> {
  const explain = (error: unknown): unknown => explainFailure(error, folder);
  const staging = await openStaging(join(dirname(folder), `.${basename(folder)}.new-`), explain);
  const store = openFolder(folder, { isPrivate: false, explain });
  return {
    ...store,
    name: folder,
    staging: staging.path,
    sizes: async () =>
      new Map((await store.list('')).map((name) => [name, statSync(join(folder, name)).size])),
    take: async (name) => {
      try {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        renameSync(join(staging.path, name), join(folder, name));
      } catch (error) {
        throw explain(error);
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(staging[Symbol.dispose]()),
  };
}

/** @throws what `explain` makes of the file system's own error */
async function openStaging(start: string, explain: (error: unknown) => unknown): Promise<OwnFolder> {
  try {
    mkdirSync(dirname(start), { recursive: true });
    await removeDeadFolders(start);
    return await openOwnFolder(start);
  } catch (error) {
    throw explain(error);
  }
}

/** A prefix of a bucket; what is staged on this machine is uploaded. */
export async function openBucketTarget(name: string, bucket: Bucket): Promise<ExportTarget> {
  const staging = await openStaging(join(tmpdir(), 'answerlake-export-'), (error) => error);
  return {
    ...bucket,
    name,
    staging: staging.path,
    sizes: () => bucket.sizes(''),
    take: (file) => bucket.write(file, readFileSync(join(staging.path, file))),
    [Symbol.asyncDispose]: async () => {
      staging[Symbol.dispose]();
      await bucket[Symbol.asyncDispose]();
    },
  };
}
