import { counted } from '../quantity.ts';
import { CATALOGS, temporaryName } from './database-files.ts';
import { copyFileSync, existsSync, linkSync, lstatSync, realpathSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Connection } from './connection.ts';
import { explainFailure, WarehouseError } from './failure.ts';
import { schemaVersion } from './migrate.ts';
import { readSetting, readSettings } from './tables.ts';
import { quoteIdentifier, quoteLiteral, readSql } from './sql.ts';
import { z } from 'zod';

/** The facts that a published file records. */
export interface Published {
  schemaVersion: number;
  settings: ReadonlyMap<string, string>;
}

/** The catalog name of the published file while it is attached. */
export const PUBLISHED = CATALOGS.published;

/** The absolute path of the target, or of the file behind a symbolic link. @throws WarehouseError (storage) when the link has no target */
export function resolveTarget(targetPath: string): string {
  const path = resolve(targetPath);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  try {
    return realpathSync(path);
  } catch (error) {
    throw explainFailure(error, path);
  }
}

/**
 * Attaches the published file as `PUBLISHED` and runs `work`; undefined if it does not exist. Readers and a stray write-ahead log do no harm.
 * @throws WarehouseError (storage) when the target is not a file, or answerlake did not publish it
 */
export async function inspectPublished<T>(
  connection: Connection,
  targetPath: string,
  work: (published: Published, home: string) => Promise<T>,
): Promise<T | undefined> {
  const stat = statSync(targetPath, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw foreign(targetPath, 'is a folder or a device, not a file');
  // From here on, a failure may concern the working file.
  let isRead = false;
  // Under another name, DuckDB does not find a stray write-ahead log of the file.
  const inspect = async (give: (from: string, to: string) => void): Promise<T> => {
    const path = temporaryName(targetPath);
    try {
      give(targetPath, path);
      return await withAttached(connection, { path, alias: PUBLISHED }, async (home) => {
        await connection.run(`use ${PUBLISHED}`);
        const version = (await schemaVersion(connection)) ?? 0;
        if (version === 0) throw foreign(targetPath, 'was not published by answerlake');
        const settings = await readSettings(connection);
        await connection.run(`use ${quoteIdentifier(home)}`);
        isRead = true;
        return await work({ schemaVersion: version, settings }, home);
      });
    } finally {
      rmSync(path, { force: true });
    }
  };
  try {
    // A copy if links are not available or another process holds the file.
    return await inspect(linkSync).catch((error: unknown) => {
      const isHeldOrUnlinked = !(error instanceof WarehouseError) || error.problem === 'locked';
      if (isRead || !isHeldOrUnlinked) throw error;
      return inspect(copyFileSync);
    });
  } catch (error) {
    throw isRead ? error : ofTarget(error, targetPath);
  }
}

/** A failure to open or copy the published file, reported with its own path instead of the temporary one. */
function ofTarget(error: unknown, path: string): unknown {
  const explained = explainFailure(error, path);
  if (!(explained instanceof WarehouseError) || explained.problem === 'foreign') return explained;
  const { problem, reason } = explained;
  if (problem === 'not a database') return foreign(path, 'is not a DuckDB file', error);
  return new WarehouseError(reason, { problem, path, cause: error });
}

function foreign(path: string, why: string, cause?: unknown): WarehouseError {
  const reason = [`${why};`, 'move it away or configure another warehouse path'];
  return new WarehouseError(reason, { problem: 'foreign', path, cause });
}

interface Attachment {
  path: string;
  alias: string;
  /** The `storage_version` of a new file; it is complete once it has a checkpoint. Without it, the file is attached read-only. */
  storageVersion?: string;
}

/** Attaches a file, runs `work`, then detaches the file and restores the current database, whose name `work` receives. */
export async function withAttached<T>(
  connection: Connection,
  attachment: Attachment,
  work: (home: string) => Promise<T>,
): Promise<T> {
  const home = await connection.currentDatabase();
  const goHome = `use ${quoteIdentifier(home)}`;
  const { path, alias, storageVersion } = attachment;
  // The file is useless until it is complete, so skip the write-ahead log.
  const mode =
    storageVersion === undefined
      ? 'read_only'
      : `recovery_mode 'no_wal_writes', storage_version ${quoteLiteral(storageVersion)}`;
  await connection.run(`attach ${quoteLiteral(path)} as ${alias} (${mode})`);
  try {
    return await work(home);
  } finally {
    try {
      await connection.run(`${goHome}; detach ${alias}`);
    } catch {
      // After a failed checkpoint (a full disk) of the current database, no statement runs until it is detached.
      using other = await connection.another();
      await other.run(`detach ${alias}`);
      await connection.run(goHome);
    }
  }
}

const countRow = z.object({
  only_published: z.number(),
  only_working: z.number(),
  newest: z.string().nullable(),
});

/** The setting that keeps which file was published last. */
export const PUBLISHED_FILE = 'published_file';

/** Identifies a file and its state without reading it. */
export function fileMark(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs].join(' ');
}

/**
 * Whether the published file can replace the working file: it has runs that the working file, a restored backup, lacks, and the
 * working file has none of its own.
 * @throws WarehouseError (storage) when each file has runs that the other lacks
 */
export async function isBehind(connection: Connection, publishedPath: string): Promise<boolean> {
  const target = resolveTarget(publishedPath);
  if (!existsSync(target) || (await readSetting(connection, PUBLISHED_FILE)) === fileMark(target))
    return false;
  const inspected = inspectPublished(connection, target, async (_, home) => {
    const catalogs = { own: quoteIdentifier(home), published: PUBLISHED };
    const [counts] = await connection.rowsAs(countRow, readSql('warehouse/lacking-runs', catalogs));
    return counts;
  });
  const found = await inspected.catch((error: unknown) => {
    // A damaged or foreign file is reported where it would be replaced.
    if (!(error instanceof WarehouseError)) throw error;
    return undefined;
  });
  if (found === undefined || found.only_published === 0) return false;
  if (found.only_working === 0) return true;
  const { only_published: published, only_working: working, newest } = found;
  const what = `has ${counted(published, 'run')} that the working file lacks (the newest of ${newest ?? 'an unknown time'} UTC), and lacks ${counted(working, 'run')} of the working file: one of the two was restored or copied, and nothing was changed.`;
  const todo = `To keep the published state, move ${connection.path} away; to keep the working file, move the published file away; then run again`;
  throw new WarehouseError([what, todo], { problem: 'apart', path: publishedPath });
}
