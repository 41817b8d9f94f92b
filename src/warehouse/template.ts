import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../package.ts';
import * as duckdb from '@duckdb/node-api';

/** Where the build puts them. */
export const TEMPLATE_FOLDER = join(PACKAGE_ROOT, 'dist', 'templates');

/** An empty file with tables, and views where it has some, which the build made: a copy costs less than creating them. */
export interface Template {
  name: 'working' | 'published';
  storageVersion: string;
  /** Everything it was made from. */
  sql: readonly string[];
}

/** The path of a template. Other statements, or another DuckDB, have another path. */
export function templatePath({ name, storageVersion, sql }: Template): string {
  const hash = createHash('sha256');
  for (const part of [name, storageVersion, duckdb.version(), ...sql]) hash.update(`${part}\0`);
  return join(TEMPLATE_FOLDER, `${name}-${hash.digest('hex').slice(0, 16)}.duckdb`);
}

/** Where a template is; null when the build made none that fits, and the statements have to be run. */
export function findTemplate(template: Template): string | null {
  const path = templatePath(template);
  return existsSync(path) ? path : null;
}
