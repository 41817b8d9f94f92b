import { readFileSync } from 'node:fs';

/** The SQL that makes an empty file as a version of answerlake made it, without comments. */
export function oldFile(version: string): string {
  return readFileSync(new URL(`old-files/${version}.sql`, import.meta.url), 'utf8');
}
