import { usageError } from '../errors.ts';

/** Who asks, and where. */
export interface BucketAccess {
  /** Origin without a slash at the end. */
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads the variables that every tool for S3 knows. @throws AnswerlakeError (configuration) where one is missing */
export function bucketAccess(env: Env): BucketAccess {
  const accessKeyId = env['AWS_ACCESS_KEY_ID'] ?? '';
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'] ?? '';
  if (accessKeyId === '' || secretAccessKey === '') {
    throw usageError('An s3:// folder needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.');
  }
  const sessionToken = env['AWS_SESSION_TOKEN'] ?? '';
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  const endpoint =
    env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\/[^/?#@]+\/?$/.test(endpoint)) {
    throw usageError(
      `AWS_ENDPOINT_URL is ${endpoint}: write an origin, for example https://storage.example.com.`,
    );
  }
  return {
    endpoint: endpoint.replace(/\/$/, ''),
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) },
  };
}
