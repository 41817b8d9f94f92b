import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { AnswerlakeError } from '../errors.ts';
import { CATALOGS } from './catalog-names.ts';

// DuckDB names the catalog after the file: `core.visibility` would be ambiguous in a file `core.duckdb`.
const TAKEN: ReadonlySet<string> = new Set([
  'core',
  'meta',
  'main',
  'raw',
  'temp',
  'system',
  'pg_catalog',
  'information_schema',
  ...Object.values(CATALOGS),
]);

/** @throws AnswerlakeError (configuration) when a file of this name could not be queried by schema and table */
export function requireUsableName(publishedPath: string): void {
  if (resolve(publishedPath).includes('?')) {
    throw new AnswerlakeError(
      `${publishedPath}: DuckDB cannot keep a file whose path has a question mark; rename the folder or choose another path`,
      { class: 'configuration' },
    );
  }
  const name =
    stem(publishedPath)
      .split('.')
      .find((part) => part !== '') ?? '';
  if (!TAKEN.has(name.toLowerCase())) return;
  throw new AnswerlakeError(
    `${publishedPath}: a DuckDB file cannot be called "${name}", a schema has that name; choose another, for example answers.duckdb`,
    { class: 'configuration' },
  );
}

/** @throws AnswerlakeError (configuration) when the path is a symbolic link to nothing: publishing would fail after the whole sync */
export function requireLinkTarget(publishedPath: string): void {
  if (!isLink(publishedPath) || existsSync(publishedPath)) return;
  throw new AnswerlakeError(
    `${publishedPath}: the link points to ${readlinkSync(publishedPath)}, which is not there; remove the link, or set warehouse.path to the file itself`,
    { class: 'configuration' },
  );
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // Nothing is there, or its folder is a file: opening the working file says which.
    return false;
  }
}

/** The name of a file without its folder and extension. */
export function stem(path: string): string {
  return basename(path, extname(path));
}
