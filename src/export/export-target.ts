import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Bucket } from '../bucket/bucket.ts';
import { explainFailure } from '../warehouse/failure.ts';
import { removeDeadTemporaries } from '../warehouse/file-names.ts';

/** A place that holds an export: a folder, or a prefix of a bucket. Names are relative to it, with slashes. */
export interface ExportTarget extends AsyncDisposable {
  /** For messages. */
  name: string;
  /** A folder for what is being written. */
  staging: string;
  /** Every file and its size. */
  list(): Promise<ReadonlyMap<string, number>>;
  /** Null: there is no such file. */
  readText(name: string): Promise<string | null>;
  writeText(name: string, text: string): Promise<void>;
  /** Takes files from the staging folder. */
  take(names: readonly string[]): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
}

/** Between the name of an export's folder and the number of the process that writes it. */
const STAGING = '.new-';

/** A folder of this machine; files are staged next to it and moved, not copied. */
export function openFolderTarget(folder: string): ExportTarget {
  const start = join(dirname(folder), `.${basename(folder)}`);
  const parent = statSync(dirname(folder), { throwIfNoEntry: false });
  if (parent?.isDirectory() === true) removeDeadTemporaries(start, STAGING);
  const staging = `${start}${STAGING}${String(process.pid)}`;
  const explained = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      throw explainFailure(error, folder);
    }
  };
  return {
    name: folder,
    staging,
    list: () => explained(() => listFiles(folder)),
    readText: (name) =>
      explained(() => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null)),
    writeText: (name, text) =>
      explained(() => {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${name}.tmp`), text);
        renameSync(join(folder, `${name}.tmp`), join(folder, name));
      }),
    take: (names) =>
      explained(() => {
        for (const name of names) {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          renameSync(join(staging, name), join(folder, name));
        }
      }),
    remove: (names) =>
      explained(() => {
        for (const name of names) {
          rmSync(join(folder, name), { force: true });
          removeEmptyFolders(folder, dirname(name));
        }
      }),
    [Symbol.asyncDispose]: async () => {
      try {
        rmSync(staging, { recursive: true, force: true });
      } catch {
        // Where nothing could be made, nothing can be removed, and the error before says why.
      }
    },
  };
}

function listFiles(folder: string): Map<string, number> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length + 1).replaceAll('\\', '/'), statSync(path).size];
      }),
  );
}

function removeEmptyFolders(root: string, name: string): void {
  for (let at = name; at !== '.' && at !== ''; at = dirname(at)) {
    const path = join(root, at);
    if (!existsSync(path)) continue;
    if (readdirSync(path).length > 0) return;
    rmdirSync(path);
  }
}

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
