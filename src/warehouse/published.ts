import { copyFileSync, linkSync, lstatSync, realpathSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CATALOGS, temporaryName } from './file-names.ts';
import type { Connection } from './connection.ts';
import { withAttached } from './attached.ts';
import { explainFailure, WarehouseError } from './failure.ts';
import { schemaVersion } from './migrate.ts';
import { readSettings } from './settings.ts';
import { quoteIdentifier } from './sql.ts';

/** What the file of an earlier publish says of itself. */
export interface Published {
  schemaVersion: number;
  settings: ReadonlyMap<string, string>;
}

/** The name of the published file while it is attached. */
export const PUBLISHED = CATALOGS.published;

/** The absolute path of the target, or of the file that it points to when it is a symbolic link. @throws WarehouseError (storage) when it is a link to nothing */
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
 * Reads the published file, attached as `PUBLISHED`, with `work`; undefined when it does not exist. Readers and a stray write-ahead log do no harm.
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
  // What fails from then on may be about the working file.
  let isRead = false;
  // Under another name, DuckDB finds no write-ahead log that may lie beside the file.
  const inspect = async (give: (from: string, to: string) => void): Promise<T> => {
    const path = temporaryName(targetPath);
    try {
      give(targetPath, path);
      return await withAttached(connection, { path, alias: PUBLISHED }, async (home) => {
        await connection.run(`use ${PUBLISHED}`);
        const published = await read(connection, targetPath);
        await connection.run(`use ${quoteIdentifier(home)}`);
        isRead = true;
        return await work(published, home);
      });
    } finally {
      rmSync(path, { force: true });
    }
  };
  try {
    // A copy where there are no links, or another process holds the file.
    return await inspect(linkSync).catch((error: unknown) => {
      const isHeldOrUnlinked = !(error instanceof WarehouseError) || error.problem === 'locked';
      if (isRead || !isHeldOrUnlinked) throw error;
      return inspect(copyFileSync);
    });
  } catch (error) {
    throw isRead ? error : ofTarget(error, targetPath);
  }
}

/** A failure to open or copy the published file, with the path of that file, not the temporary name. */
function ofTarget(error: unknown, path: string): unknown {
  const explained = explainFailure(error, path);
  if (!(explained instanceof WarehouseError) || explained.problem === 'foreign') return explained;
  const { problem, reason } = explained;
  if (problem === 'not a database') return foreign(path, 'is not a DuckDB file', error);
  return new WarehouseError(reason, { problem, path, cause: error });
}

async function read(connection: Connection, targetPath: string): Promise<Published> {
  const version = await schemaVersion(connection);
  if (version === undefined || version === 0) throw foreign(targetPath, 'was not published by answerlake');
  return { schemaVersion: version, settings: await readSettings(connection) };
}

function foreign(path: string, why: string, cause?: unknown): WarehouseError {
  return new WarehouseError(`${why}; move it away or configure another warehouse path`, {
    problem: 'foreign',
    path,
    cause,
  });
}
