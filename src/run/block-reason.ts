import type { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';

/** Why this key is of no more use in this run; null when only the slice failed. */
export function reasonToBlock(
  error: AnswerlakeError,
  isKeyList: boolean,
): 'quota' | 'auth' | 'unavailable' | 'exhausted' | null {
  if (error.class === 'storage') return 'exhausted';
  if (error.class === 'quota') return 'quota';
  // The silence is the key's: the list stays owed, as everything else does.
  if (error.waitUntilMs !== null) return 'unavailable';
  // A failed key list says nothing about the projects: the v1 path may be closed while v2 works.
  if (isKeyList) return null;
  if (error.class === 'auth' && error instanceof ApiError && error.status === 401) return 'auth';
  return error.class === 'transient' && error.scope !== 'slice' ? 'unavailable' : null;
}
