import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { openDispatcher } from '../connect.ts';
import { messageOf, storageError, usageError } from '../errors.ts';
import { isLoopback } from '../secret.ts';
import { textOf } from './xml.ts';

/** The credentials that sign requests to a bucket. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

interface Question {
  name: string;
  url: string;
  /** The platform's own address, which no proxy reaches. */
  isPlatform: boolean;
  headers?: Record<string, string>;
  /** Sent with POST; left out: GET. */
  form?: Record<string, string>;
  read: (body: string) => unknown;
}

const filled = z.string().min(1);

/** Credentials of a role, with their expiry (milliseconds since the epoch). */
const roleCredentials = z
  .object({
    AccessKeyId: filled,
    SecretAccessKey: filled,
    Token: filled,
    Expiration: z.iso.datetime({ offset: true }),
  })
  .transform(
    ({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration }) => {
      return { accessKeyId, secretAccessKey, sessionToken, expiresAt: Date.parse(Expiration) };
    },
  );
type RoleCredentials = z.output<typeof roleCredentials>;

const DEADLINE_MS = 10_000;
/** AWS makes new ones available five minutes before the old ones expire. */
const RENEW_BEFORE_MS = 300_000;

/**
 * Returns the current credentials, from the variables that every S3 tool uses: a key, the identity of a pod, or the address of a
 * container's role.
 * @throws AnswerlakeError (configuration) if the variables name none; the function throws storage if the role is refused
 */
export function credentialSource(env: Env, region: string, now = Date.now): () => Promise<Credentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId && secretAccessKey) {
    const sessionToken = env['AWS_SESSION_TOKEN'];
    const key = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
    return () => Promise.resolve(key);
  }
  const ask = questionOf(env, region);
  if (ask === null)
    throw usageError(
      'An s3:// folder needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or the role of the platform (AWS_ROLE_ARN with AWS_WEB_IDENTITY_TOKEN_FILE, or AWS_CONTAINER_CREDENTIALS_FULL_URI).',
    );
  let held: RoleCredentials | null = null;
  let coming: Promise<RoleCredentials> | null = null;
  return async () => {
    if (held !== null && now() < held.expiresAt - RENEW_BEFORE_MS) return held;
    coming ??= fetchCredentials(ask()).finally(() => (coming = null));
    try {
      held = await coming;
    } catch (error) {
      if (held === null || now() >= held.expiresAt) throw error;
    }
    return held;
  };
}

/** Token files are read each time, because the platform replaces them; null: there is no role. */
function questionOf(env: Env, region: string): (() => Question) | null {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile } = env;
  if (role && tokenFile) {
    const url =
      env['AWS_ENDPOINT_URL_STS'] || env['AWS_ENDPOINT_URL'] || `https://sts.${region}.amazonaws.com`;
    return () => ({
      name: `the role ${role}`,
      url,
      isPlatform: false,
      form: {
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: role,
        RoleSessionName: env['AWS_ROLE_SESSION_NAME'] || 'answerlake',
        WebIdentityToken: readToken('AWS_WEB_IDENTITY_TOKEN_FILE', tokenFile),
      },
      read: (xml) => ({
        AccessKeyId: textOf(xml, 'AccessKeyId'),
        SecretAccessKey: textOf(xml, 'SecretAccessKey'),
        Token: textOf(xml, 'SessionToken'),
        Expiration: textOf(xml, 'Expiration'),
      }),
    });
  }
  const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const url = relative ? `http://169.254.170.2${relative}` : env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (!url) return null;
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  const isPlatform = isLoopback(hostname) || PLATFORM_HOSTS.has(hostname);
  if (protocol !== 'https:' && !isPlatform)
    throw usageError(
      'AWS_CONTAINER_CREDENTIALS_FULL_URI: the credentials of a role come over https, or from an address of this host.',
    );
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: text } = env;
  return () => {
    const token = file ? readToken('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', file) : text;
    const headers = token ? { authorization: token } : {};
    return { name: 'the role of the container', url, isPlatform, headers, read: JSON.parse };
  };
}

/** Of ECS and of EKS. */
const PLATFORM_HOSTS: ReadonlySet<string> = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]']);

function readToken(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw storageError(`${variable}: the token cannot be read (${messageOf(error)}).`, error);
  }
}

/** @throws AnswerlakeError (storage) if the role is refused; any other error may be temporary */
async function fetchCredentials({ name, url, isPlatform, headers, form, read }: Question) {
  const dispatcher = isPlatform ? new Agent() : openDispatcher(url);
  const sent = form && { method: 'POST', body: new URLSearchParams(form).toString() };
  const type = form && { 'content-type': 'application/x-www-form-urlencoded' };
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const answer = await request(url, { dispatcher, ...sent, headers: { ...headers, ...type }, signal });
    const status = answer.statusCode;
    const text = await answer.body.text();
    const told = `${String(status)} ${textOf(text, 'Code') ?? ''}`.trim();
    if (status === 429 || status >= 500) throw new Error(`${name} was answered with ${told}`);
    if (status !== 200)
      throw storageError([`${name} was refused with ${told}:`, 'check what the role trusts, and its token.']);
    return roleCredentials.parse(read(text));
  } finally {
    await dispatcher.close();
  }
}
