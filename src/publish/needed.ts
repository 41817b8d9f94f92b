import type { Connection } from '../warehouse/connection.ts';
import { nameRow } from '../warehouse/name-row.ts';
import { storageProblem } from '../warehouse/failure.ts';
import { schemaVersion } from '../warehouse/migrate.ts';
import { withMoreThreads } from '../warehouse/more-threads.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';
import { quoteIdentifier } from '../warehouse/quote.ts';
import { collectParts, findChanges, haveSameTables, type Changes } from './changes.ts';
import { inspectPublished, PUBLISHED, resolveTarget } from './inspect.ts';
import { selectParts } from './parts.ts';
import { viewsDigest } from './views.ts';

/** Why the working file has to be published, and what the published file lacks. */
export interface Need {
  reason: string;
  /** Null when tables or views are others, so that the published file is no start for the next one. */
  changes: Changes | null;
  /** What people should know of the published file. */
  warning?: string;
}

/**
 * Compares the working file with the published one; undefined when that already says the same. A run that changed no row of `core`,
 * covered no new day and left every slice as it was needs no publish, although `meta.runs` has grown.
 * @throws WarehouseError (storage) when the target is not a file, or answerlake did not publish it
 */
export async function publishNeeded(options: {
  connection: Connection;
  targetPath: string;
  storageVersion: string;
}): Promise<Need | undefined> {
  const { connection } = options;
  const version = await schemaVersion(connection);
  const anew = (reason: string): Need => ({ reason, changes: null });
  const compared = await inspectPublished(
    connection,
    resolveTarget(options.targetPath),
    async (published, home): Promise<Need | 'same'> => {
      if (published.schemaVersion !== version) return anew('the schema changed');
      if (published.settings.get('published_views') !== viewsDigest()) return anew('the views changed');
      if (published.settings.get('published_storage_version') !== options.storageVersion) {
        return anew('the storage version changed');
      }
      if (!(await haveSameTables(connection, home, PUBLISHED))) return anew('the tables changed');
      return await withMoreThreads(connection, () => compareData(connection, home));
    },
  );
  if (compared === 'same') return undefined;
  return compared ?? anew('nothing is published yet');
}

const DAMAGED =
  'the published file was damaged (the disk, or somebody wrote into it): it was written anew from the working file';

/** Compares tables that are the same in both files; a published file that cannot be read to its end is one to replace. */
async function compareData(connection: Connection, home: string): Promise<Need | 'same'> {
  const tables = await collectParts(connection, home);
  try {
    const changes = await findChanges(connection, tables, PUBLISHED);
    const facts = changes.tables.some(({ schema }) => schema === 'core');
    const isSame =
      !facts && (await fingerprint(connection, home)) === (await fingerprint(connection, PUBLISHED));
    return isSame ? 'same' : { reason: 'the data changed', changes };
  } catch (error) {
    if (storageProblem(error) !== 'corrupt') throw error;
    // The working file must not be the damaged one.
    await connection.rows(`from (${selectParts(tables, home)})`);
    return { reason: 'the published file is damaged', changes: null, warning: DAMAGED };
  }
}

/** What a file says beyond the rows of `core`, as text: two files with the same one cover the same. */
async function fingerprint(connection: Connection, catalog: string): Promise<string> {
  const parts = readSqlFiles('publish').map(({ sql }) => sql.replace(/;\s*$/, ''));
  const [current] = await connection.rowsAs(nameRow, 'select current_database() as name');
  await connection.run(`use ${quoteIdentifier(catalog)}`);
  try {
    return JSON.stringify(await connection.rows(`from (${parts.join('\nunion all\n')}\n) order by part`));
  } finally {
    await connection.run(`use ${quoteIdentifier(current?.name ?? '')}`);
  }
}
