import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { storageProblem } from '../warehouse/failure.ts';
import { schemaVersion } from '../warehouse/migrate.ts';
import { quoteIdentifier, quoteLiteral, readSqlFiles } from '../warehouse/sql.ts';
import {
  areSame,
  haveSameTables,
  inCatalog,
  nameOf,
  readSetting,
  readTableNames,
} from '../warehouse/tables.ts';
import { inspectPublished, PUBLISHED, resolveTarget, type Published } from '../warehouse/published.ts';
import { OWN_VIEWS_SETTING, ownViewsDigest, readOwnViews } from './own-views.ts';
import { createViews, VIEWS_SETTING, viewsDigest } from './published-file.ts';
import { DIGEST } from '../warehouse/parts.ts';

/**
 * Why the working file must be published; undefined if the published file has the same content. A run that changed no row of `core`,
 * covered no new day and left every slice unchanged needs no publish, although `meta.runs` has grown; one that was published while it was
 * under way needs one. A damaged file is replaced.
 * @throws WarehouseError (storage) when the target is not a file, or answerlake did not publish it
 */
export async function whyPublish(
  connection: Connection,
  { path, storageVersion, viewsDir }: { path: string; storageVersion: string; viewsDir?: string | undefined },
): Promise<string | undefined> {
  const version = await schemaVersion(connection);
  const compare = async (published: Published, home: string): Promise<string | null> => {
    const { settings } = published;
    if (published.schemaVersion !== version) return 'the schema changed';
    if (settings.get(VIEWS_SETTING) !== viewsDigest()) return 'the views changed';
    if ((settings.get(OWN_VIEWS_SETTING) ?? '') !== ownViewsDigest(readOwnViews(viewsDir)))
      return 'views of your own changed';
    if (settings.get('published_storage_version') !== storageVersion) return 'the storage version changed';
    // A rebuilt working file has none yet.
    await createViews(connection);
    if (!(await haveSameTables(connection, home, PUBLISHED))) return 'the tables changed';
    if (!(await haveSameRows(connection, home))) return 'the data changed';
    return (await connection.value(z.boolean(), endedRun(home))) === true
      ? 'a published run has ended'
      : null;
  };
  try {
    const compared = await inspectPublished(connection, resolveTarget(path), compare);
    return compared === undefined ? 'nothing is published yet' : (compared ?? undefined);
  } catch (error) {
    if (await isDamaged(connection, error)) return 'the published file is damaged';
    throw error;
  }
}

/** Whether a failure to read the target means that an earlier published file is damaged. */
export async function isDamaged(connection: Connection, error: unknown): Promise<boolean> {
  if (storageProblem(error) !== 'corrupt') return false;
  return (await readSetting(connection, 'published_at')) !== null;
}

/** Compares files with the same tables; first what changes with almost every row of `core`. */
async function haveSameRows(connection: Connection, home: string): Promise<boolean> {
  const all = await readTableNames(connection, home);
  const tables = all.filter(({ schema }) => schema === 'core' || schema === 'own');
  const digests = (catalog: string): string =>
    tables
      .map((table) => `select ${quoteLiteral(nameOf(table))}, ${DIGEST} from ${inCatalog(catalog, table)} r`)
      .join(' union all ');
  const isSame = (query: typeof digests): Promise<boolean> =>
    areSame(connection, query(home), query(PUBLISHED));
  return (await isSame(fingerprint)) && (await isSame(digests));
}

/** SQL: whether a run that was published while it was under way has ended. */
function endedRun(home: string): string {
  return `select exists (from ${PUBLISHED}.meta.runs p join ${quoteIdentifier(home)}.meta.runs h using (run_id)
    where p.status = 'running' and h.status <> 'running')`;
}

/** SQL of what a file says beyond the rows of `core`: two files with the same rows cover the same. */
function fingerprint(catalog: string): string {
  const parts = readSqlFiles('publish').map(({ sql }) => sql.replace(/;\s*$/, ''));
  return parts.join('\nunion all\n').replaceAll(/\bfrom (?=meta\.)/g, `from ${quoteIdentifier(catalog)}.`);
}
