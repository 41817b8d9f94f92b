import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { codeOf } from '../errors.ts';

/** Files below a folder or a prefix of a bucket, with names relative to it, with slashes. Failures are of class storage. */
export interface Store extends AsyncDisposable {
  /** Names that begin with `start`, sorted. */
  list(start: string): Promise<string[]>;
  /** The first parts of names with a slash, sorted. */
  folders(): Promise<string[]>;
  /** Null if no file has that name. */
  read(name: string): Promise<Buffer | null>;
  /** Readers see the whole body or nothing. */
  write(name: string, body: Buffer): Promise<void>;
  remove(name: string): Promise<void>;
}

const TEMPORARY = '.writing-';

/** @param explain the error that a caller gets for a failure with a file */
export function openFolder(
  folder: string,
  { isPrivate, explain }: { isPrivate: boolean; explain: (error: unknown, name: string) => unknown },
): Store {
  const explained = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw explain(error, name);
    }
  };
  return {
    list: (start) => explained(start, () => namesBelow(folder, start)),
    folders: () =>
      explained('', async () => {
        const entries = await readdir(folder, { withFileTypes: true });
        return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
      }),
    read: (name) => explained(name, () => readFile(join(folder, name)).catch(nullIfMissing)),
    write: (name, body) => explained(name, () => writeWhole(join(folder, name), body, isPrivate)),
    remove: (name) =>
      explained(name, async () => {
        await rm(join(folder, name), { force: true });
        try {
          for (let emptied = dirname(name); emptied !== '.'; emptied = dirname(emptied))
            await rmdir(join(folder, emptied));
        } catch {
          // It contains other files.
        }
      }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function nullIfMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

async function namesBelow(folder: string, start: string): Promise<string[]> {
  const below = join(folder, start.slice(0, start.lastIndexOf('/') + 1));
  const entries = await readdir(below, { withFileTypes: true, recursive: true }).catch(nullIfMissing);
  return (entries ?? [])
    .filter((entry) => !entry.isDirectory() && !entry.name.includes(TEMPORARY))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((name) => name.startsWith(start))
    .sort();
}

/** Writes next to the final path and renames, so that no reader sees half a file, even after a power cut. */
async function writeWhole(path: string, body: Buffer, isPrivate: boolean): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
  const temporary = `${path}${TEMPORARY}${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', isPrivate ? 0o600 : 0o666);
    try {
      await file.writeFile(body);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
