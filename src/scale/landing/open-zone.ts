import { bucketAccess } from '../../bucket/bucket-access.ts';
import { openBucket } from '../../bucket/bucket.ts';
import { openFolderZone } from './folder-zone.ts';
import type { Zone } from './zone.ts';

export interface ZoneSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/** Opens a folder or `s3://bucket/prefix`. @throws AnswerlakeError (configuration) where the bucket's key is missing */
export function openZone(place: string, { env, signal }: ZoneSurroundings): Zone {
  if (!place.startsWith('s3://')) return openFolderZone(place);
  const bucket = openBucket(place, bucketAccess(env), signal);
  return {
    place,
    list: async (start) => [...(await bucket.list(start)).keys()].sort(),
    read: (name) => bucket.read(name),
    write: (name, body) => bucket.write(name, body),
    remove: (name) => bucket.remove(name),
    [Symbol.asyncDispose]: () => bucket[Symbol.asyncDispose](),
  };
}
