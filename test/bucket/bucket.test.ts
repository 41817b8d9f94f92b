import { createServer as createTlsServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { openBucket, bucketAccess } from '../../src/bucket/bucket.ts';
import { listen } from '../support/scripted-server.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder as openStore } from '../../src/bucket/folder.ts';
import { openFolder } from '../support/folder.ts';

const never = new AbortController().signal;

test('objects are written, listed over pages, read and removed by signed requests', async () => {
  const server = await startBucketServer();
  await using bucket = openBucket('s3://lake/daily files', bucketAccess(server.env), never);
  const names = ['a&b=c/ü %20.parquet', 'b', 'c'];
  for (const name of names) await bucket.write(name, Buffer.from(name));
  expect(await bucket.sizes('')).toEqual(new Map(names.map((name) => [name, Buffer.byteLength(name)])));
  expect(await bucket.folders()).toEqual(['a&b=c']);
  expect((await bucket.read('a&b=c/ü %20.parquet'))?.toString()).toBe('a&b=c/ü %20.parquet');
  await bucket.remove('b');
  expect(await bucket.read('b')).toBeNull();
  expect([...server.objects.keys()]).toEqual(['lake/daily files/a&b=c/ü %20.parquet', 'lake/daily files/c']);
});

test.each([
  ['AWS_ACCESS_KEY_ID', '403 SignatureDoesNotMatch'],
  ['AWS_SECRET_ACCESS_KEY', '403 SignatureDoesNotMatch'],
  ['AWS_REGION', '301 PermanentRedirect'],
])(
  'a wrong %s is refused once, with its name and without its value, and works corrected',
  async (name, told) => {
    const server = await startBucketServer();
    const written = async (env: Record<string, string>): Promise<string> => {
      await using bucket = openBucket('s3://lake', bucketAccess({ ...server.env, ...env }), never);
      return await bucket.write('a', Buffer.from('a')).then(() => 'written', String);
    };
    const failure = await written({ [name]: 'wrong-canary' });
    expect(failure).toMatch(new RegExp(`${told}; check .*${name}`));
    expect(failure).not.toContain('canary');
    expect(server.requests).toBe(1);
    expect(await written({})).toBe('written');
  },
);

test('a bucket that is away is asked again', async () => {
  const server = await startBucketServer();
  await using bucket = openBucket('s3://lake', bucketAccess(server.env), never);
  server.isAway = 'once';
  await bucket.write('a', Buffer.from('a'));
  expect([server.requests, server.objects.size]).toEqual([2, 1]);
});

test('a bucket that takes a request and says nothing is asked again', async () => {
  const server = await startBucketServer();
  const access = { ...bucketAccess(server.env), silenceMs: 1000 };
  await using bucket = openBucket('s3://lake', access, never);
  server.isSilent = true;
  await bucket.write('a', Buffer.from('a'));
  expect([server.requests, server.objects.size]).toEqual([2, 1]);
});

test('a bucket needs a key or a role, and a URL that names it', async () => {
  expect(() => bucketAccess({ AWS_ACCESS_KEY_ID: 'a' })).toThrow(/AWS_SECRET_ACCESS_KEY/);
  const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const access = bucketAccess({ ...env, AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 'c' });
  expect(await access.credentials()).toEqual({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' });
  expect(access.endpoint).toBe('https://s3.eu-west-1.amazonaws.com');
  expect(bucketAccess(env).endpoint).toBe('https://s3.us-east-1.amazonaws.com');
  expect(() => openBucket('s3:///lake', access, never)).toThrow(/s3:\/\/bucket\/folder/);
});

test('a bucket encrypts what is written as it is told, and sends that with nothing else', async () => {
  const server = await startBucketServer();
  const sent = async (variables: Record<string, string>): Promise<unknown[]> => {
    await using bucket = openBucket('s3://lake', bucketAccess({ ...server.env, ...variables }), never);
    const header = 'x-amz-server-side-encryption';
    const found = [];
    await bucket.write('a', Buffer.from('a'));
    found.push(server.headers[header], server.headers[`${header}-aws-kms-key-id`]);
    await bucket.read('a');
    return [...found, server.headers[header]];
  };
  expect(await sent({})).toEqual([undefined, undefined, undefined]);
  expect(await sent({ ANSWERLAKE_S3_ENCRYPTION: 'AES256' })).toEqual(['AES256', undefined, undefined]);
  expect(await sent({ ANSWERLAKE_S3_KMS_KEY: 'k-1' })).toEqual(['aws:kms', 'k-1', undefined]);
  for (const wrong of [
    { ANSWERLAKE_S3_KMS_KEY: 'k', ANSWERLAKE_S3_ENCRYPTION: 'AES256' },
    { ANSWERLAKE_S3_ENCRYPTION: 'on' },
  ])
    expect(() => bucketAccess({ ...server.env, ...wrong })).toThrow(/write AES256 or aws:kms/);
});

test('files of a folder are written for their owner, listed, read and removed, with emptied folders', async () => {
  const place = openFolder();
  await using store = openStore(place, { isPrivate: true, explain: (error) => error });
  for (const name of ['b/2/y', 'b/1/x', 'a']) await store.write(name, Buffer.from(name));
  const modes = ['b/1', 'b/1/x'].map((name) => statSync(join(place, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  writeFileSync(join(place, 'b/.writing-half'), '');
  expect(await store.list('b/')).toEqual(['b/1/x', 'b/2/y']);
  expect(await store.list('b/2')).toEqual(['b/2/y']);
  expect(await store.list('c/d')).toEqual([]);
  expect(await store.folders()).toEqual(['b']);
  expect((await store.read('b/1/x'))?.toString()).toBe('b/1/x');
  expect(await store.read('b/1/y')).toBeNull();
  for (const name of ['b/1/x', 'b/1/x', 'a']) await store.remove(name);
  expect([existsSync(join(place, 'b/1')), existsSync(join(place, 'b'))]).toEqual([false, true]);
});

test('a bucket with an untrusted certificate is asked once, and the remedy is NODE_EXTRA_CA_CERTS', async () => {
  const pem = readFileSync(new URL('../support/untrusted.pem', import.meta.url));
  const server = createTlsServer({ key: pem, cert: pem });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const env = { AWS_ENDPOINT_URL: `https://localhost:${String(await listen(server))}` };
  onTestFinished(() => void server.close());
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  await using bucket = openBucket('s3://lake', bucketAccess({ ...env, ...keys }), never);
  await expect(bucket.read('a')).rejects.toThrow(/self-signed certificate.*; name the .*NODE_EXTRA_CA_CERTS/);
  expect(connections).toBe(1);
});
