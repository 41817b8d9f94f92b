import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBucket, bucketAccess } from '../../src/bucket/bucket.ts';
import { credentialSource } from '../../src/bucket/credentials.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { openFolder } from '../support/folder.ts';
import { json, openScriptedServer, type Reply } from '../support/scripted-server.ts';

const never = new AbortController().signal;
const START = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;

/** The n-th credentials live for an hour from the n-th hour on. */
const credentials = (n: number) => ({
  AccessKeyId: `key-${n}`,
  SecretAccessKey: `secret-${n}`,
  Expiration: new Date(START + n * HOUR).toISOString(),
});

const xml =
  (text: string, status = 200): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/xml' }).end(text);

const assumed = (n: number): Reply => {
  const { AccessKeyId: id, SecretAccessKey: secret, Expiration: end } = credentials(n);
  return xml(
    `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey><SessionToken>t&amp;${n}</SessionToken><Expiration>${end}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
  );
};

async function serve(script: (n: number) => Reply) {
  const server = await openScriptedServer(script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

function tokenFile(token: string): string {
  const path = join(openFolder(), 'token');
  writeFileSync(path, `${token}\n`);
  return path;
}

test('a pod signs with the role of its web identity, and asks again before that expires', async () => {
  const sts = await serve(assumed);
  const file = tokenFile('identity-1');
  const env = {
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/lake',
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
    AWS_ENDPOINT_URL_STS: sts.origin,
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
  };
  let now = START;
  const source = credentialSource(env, 'eu-west-1', () => now);
  const [first, same] = await Promise.all([source(), source()]);
  expect(first).toMatchObject({ accessKeyId: 'key-1', secretAccessKey: 'secret-1', sessionToken: 't&1' });
  expect([same, await source()]).toEqual([first, first]);
  expect(sts.seen).toHaveLength(1);
  expect(Object.fromEntries(new URLSearchParams(sts.seen[0]?.body))).toEqual({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: 'arn:aws:iam::1:role/lake',
    RoleSessionName: 'answerlake',
    WebIdentityToken: 'identity-1',
  });
  writeFileSync(file, 'identity-2');
  now = START + HOUR - 240_000;
  expect(await source()).toMatchObject({ accessKeyId: 'key-2' });
  expect(new URLSearchParams(sts.seen[1]?.body).get('WebIdentityToken')).toBe('identity-2');
});

test('credentials that are still good are used while new ones cannot be had', async () => {
  const sts = await serve((n) =>
    n === 1 ? assumed(n) : xml('<Error><Code>ExpiredToken</Code></Error>', 400),
  );
  const role = { AWS_ROLE_ARN: 'r', AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile('i') };
  const env = { ...role, AWS_ENDPOINT_URL_STS: sts.origin };
  let now = START;
  const source = credentialSource(env, 'eu-west-1', () => now);
  const first = await source();
  now = START + HOUR - 1;
  expect(await source()).toEqual(first);
  now = START + HOUR;
  await expect(source()).rejects.toThrow('the role r was refused with 400 ExpiredToken');
});

test('a container signs with its role, which no proxy is asked for', async () => {
  const platform = await serve((n) => json({ ...credentials(n), Token: `t-${n}` }));
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const full = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${platform.origin}/v1/credentials` };
  const asked = async (token: Record<string, string>): Promise<unknown> => {
    await credentialSource({ ...full, ...token }, 'eu-west-1', () => START)();
    return platform.seen.at(-1)?.headers.authorization;
  };
  expect(await asked({})).toBeUndefined();
  expect(await asked({ AWS_CONTAINER_AUTHORIZATION_TOKEN: 'text' })).toBe('text');
  expect(await asked({ AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile('file') })).toBe('file');
  const elsewhere = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://credentials.example/' };
  expect(() => credentialSource(elsewhere, 'eu-west-1')).toThrow(/over https/);
});

test('a bucket takes what a role signs, and names a role that is refused after one request', async () => {
  const server = await startBucketServer();
  const { AWS_REGION, AWS_ENDPOINT_URL } = server.env;
  server.keys.set('key-1', { secret: 'secret-1', token: 't&1' });
  const far = new Date(Date.now() + HOUR).toISOString();
  const sts = await serve((n) =>
    n === 1
      ? xml(
          `<Credentials><AccessKeyId>key-1</AccessKeyId><SecretAccessKey>secret-1</SecretAccessKey><SessionToken>t&amp;1</SessionToken><Expiration>${far}</Expiration></Credentials>`,
        )
      : xml('<Error><Code>AccessDenied</Code></Error>', 403),
  );
  const env = {
    AWS_REGION,
    AWS_ENDPOINT_URL,
    AWS_ROLE_ARN: 'r',
    AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile('i'),
    AWS_ENDPOINT_URL_STS: sts.origin,
  };
  await using bucket = openBucket('s3://lake', bucketAccess(env), never);
  await bucket.write('a', Buffer.from('a'));
  expect((await bucket.read('a'))?.toString()).toBe('a');
  expect([sts.seen.length, server.requests]).toEqual([1, 2]);
  await using refused = openBucket('s3://lake', bucketAccess(env), never);
  await expect(refused.read('a')).rejects.toThrow('the role r was refused with 403 AccessDenied');
  expect([sts.seen.length, server.requests]).toEqual([2, 2]);
});
