import { relative } from 'node:path';

/** A path for messages: from the working directory where it lies below. */
export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}
