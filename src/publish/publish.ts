import { mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { AnswerlakeError } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import { explainFailure, WarehouseError } from '../warehouse/failure.ts';
import { requireUsableName } from '../warehouse/file-names.ts';
import { withAttached } from './attach.ts';
import { runChecks } from './checks.ts';
import { inspectPublished, resolveTarget } from './inspect.ts';
import { removeLeftovers, temporaryName } from './names.ts';
import { DEFAULT_MODE, putInPlace, sizeOf } from './put-in-place.ts';
import { quoteLiteral } from '../warehouse/quote.ts';
import { createViews, viewsDigest } from './views.ts';
import { nameRow } from '../warehouse/name-row.ts';

export interface PublishOptions {
  /** A connection to the working file; its current database is published. */
  connection: Connection;
  /** The file for readers. */
  targetPath: string;
  /** The oldest DuckDB that can read the file. Default: `v1.0.0` (DuckDB 1.1 and newer); `latest` is refused. */
  storageVersion?: string;
  /** Who may read the file. Default: 0444, everybody. */
  mode?: number;
  /** Memory limit during the publish, for example `2GB`. */
  memoryLimit?: string;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface PublishReport {
  path: string;
  bytes: number;
  durationMs: number;
  /** Rows by table, for example `core.visibility`. */
  tables: Record<string, number>;
  checks: string[];
}

export const DEFAULT_STORAGE_VERSION = 'v1.0.0';
const ALIAS = 'publishing';

/**
 * Copies the working file to the target, as a whole or not at all, after all checks. Readers of the old file keep reading it.
 * @throws AnswerlakeError `configuration` (exit 2) on a bad storage version; `storage` (exit 7) when the target
 * cannot be replaced or a check fails; the target is then unchanged
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const started = performance.now();
  const storageVersion = requireStorageVersion(options.storageVersion ?? DEFAULT_STORAGE_VERSION);
  requireUsableName(options.targetPath);
  try {
    const target = resolveTarget(options.targetPath);
    mkdirSync(dirname(target), { recursive: true });
    removeLeftovers(target, options.now);
    await inspectPublished(options.connection, target);
    const temporary = temporaryName(target);
    try {
      const built = await withMemoryLimit(options, () => build(options, { path: temporary, storageVersion }));
      const bytes = sizeOf(temporary);
      putInPlace(temporary, target, { now: options.now, mode: options.mode ?? DEFAULT_MODE });
      return { path: target, bytes, durationMs: performance.now() - started, ...built };
    } finally {
      rmSync(temporary, { force: true });
      rmSync(`${temporary}.wal`, { force: true });
    }
  } catch (error) {
    throw explainPublish(error, resolve(options.targetPath));
  }
}

async function build(
  options: PublishOptions,
  file: { path: string; storageVersion: string },
): Promise<{ tables: Record<string, number>; checks: string[] }> {
  const { connection } = options;
  return await withAttached(connection, { ...file, alias: ALIAS }, async (home) => {
    await connection.run(`copy from database ${home} to ${ALIAS}`);
    await connection.run(`use ${ALIAS}`);
    await createViews(connection);
    await stamp(connection, file.storageVersion, options.now);
    const checks = await runChecks(connection);
    const tables = await countRows(connection);
    await connection.run(`checkpoint ${ALIAS}`);
    return { tables, checks };
  });
}

async function stamp(connection: Connection, storageVersion: string, now: number): Promise<void> {
  await connection.run(`delete from meta.settings where name like 'published%'`);
  await connection.appendRows({
    catalog: ALIAS,
    schema: 'meta',
    table: 'settings',
    columns: ['name', 'value'],
    rows: [
      ['published_at', new Date(now).toISOString()],
      ['published_storage_version', storageVersion],
      ['published_views', viewsDigest()],
    ],
  });
}

const countRow = z.object({ name: z.string(), found: z.number() });

async function countRows(connection: Connection): Promise<Record<string, number>> {
  const tables = await connection.rowsAs(
    nameRow,
    `select schema_name || '.' || table_name as name from duckdb_tables()
     where database_name = current_database() and not internal order by name`,
  );
  const counts = tables.map(
    ({ name }) => `select ${quoteLiteral(name)} as name, count(*) as found from ${name}`,
  );
  const rows = await connection.rowsAs(countRow, counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, found }) => [name, found]));
}

async function withMemoryLimit<T>(options: PublishOptions, work: () => Promise<T>): Promise<T> {
  const { connection, memoryLimit } = options;
  if (memoryLimit === undefined) return await work();
  const [before] = await connection.rowsAs(
    z.object({ value: z.string() }),
    `select current_setting('memory_limit') as value`,
  );
  await connection.run(`set memory_limit = '${memoryLimit.replaceAll("'", "''")}'`);
  try {
    return await work();
  } finally {
    await connection.run(`set memory_limit = '${before?.value ?? '80%'}'`);
  }
}

/** @throws AnswerlakeError (configuration) unless `version` is like `v1.0.0` */
export function requireStorageVersion(version: string): string {
  if (/^v\d+\.\d+\.\d+$/.test(version)) return version;
  throw new AnswerlakeError(
    `warehouse.storage_version: ${JSON.stringify(version)} is not a version such as v1.0.0; "latest" would lock out readers with an older DuckDB`,
    { class: 'configuration' },
  );
}

function explainPublish(error: unknown, target: string): unknown {
  const explained = explainFailure(error, target);
  if (!(explained instanceof WarehouseError) || explained.problem === 'foreign') return explained;
  return new WarehouseError(`not published, left as it was: ${explained.reason}`, {
    problem: explained.problem,
    path: target,
    cause: explained,
  });
}
