import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bucketAccess } from '../../bucket/bucket-access.ts';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import { shellWord } from '../../text.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { duckdb } from '../../warehouse/duckdb.ts';
import { quoteLiteral } from '../../warehouse/sql.ts';
import { isBucket, type LakeSettings } from './with-lake.ts';

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
  const found = needed.map((name) => [name, extensionPath(folder, name)] as const);
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

/** In the folder itself, or where pip unpacks the package. */
function extensionPath(folder: string, name: Extension): string | undefined {
  const file = `${name}.duckdb_extension`;
  const packaged = join(`duckdb_extension_${name}`, 'extensions', duckdb.version(), file);
  return [join(folder, file), join(folder, packaged)].find((path) => existsSync(path));
}

/** The command that installs extensions of exactly this DuckDB. */
function installCommand(folder: string, names: readonly Extension[]): string {
  const version = duckdb.version().replace(/^v/, '');
  const packages = names.map((name) => `duckdb-extension-${name.replaceAll('_', '-')}==${version}`);
  return `python3 -m pip install --no-deps --upgrade --target ${shellWord(folder)} ${packages.join(' ')}`;
}

function refusal(folder: string, needed: readonly Extension[], what: string): AnswerlakeError {
  return new AnswerlakeError(
    `warehouse.extensions: ${folder} ${what}. Run ${installCommand(folder, needed)}, or set warehouse.extensions to the folder that has them.`,
    { class: 'configuration' },
  );
}

const NAME = 'answerlake_lake';

/** Gives DuckDB the key to the bucket while `work` runs, in memory only. @throws AnswerlakeError (configuration) if the key is missing */
export async function withBucketSecret<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await createBucketSecret(connection);
  try {
    return await work();
  } finally {
    await connection.run(`drop temporary secret if exists ${NAME}`);
  }
}

export async function createBucketSecret(connection: Connection): Promise<void> {
  const { endpoint, region, credentials } = bucketAccess(process.env);
  const { protocol, host } = new URL(endpoint);
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const options = Object.entries({
    key_id: accessKeyId,
    secret: secretAccessKey,
    ...(sessionToken === undefined ? {} : { session_token: sessionToken }),
    region,
    endpoint: host,
    url_style: 'path',
    use_ssl: String(protocol === 'https:'),
  }).map(([name, value]) => `${name} ${quoteLiteral(value)}`);
  await connection.run(`create or replace temporary secret ${NAME} (type s3, ${options.join(', ')})`);
}
