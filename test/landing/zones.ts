import { join } from 'node:path';
import { type LandedPart, readManifest, readPart } from '../../src/scale/landing/part.ts';
import { identifyZone, openZone, type Zone } from '../../src/scale/landing/zone.ts';
import { CATALOGUE } from '../support/catalogue.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { openFolder } from '../support/folder.ts';

export const ZONES = ['a folder', 'a bucket'] as const;

/** A landing zone without parts; gone after the test. */
export async function newZone(kind: (typeof ZONES)[number]): Promise<Zone> {
  const { signal } = new AbortController();
  const zone =
    kind === 'a bucket'
      ? openZone('s3://answers/landing', { env: (await startBucketServer()).env, signal })
      : openZone(join(openFolder(), 'landing'), { env: {}, signal });
  await identifyZone(zone);
  return zone;
}

/** A zone without files, whose calls wait for `before`. */
export function stubZone(before: () => Promise<void>): Zone {
  const empty = async (): Promise<[]> => (await before(), []);
  return {
    place: 'stub',
    folders: empty,
    list: empty,
    read: async () => (await before(), null),
    write: before,
    remove: before,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A part, once its manifest was read. @throws DamagedPartError */
export async function readLanded(zone: Zone, name: string): Promise<LandedPart> {
  return await readPart(zone, await readManifest(zone, name), CATALOGUE);
}
