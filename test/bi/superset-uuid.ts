import { createHash } from 'node:crypto';

/** The same id for the same name in every build of the bundle, so that an import replaces what it brought before. */
export function supersetUuid(name: string): string {
  const hex = createHash('sha256').update(`answerlake/superset/${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
