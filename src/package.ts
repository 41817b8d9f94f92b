import { readFileSync, existsSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the installed package: source and built files lie at different depths below it. */
export const PACKAGE_ROOT = findUpwards(dirname(fileURLToPath(import.meta.url)));

/** Where the build writes what other tools start from, a folder for each. */
export const STARTERS_FOLDER = join(PACKAGE_ROOT, 'dist', 'starters');

function findUpwards(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`no package.json above ${fileURLToPath(import.meta.url)}`);
  return findUpwards(parent);
}

/** Version of this program, from its package file. */
export function readVersion(): string {
  const text = readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8');
  const content: unknown = JSON.parse(text);
  if (typeof content === 'object' && content !== null && 'version' in content) return String(content.version);
  throw new Error(`package.json of ${PACKAGE_ROOT} has no version`);
}
