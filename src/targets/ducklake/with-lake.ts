import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf, AnswerlakeError, usageError, shellWord } from '../../errors.ts';
import { resolveTarget } from '../../warehouse/published.ts';
import { putInPlace } from '../../publish/publish.ts';
import * as fileNames from '../../warehouse/database-files.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { withNewFilesFor } from '../../warehouse/database.ts';
import { readSqlData } from '../../files.ts';
import { quoteLiteral } from '../../warehouse/sql.ts';
import { readSetting, writeSettings } from '../../warehouse/tables.ts';
import { createAddressRedactor } from '../../redact.ts';
import { type Secret, withSecret } from '../../secret.ts';
import { storageProblem, WarehouseError } from '../../warehouse/failure.ts';
import { duckdb } from '../../warehouse/duckdb.ts';

/** What messages of DuckDB and its extensions mean. */
const remedies = z.array(z.object({ sign: z.string(), what: z.string(), remedy: z.string() }));

const UNKNOWN = {
  what: 'could not be brought up to date, and is unchanged; its files are in {data}:',
  remedy: 'fix what stopped DuckDB, and run answerlake publish',
};

/** Explains a failure without the address of the catalog. The lake is unchanged. */
function explainLakeFailure(error: unknown, settings: LakeSettings): unknown {
  if (error instanceof AnswerlakeError && !(error instanceof WarehouseError)) return error;
  const said = messageOf(error instanceof WarehouseError ? (error.cause ?? error) : error);
  const { catalog } = settings;
  const safe = typeof catalog === 'string' ? said : createAddressRedactor(catalog)(said);
  const short = safe.split('\n').slice(0, 2).join(' ').slice(0, 400);
  const known = remedies.parse(readSqlData('ducklake/errors'));
  const found = known.find(({ sign }) => new RegExp(sign, 'i').test(said));
  const { what, remedy } = found ?? UNKNOWN;
  const problem = (found === undefined ? storageProblem(error) : undefined) ?? 'unreadable';
  const reason = [what.replace('{data}', () => settings.data), `${remedy}. DuckDB says: ${short}`];
  // No cause: it may hold the address with its password.
  return new WarehouseError(reason, { problem, path: catalogName(settings) });
}

/** The place of a lake. */
export interface LakePlace {
  /** A file, or the address of PostgreSQL. */
  catalog: string | Secret;
  /** A folder, or `s3://bucket/prefix`; each lake has a folder of its own in it. */
  data: string;
  /** The folder with DuckDB's extensions. */
  extensions: string;
}

/** The settings for writing a lake. */
export interface LakeSettings extends LakePlace {
  /** The mode of the files, as of the published file. */
  mode: number;
  /** A table with more files is compacted; for tests. */
  maxFiles?: number;
}

/** The catalog in messages, without its secret. */
export function catalogName({ catalog }: Pick<LakeSettings, 'catalog'>): string {
  return typeof catalog === 'string' ? catalog : `the catalog in PostgreSQL (${catalog.origin})`;
}

export const isBucket = (data: string): boolean => data.startsWith('s3://');

/** The name of the lake while it is attached. */
export const LAKE = fileNames.CATALOGS.lake;

// Rows that DuckLake keeps in its catalog lose the last digit of doubles (measured with 1.5.5).
const NO_INLINING = 'data_inlining_row_limit 0';

/** As DuckDB attaches it; with PostgreSQL, it carries the password. libpq ends the password at the first @, so every one but the last is encoded. */
export function catalogAddress(catalog: LakeSettings['catalog']): string {
  return `ducklake:${typeof catalog === 'string' ? catalog : `postgres:${new URL(catalog.reveal()).href}`}`;
}

/** The words of libpq; null for any other error. */
function refusalOf(error: unknown): string | null {
  const sign = /authentication failed|no pg_hba|could not translate host|connection refused|does not exist/i;
  return sign.exec(messageOf(error))?.[0] ?? null;
}

/** Changes a lake; false if nothing changed. */
type Work = () => Promise<boolean>;

/**
 * Attaches the lake as `LAKE` for `work`, or creates it, and shows readers the new state at the end: a catalog in PostgreSQL is
 * changed in a transaction; a catalog file is copied, changed, and put in place whole, because a process that writes a DuckDB file
 * locks out every reader.
 */
export async function withLake(
  connection: Connection,
  settings: LakeSettings & { now: number },
  work: Work,
): Promise<void> {
  const { catalog, now, mode } = settings;
  if (typeof catalog !== 'string') {
    await withSecret(catalog, refusalOf, () =>
      attached(connection, { address: catalogAddress(catalog), settings, mayExist: true }, work),
    );
    return;
  }
  const target = resolveTarget(catalog);
  await withNewFilesFor(mode, async () => mkdirSync(dirname(target), { recursive: true }));
  fileNames.removeLeftovers(target);
  const temporary = fileNames.temporaryName(target);
  try {
    const mayExist = existsSync(target);
    if (mayExist) fileNames.copyDatabase(target, temporary);
    const copy = { address: catalogAddress(temporary), settings, mayExist };
    if (await attached(connection, copy, work)) putInPlace(temporary, target, { now, mode });
  } finally {
    fileNames.removeDatabase(temporary);
  }
}

async function attached(
  connection: Connection,
  { address, settings, mayExist }: { address: string; settings: LakeSettings; mayExist: boolean },
  work: Work,
): Promise<boolean> {
  const attach = async (id: string, options: readonly string[]): Promise<void> => {
    const { data } = settings;
    const path = isBucket(data) ? `${data.replace(/\/+$/, '')}/${id}/` : join(data, id, '/');
    const all = [`data_path ${quoteLiteral(path)}`, NO_INLINING, ...options].join(', ');
    await connection.run(`attach ${quoteLiteral(address)} as ${LAKE} (${all})`);
  };
  let isNew = !mayExist;
  if (mayExist) {
    try {
      // No lake has the id 'none', so the lake of another program is refused for its path.
      const id = (await readSetting(connection, SETTING)) ?? 'none';
      await attach(id, ['create_if_not_exists false']);
    } catch (error) {
      // A catalog file without a lake belongs to another program.
      if (typeof settings.catalog === 'string' || !/explicitly disabled/.test(messageOf(error))) throw error;
      isNew = true;
    }
  }
  if (isNew) {
    const id = randomUUID();
    // Before the lake is created: one whose id is not stored belongs to another program.
    await writeSettings(connection, { [SETTING]: id });
    await attach(id, []);
  }
  let isChanged = false;
  try {
    isChanged = await work();
  } catch (error) {
    await connection.run(`detach ${LAKE}`).catch(() => undefined);
    throw error;
  }
  await connection.run(`detach ${LAKE}`);
  return isChanged;
}

/** The id of the lake that this warehouse writes, and the name of the folder of its files. Not one of the `published…` settings, so that it outlives a rebuild of the working file. */
const SETTING = 'lake_id';

type Extension = 'ducklake' | 'postgres_scanner' | 'httpfs';

/** The extensions of DuckDB that a lake needs, depending on where its catalog and its files are. */
export function requiredExtensions({ catalog, data }: Pick<LakeSettings, 'catalog' | 'data'>): Extension[] {
  return [
    'ducklake',
    ...(typeof catalog === 'string' ? [] : ['postgres_scanner' as const]),
    ...(isBucket(data) ? ['httpfs' as const] : []),
  ];
}

/**
 * Loads the extensions from their folder; nothing is downloaded. DuckDB checks their signature and version.
 * @throws AnswerlakeError (configuration) with the command that installs missing extensions and those of another version
 */
export async function loadExtensions(connection: Connection, settings: LakeSettings): Promise<void> {
  const needed = requiredExtensions(settings);
  const { extensions: folder } = settings;
  const found = needed.map((name) => {
    const file = `${name}.duckdb_extension`;
    // In the folder itself, or where pip unpacks the package.
    const packaged = join(`duckdb_extension_${name}`, 'extensions', duckdb.version(), file);
    return [name, [file, packaged].map((path) => join(folder, path)).find(existsSync)] as const;
  });
  const missing = found.flatMap(([name, path]) => (path === undefined ? [name] : []));
  if (missing.length > 0) {
    throw refusal(folder, needed, `has no ${missing.join(', ')} for DuckDB ${duckdb.version()}`);
  }
  for (const [name, path = ''] of found) {
    try {
      await connection.run(`load ${quoteLiteral(path)}`);
    } catch (error) {
      const reason = messageOf(error instanceof AnswerlakeError ? (error.cause ?? error) : error);
      throw refusal(folder, needed, `has a ${name} that DuckDB cannot load: ${reason.split('\n')[0] ?? ''}`);
    }
  }
}

/** Names the command that installs extensions of exactly this DuckDB. */
function refusal(folder: string, needed: readonly Extension[], what: string): AnswerlakeError {
  const version = duckdb.version().replace(/^v/, '');
  const packages = needed.map((name) => `duckdb-extension-${name.replaceAll('_', '-')}==${version}`);
  const command = `python3 -m pip install --no-deps --upgrade --target ${shellWord(folder)} ${packages.join(' ')}`;
  return usageError([
    `warehouse.extensions: ${folder} ${what}.`,
    `Run ${command}, or set warehouse.extensions to the folder that has them.`,
  ]);
}

const NAME = 'answerlake_lake';

/**
 * Runs `work` with the extensions and, if the files are in a bucket, with the key to it, which DuckDB has in memory only.
 * @throws AnswerlakeError (configuration) if an extension or the key is missing, else one that names the obstacle
 */
export async function withExtensions<T>(
  connection: Connection,
  settings: LakeSettings,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await loadExtensions(connection, settings);
    if (!isBucket(settings.data)) return await work();
    await createBucketSecret(connection);
    try {
      return await work();
    } finally {
      await connection.run(`drop temporary secret if exists ${NAME}`);
    }
  } catch (error) {
    throw explainLakeFailure(error, settings);
  }
}

export async function createBucketSecret(connection: Connection): Promise<void> {
  const { bucketAccess } = await import('../../bucket/bucket.ts');
  const { endpoint, region, credentials, encryption } = bucketAccess(process.env);
  const { protocol, host } = new URL(endpoint);
  const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
  if (encryption.kind !== '' && encryption.key === undefined)
    throw usageError([
      'A lake in a bucket is encrypted as the bucket says, or with the key ANSWERLAKE_S3_KMS_KEY:',
      'unset ANSWERLAKE_S3_ENCRYPTION, or set the key.',
    ]);
  const options = Object.entries({
    key_id: accessKeyId,
    secret: secretAccessKey,
    ...(sessionToken === undefined ? {} : { session_token: sessionToken }),
    ...(encryption.key === undefined ? {} : { kms_key_id: encryption.key }),
    region,
    endpoint: host,
    url_style: 'path',
    use_ssl: String(protocol === 'https:'),
  }).map(([name, value]) => `${name} ${quoteLiteral(value)}`);
  await connection.run(`create or replace temporary secret ${NAME} (type s3, ${options.join(', ')})`);
}
