import { coreKeys } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { schemaVersion } from '../warehouse/migrate.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';
import { tableDigests } from './core-sql.ts';
import { fingerprint, inspectPublished, resolveTarget } from './inspect.ts';
import { viewsDigest } from './views.ts';

/** The query whose rows tell whether two files hold the same facts and the same coverage. */
export function fingerprintSql(): string {
  const parts = readSqlFiles('publish').map(({ sql }) => sql.replace(/;\s*$/, ''));
  return `from (${[tableDigests(coreKeys), ...parts].join('\nunion all\n')}\n) order by part`;
}

/**
 * Why the working file has to be published; undefined when the published file already says the same. A run that changed
 * no row of `core`, covered no new day and left every slice as it was needs no publish, although `meta.runs` has grown.
 * @throws WarehouseError (storage) when the target is not a file, or answerlake did not publish it
 */
export async function publishNeeded(options: {
  connection: Connection;
  targetPath: string;
  storageVersion: string;
}): Promise<string | undefined> {
  const { connection } = options;
  const sql = fingerprintSql();
  const published = await inspectPublished(connection, resolveTarget(options.targetPath), sql);
  if (published === undefined) return 'nothing is published yet';
  if (published.schemaVersion !== (await schemaVersion(connection))) return 'the schema changed';
  if (published.settings.get('published_views') !== viewsDigest()) return 'the views changed';
  if (published.settings.get('published_storage_version') !== options.storageVersion) {
    return 'the storage version changed';
  }
  return published.fingerprint === (await fingerprint(connection, sql)) ? undefined : 'the data changed';
}
