import { expect, test } from 'vitest';
import { openBucket, bucketAccess } from '../../src/bucket/bucket.ts';
import { startBucketServer } from '../support/bucket-server.ts';

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

test('a wrong secret is refused once, with what to check and without the secret', async () => {
  const server = await startBucketServer();
  const access = bucketAccess({ ...server.env, AWS_SECRET_ACCESS_KEY: 'wrong-canary' });
  await using bucket = openBucket('s3://lake', access, never);
  const failure: unknown = await bucket.write('a', Buffer.from('a')).catch((error: unknown) => error);
  expect(String(failure)).toMatch(/403 SignatureDoesNotMatch; check AWS_ACCESS_KEY_ID/);
  expect(String(failure)).not.toContain('canary');
  expect(server.requests).toBe(1);
});

test('a bucket that is away is asked again', async () => {
  const server = await startBucketServer();
  await using bucket = openBucket('s3://lake', bucketAccess(server.env), never);
  server.isAway = 'once';
  await bucket.write('a', Buffer.from('a'));
  expect([server.requests, server.objects.size]).toEqual([2, 1]);
});

test('a bucket needs both variables and a URL that names it', () => {
  expect(() => bucketAccess({ AWS_ACCESS_KEY_ID: 'a' })).toThrow(/AWS_SECRET_ACCESS_KEY/);
  const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const access = bucketAccess({ ...env, AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 'c' });
  expect(access.credentials).toEqual({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' });
  expect(access.endpoint).toBe('https://s3.eu-west-1.amazonaws.com');
  expect(bucketAccess(env).endpoint).toBe('https://s3.us-east-1.amazonaws.com');
  expect(() => openBucket('s3:///lake', access, never)).toThrow(/s3:\/\/bucket\/folder/);
});
