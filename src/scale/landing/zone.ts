import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError, messageOf, storageError, usageError } from '../../errors.ts';
import { bucketAccess, openBucket } from '../../bucket/bucket.ts';
import { openFolder, type Store } from '../../bucket/folder.ts';

/** Workers land answers here for the loader: bodies that are written once, in a folder for each day. */
export interface Zone extends Store {
  readonly place: string;
}

export const ZONE_FILE = 'zone.json';

function openFolderZone(place: string): Zone {
  const todo = 'check that the folder exists, that it is writable and that the disk has space';
  const explain = (error: unknown, name: string): AnswerlakeError =>
    storageError(
      [`${join(place, name)}: the landing zone cannot be used (${messageOf(error)});`, todo],
      error,
    );
  // Only the user of answerlake may read the answers.
  const folder = openFolder(place, { isPrivate: true, explain });
  /** The folder of a disk that is not mounted is empty, and parts in it would never be loaded. */
  const mounted = async (): Promise<Store> => {
    if ((await folder.read(ZONE_FILE)) !== null) return folder;
    throw explain(new Error('there is no such file'), ZONE_FILE);
  };
  return {
    ...folder,
    place,
    folders: async () => await (await mounted()).folders(),
    list: async (start) => await (await mounted()).list(start),
    write: async (name, body) => {
      await (name === ZONE_FILE ? folder : await mounted()).write(name, body);
    },
  };
}

/** Opens a folder or `s3://bucket/prefix`. @throws AnswerlakeError (configuration) if the key to the bucket is missing */
export function openZone(
  place: string,
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Zone {
  if (!place.startsWith('s3://')) return openFolderZone(place);
  return { ...openBucket(place, bucketAccess(env), signal), place };
}

export interface ZoneWait {
  effects: Pick<Effects, 'sleep'>;
  pauseMs: number;
  /** Once aborted, calls no longer wait. */
  signal: AbortSignal;
  /** Called before each pause, and with null after each success. */
  report: (problem: string | null) => Promise<void>;
}

/** The same zone, with calls that wait while its storage fails. */
export function waitingZone(zone: Zone, { effects, pauseMs, signal, report }: ZoneWait): Zone {
  const patient = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        const result = await work();
        await report(null);
        return result;
      } catch (error) {
        const isStorage = error instanceof AnswerlakeError && error.class === 'storage';
        if (!isStorage || signal.aborted) throw error;
        await report(error.message);
        await effects.sleep(pauseMs, signal).catch(() => undefined);
      }
    }
  };
  return {
    ...zone,
    folders: () => patient(() => zone.folders()),
    list: (start) => patient(() => zone.list(start)),
    read: (name) => patient(() => zone.read(name)),
    write: (name, body) => patient(() => zone.write(name, body)),
    remove: (name) => patient(() => zone.remove(name)),
  };
}

/** Null: the zone has no id yet. @throws AnswerlakeError storage, configuration */
export async function readZoneId(zone: Zone): Promise<string | null> {
  const text = await zone.read(ZONE_FILE);
  if (text === null) return null;
  const [, id] = /"answerlake_landing_zone":\s*"([0-9a-f-]{36})"/.exec(text.toString()) ?? [];
  if (id !== undefined) return id;
  throw usageError([
    `${zone.place}/${ZONE_FILE} was not written by answerlake:`,
    'choose another place for landing.',
  ]);
}

/** Reads the id of the zone, or creates it; only the loader may do that. Written even if it exists, so that a read-only zone is noticed before anything is asked. @throws AnswerlakeError storage, configuration */
export async function identifyZone(zone: Zone): Promise<string> {
  const id = (await readZoneId(zone)) ?? randomUUID();
  await zone.write(ZONE_FILE, Buffer.from(`${JSON.stringify({ answerlake_landing_zone: id })}\n`));
  return id;
}

/** @throws AnswerlakeError (configuration) when two processes of one queue use two zones */
export function requireSameZone(zone: Zone, own: string | null, queue: string | null): void {
  if (queue === null || queue === own) return;
  throw usageError([
    `landing: ${zone.place} is not the landing zone of this queue: workers and loader must share one place.`,
    `Set landing as the other hosts have it; to move a queue, copy the whole landing zone first, with ${ZONE_FILE}; if the old one is lost, run answerlake queue init --new-landing.`,
  ]);
}
