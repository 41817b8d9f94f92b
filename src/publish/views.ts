import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../package.ts';
import { type Connection, transaction } from '../warehouse/connection.ts';
import { readSqlFiles, type SqlFile } from '../warehouse/sql.ts';

/** Where the build writes the views as plain SQL, a folder for each database. */
export const RENDERED_FOLDER = join(PACKAGE_ROOT, 'dist', 'sql');

/** The views in the SQL of one database, in order of dependency, with comments. */
export function readViews(dialect: 'duckdb' | 'postgres'): SqlFile[] {
  return readSqlFiles(dialect, RENDERED_FOLDER);
}

/** Creates every view, with comments, in the current database. */
export async function createViews(connection: Connection): Promise<void> {
  // One transaction: hundreds of comments would each wait for the disk.
  await transaction(connection, async () => {
    for (const { sql } of readViews('duckdb')) await connection.run(sql);
  });
}

/** The setting of a published file that keeps the digest of its views. */
export const VIEWS_SETTING = 'published_views';

/** Changes when any view changes, so a program with other views publishes again although no row changed. */
export function viewsDigest(): string {
  const hash = createHash('sha256');
  for (const { sql } of readViews('duckdb')) hash.update(sql);
  return hash.digest('hex');
}
