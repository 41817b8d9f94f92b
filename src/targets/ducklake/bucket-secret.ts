import { bucketAccess } from '../../bucket/bucket-access.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { quoteLiteral } from '../../warehouse/quote.ts';

const NAME = 'answerlake_lake';

/** Gives DuckDB the key to the bucket while `work` runs, in memory only. @throws AnswerlakeError (configuration) where it is missing */
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
