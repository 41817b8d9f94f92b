import { randomBytes, randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError, codeOf, messageOf, usageError } from '../../errors.ts';
import { bucketAccess } from '../../bucket/bucket-access.ts';
import { openBucket } from '../../bucket/bucket.ts';

/** Workers land answers here for the loader: names with slashes, and bodies that are written once. */
export interface Zone extends AsyncDisposable {
  /** As configured. */
  readonly place: string;
  /** Its folders, one for each day, sorted. @throws AnswerlakeError (storage) */
  days(): Promise<string[]>;
  /** Names that begin with `start`, sorted. @throws AnswerlakeError (storage) */
  list(start: string): Promise<string[]>;
  /** Null if no file has that name. @throws AnswerlakeError (storage) */
  read(name: string): Promise<Buffer | null>;
  /** Readers see the whole body or nothing. @throws AnswerlakeError (storage) */
  write(name: string, body: Buffer): Promise<void>;
  /** @throws AnswerlakeError (storage) */
  remove(name: string): Promise<void>;
}

/** Only the user of answerlake may read the answers. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const TEMPORARY = '.writing-';

/** The file with the id of the zone. */
export const ZONE_FILE = 'zone.json';

/** A folder that workers and loader share. */
function openFolderZone(place: string): Zone {
  const explained = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new AnswerlakeError(
        `${join(place, name)}: the landing zone cannot be used (${messageOf(error)}); check that the folder exists, that it is writable and that the disk has space`,
        { class: 'storage', cause: error },
      );
    }
  };
  /** The folder of a disk that is not mounted is empty, and parts in it would never be loaded. */
  const requireMounted = async (): Promise<void> => await access(join(place, ZONE_FILE));
  return {
    place,
    days: () =>
      explained('', async () => {
        await requireMounted();
        const entries = await readdir(place, { withFileTypes: true });
        return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
      }),
    list: (start) =>
      explained(start, async () => {
        await requireMounted();
        return await namesBelow(place, start);
      }),
    read: (name) =>
      explained(name, async () => {
        try {
          return await readFile(join(place, name));
        } catch (error) {
          if (codeOf(error) === 'ENOENT') return null;
          throw error;
        }
      }),
    write: (name, body) =>
      explained(name, async () => {
        if (name !== ZONE_FILE) await requireMounted();
        await writeWhole(join(place, name), body);
      }),
    remove: (name) =>
      explained(name, async () => {
        await rm(join(place, name), { force: true });
        await removeEmptyFolders(place, name);
      }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Removes the empty folders of a name. */
async function removeEmptyFolders(place: string, name: string): Promise<void> {
  try {
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder))
      await rmdir(join(place, folder));
  } catch {
    // It holds other files.
  }
}

async function namesBelow(place: string, start: string): Promise<string[]> {
  const folder = start.slice(0, start.lastIndexOf('/') + 1);
  const entries = await readdir(join(place, folder), { withFileTypes: true, recursive: true }).catch(
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes(TEMPORARY))
    .map((entry) => join(entry.parentPath, entry.name).slice(place.replace(/\/+$/, '').length + 1))
    .filter((name) => name.startsWith(start))
    .sort();
}

/** Writes beside the final path and renames, so that no reader sees half a file, even after a power cut. */
async function writeWhole(path: string, body: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const temporary = `${path}${TEMPORARY}${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', PRIVATE_FILE);
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

interface ZoneSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/** Opens a folder or `s3://bucket/prefix`. @throws AnswerlakeError (configuration) if the key to the bucket is missing */
export function openZone(place: string, { env, signal }: ZoneSurroundings): Zone {
  if (!place.startsWith('s3://')) return openFolderZone(place);
  const bucket = openBucket(place, bucketAccess(env), signal);
  return {
    place,
    days: () => bucket.folders(),
    list: async (start) => [...(await bucket.list(start)).keys()].sort(),
    read: (name) => bucket.read(name),
    write: (name, body) => bucket.write(name, body),
    remove: (name) => bucket.remove(name),
    [Symbol.asyncDispose]: () => bucket[Symbol.asyncDispose](),
  };
}

export interface ZoneWait {
  effects: Pick<Effects, 'now' | 'sleep'>;
  pauseMs: number;
  /** Once aborted, calls no longer wait. */
  signal: AbortSignal;
  /** Called before each pause; false if the call should fail. @param forMs how long the zone has been away */
  onAway: (problem: string, forMs: number) => Promise<boolean>;
  /** Called after the first success. */
  onBack: () => Promise<void>;
}

/** The same zone, with calls that wait while its storage fails. */
export function waitingZone(zone: Zone, { effects, pauseMs, signal, onAway, onBack }: ZoneWait): Zone {
  let awaySince: number | null = null;
  const patient = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        const result = await work();
        if (awaySince !== null) await onBack();
        awaySince = null;
        return result;
      } catch (error) {
        const isStorage = error instanceof AnswerlakeError && error.class === 'storage';
        if (!isStorage || signal.aborted) throw error;
        awaySince ??= effects.now();
        if (!(await onAway(error.message, effects.now() - awaySince))) throw error;
        await effects.sleep(pauseMs, signal).catch(() => undefined);
      }
    }
  };
  return {
    place: zone.place,
    days: () => patient(() => zone.days()),
    list: (start) => patient(() => zone.list(start)),
    read: (name) => patient(() => zone.read(name)),
    write: (name, body) => patient(() => zone.write(name, body)),
    remove: (name) => patient(() => zone.remove(name)),
    [Symbol.asyncDispose]: () => zone[Symbol.asyncDispose](),
  };
}

/** Null: the zone has no id yet. @throws AnswerlakeError storage, configuration */
export async function readZoneId(zone: Zone): Promise<string | null> {
  const known = await zone.read(ZONE_FILE);
  return known === null ? null : idOf(known.toString(), zone);
}

/**
 * Reads the id of the zone, or creates it; only the loader may do that. Writing it shows that the zone is writable.
 * @throws AnswerlakeError storage, configuration
 */
export async function identifyZone(zone: Zone): Promise<string> {
  const id = (await readZoneId(zone)) ?? randomUUID();
  // Written even if it exists, so that a read-only zone is noticed before anything is asked.
  await zone.write(ZONE_FILE, Buffer.from(`${JSON.stringify({ answerlake_landing_zone: id })}\n`));
  return id;
}

function idOf(text: string, zone: Zone): string {
  const [, id] = /"answerlake_landing_zone":\s*"([0-9a-f-]{36})"/.exec(text) ?? [];
  if (id !== undefined) return id;
  throw usageError(
    `${zone.place}/${ZONE_FILE} was not written by answerlake: choose another place for landing.`,
  );
}

/** @throws AnswerlakeError (configuration) when two processes of one queue use two zones */
export function requireSameZone(
  zone: Zone,
  { own, queue }: { own: string | null; queue: string | null },
): void {
  if (queue === null || queue === own) return;
  throw usageError(
    `landing: ${zone.place} is not the landing zone of this queue: workers and loader must share one place. Set landing as the other hosts have it; to move a queue, copy the whole landing zone first, with ${ZONE_FILE}; where the old one is lost, run answerlake queue init --new-landing.`,
  );
}
