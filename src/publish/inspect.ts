import { constants, copyFileSync, linkSync, lstatSync, realpathSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { WarehouseError } from '../warehouse/failure.ts';
import { schemaVersion } from '../warehouse/migrate.ts';
import { withAttached } from './attach.ts';
import { temporaryName } from './names.ts';

/** What the file of an earlier publish holds. */
export interface Published {
  schemaVersion: number;
  settings: Map<string, string | null>;
  fingerprint: string | null;
}

/** The absolute path of the target, or of the file that it points to when it is a symbolic link. */
export function resolveTarget(targetPath: string): string {
  const path = resolve(targetPath);
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? realpathSync(path) : path;
}

/**
 * Reads the published file, without its fingerprint when no query for one is given; undefined when there is none. Readers and a stray write-ahead log do no harm.
 * @throws WarehouseError (storage) when the target is not a file, or answerlake did not publish it
 */
export async function inspectPublished(
  connection: Connection,
  targetPath: string,
  fingerprintSql: string | null = null,
): Promise<Published | undefined> {
  const stat = statSync(targetPath, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw foreign(targetPath, 'is a folder or a device, not a file');
  const inspect = (path: string): Promise<Published> =>
    withAttached(connection, { path, alias: 'published' }, () =>
      read(connection, targetPath, fingerprintSql),
    );
  try {
    // Under another name, DuckDB does not find a write-ahead log that may lie beside the file.
    return await withName(targetPath, linkSync, inspect);
  } catch (error) {
    const isHeld = error instanceof WarehouseError && error.problem === 'locked';
    if (isHeld || isLinkFailure(error)) return await withName(targetPath, copy, inspect);
    if (error instanceof WarehouseError && ['not a database', 'corrupt'].includes(error.problem)) {
      throw foreign(targetPath, 'is not a sound DuckDB file', error);
    }
    throw error;
  }
}

async function read(
  connection: Connection,
  targetPath: string,
  fingerprintSql: string | null,
): Promise<Published> {
  await connection.run('use published');
  const version = await schemaVersion(connection);
  if (version === undefined || version === 0) throw foreign(targetPath, 'was not published by answerlake');
  const settings = await connection.rowsAs(
    z.object({ name: z.string(), value: z.string().nullable() }),
    'select name, value from meta.settings',
  );
  return {
    schemaVersion: version,
    settings: new Map(settings.map(({ name, value }) => [name, value])),
    fingerprint: fingerprintSql === null ? null : await fingerprint(connection, fingerprintSql),
  };
}

/** The rows of the fingerprint query as text; an older schema may lack the tables it reads. */
export async function fingerprint(connection: Connection, fingerprintSql: string): Promise<string> {
  const [same] = await connection.rowsAs(
    z.object({ found: z.number() }),
    `select count(*) as found from duckdb_tables()
     where database_name = current_database() and schema_name = 'meta' and table_name = 'expected_series'`,
  );
  return same?.found === 1 ? JSON.stringify(await connection.rows(fingerprintSql)) : 'older schema';
}

async function withName<T>(
  targetPath: string,
  give: (from: string, to: string) => void,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const name = temporaryName(targetPath);
  try {
    give(targetPath, name);
    return await work(name);
  } finally {
    rmSync(name, { force: true });
  }
}

function copy(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
}

function isLinkFailure(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'link';
}

function foreign(path: string, why: string, cause?: unknown): WarehouseError {
  return new WarehouseError(`${why}; move it away or configure another warehouse path`, {
    problem: 'foreign',
    path,
    cause,
  });
}
