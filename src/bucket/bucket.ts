import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { request } from 'undici';
import { connectionFault, openDispatcher } from '../connect.ts';
import { AnswerlakeError, usageError, storageError } from '../errors.ts';
import { credentialSource, type Env } from './credentials.ts';
import type { Store } from './folder.ts';
import { readListing, textOf } from './xml.ts';

/** Objects below one prefix of S3-compatible storage. */
export interface Bucket extends Store {
  /** Names and sizes of all objects whose name begins with `start`. */
  sizes(start: string): Promise<Map<string, number>>;
}

const TRIES = 4;
const WAIT_MS = 250;
const DEADLINE_MS = 300_000;
/** The longest pause between a request and its answer, or within the answer, before the request is repeated. */
const SILENCE_MS = 30_000;

interface Call {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Null: the bucket itself. */
  name: string | null;
  query?: Record<string, string>;
  body?: Buffer;
}

interface Answer {
  status: number;
  body: Buffer;
}

/** Opens `s3://bucket/prefix`, addressed by path. @throws AnswerlakeError (configuration) on an invalid URL */
export function openBucket(url: string, access: BucketAccess, signal: AbortSignal): Bucket {
  const [, bucket, rest = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/.exec(url) ?? [];
  if (bucket === undefined) throw usageError([`${url} is not a bucket URL:`, 'write s3://bucket/folder.']);
  const folder = rest.replace(/\/+$/, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  const agent = openDispatcher(access.endpoint);
  const send = async (call: Call): Promise<Answer> => {
    const key = call.name === null ? '' : `/${prefix}${call.name}`;
    const target = new URL(`${access.endpoint}/${bucket}${key.split('/').map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(call.query ?? {})) target.searchParams.set(name, value);
    const { method, body } = call;
    const sha256 = createHash('sha256').update(body ?? '');
    const headers = {
      'x-amz-content-sha256': sha256.digest('hex'),
      ...(method === 'PUT' && encryptionHeaders(access.encryption)),
    };
    const { region } = access;
    const credentials = await access.credentials();
    const asked = { method, url: target.href, headers, ...credentials, service: 's3', region };
    const signed = await new AwsV4Signer(asked).sign();
    const answer = await request(signed.url, {
      dispatcher: agent,
      method,
      headers: Object.fromEntries(signed.headers),
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
      headersTimeout: access.silenceMs,
      bodyTimeout: access.silenceMs,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) };
  };
  const done = async (call: Call, allowed: readonly number[]): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === TRIES;
      const answer = await send(call).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof AnswerlakeError) throw error;
        const { message, advice, isFinal } = connectionFault(access.endpoint, error);
        if (!isLast && !isFinal) return null;
        const todo = advice ?? 'check AWS_ENDPOINT_URL and the network';
        throw storageError([`${url} cannot be reached: ${message};`, todo], error);
      });
      if (answer !== null) {
        if (allowed.includes(answer.status)) return answer;
        if (isLast || (answer.status !== 429 && answer.status < 500)) throw refusal(url, call, answer);
      }
      await sleep(WAIT_MS * 2 ** attempt, undefined, { signal });
    }
  };
  async function* pages(asked: Record<string, string>): AsyncGenerator<ReturnType<typeof readListing>> {
    let token: string | null = null;
    do {
      const next: Record<string, string> = token === null ? {} : { 'continuation-token': token };
      const query = { 'list-type': '2', ...asked, ...next };
      const { body } = await done({ method: 'GET', name: null, query }, [200]);
      const page = readListing(body.toString());
      yield page;
      token = page.next;
    } while (token !== null);
  }
  const sizes: Bucket['sizes'] = async (start) => {
    const found = new Map<string, number>();
    for await (const { objects } of pages({ prefix: prefix + start })) {
      for (const { key, bytes } of objects) found.set(key.slice(prefix.length), bytes);
    }
    return found;
  };
  return {
    sizes,
    list: async (start) => [...(await sizes(start)).keys()].sort(),
    folders: async () => {
      const found: string[] = [];
      for await (const { folders } of pages({ prefix, delimiter: '/' })) {
        found.push(...folders.map((name) => name.slice(prefix.length, -1)));
      }
      return found.sort();
    },
    read: async (name) => {
      const call: Call = { method: 'GET', name };
      const answer = await done(call, [200, 404]);
      if (answer.status !== 404) return answer.body;
      if (codeOf(answer) === 'NoSuchBucket') throw refusal(url, call, answer);
      return null;
    },
    write: async (name, body) => void (await done({ method: 'PUT', name, body }, [200, 201, 204])),
    remove: async (name) => void (await done({ method: 'DELETE', name }, [200, 202, 204, 404])),
    [Symbol.asyncDispose]: async () => await agent.close(),
  };
}

/** S3's own name for a refusal. */
function codeOf({ body }: Answer): string {
  return (textOf(body.toString(), 'Code') ?? '').slice(0, 100);
}

const REMEDIES: Readonly<Record<string, readonly number[]>> = {
  'check AWS_REGION and AWS_ENDPOINT_URL': [301, 302, 307],
  'check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role, and what it may do': [401, 403],
  'check the name of the bucket': [404],
};

function refusal(url: string, { method, name }: Call, answer: Answer): AnswerlakeError {
  const told = `${String(answer.status)} ${codeOf(answer)}`.trim();
  const found = Object.entries(REMEDIES).find(([, statuses]) => statuses.includes(answer.status));
  const remedy = found?.[0] ?? 'run again later';
  return storageError([`${url}: ${method} ${name ?? 'listing'} was answered with ${told};`, `${remedy}.`]);
}

/** The credentials and the address: `endpoint` is an origin without a trailing slash. */
type BucketAccess = ReturnType<typeof bucketAccess>;

/** Reads the variables that every S3 tool uses. @throws AnswerlakeError (configuration) if one is missing or wrong */
export function bucketAccess(env: Env) {
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  const endpoint =
    env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || `https://s3.${region}.amazonaws.com`;
  const example = 'https://storage.example.com';
  if (!/^https?:\/\/[^/?#@]+\/?$/.test(endpoint))
    throw usageError(['AWS_ENDPOINT_URL is not an origin:', `write one, for example ${example}.`]);
  const credentials = credentialSource(env, region);
  const encryption = encryptionOf(env);
  return { endpoint: endpoint.replace(/\/$/, ''), region, credentials, encryption, silenceMs: SILENCE_MS };
}

/** The encryption that a write requests if the bucket's default is not enough: its kind, '' for none, and its key. @throws AnswerlakeError (configuration) */
function encryptionOf(env: Env) {
  const key = env['ANSWERLAKE_S3_KMS_KEY'] || undefined;
  const kind = env['ANSWERLAKE_S3_ENCRYPTION'] || (key === undefined ? '' : 'aws:kms');
  if (!['', 'AES256', 'aws:kms'].includes(kind) || (key !== undefined && kind !== 'aws:kms'))
    throw usageError([
      'ANSWERLAKE_S3_ENCRYPTION:',
      'write AES256 or aws:kms; ANSWERLAKE_S3_KMS_KEY belongs to aws:kms.',
    ]);
  return { kind, key };
}

function encryptionHeaders({ kind, key }: BucketAccess['encryption']): Record<string, string> {
  const header = 'x-amz-server-side-encryption';
  return {
    ...(kind === '' ? {} : { [header]: kind }),
    ...(key === undefined ? {} : { [`${header}-aws-kms-key-id`]: key }),
  };
}
