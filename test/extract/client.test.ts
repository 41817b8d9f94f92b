import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { AnswerlakeError, exitCodeOf } from '../../src/errors.ts';
import { KEY, openRig, ASK, serve, START_MS } from './rig.ts';
import { bytes, json, openScriptedServer } from '../support/scripted-server.ts';

it('a GET carries the key, the project and its query in order, and no content-type', async () => {
  await using rig = await serve(() => json({}));
  const query = Object.entries({ a: 'B', types: 'A&1', query: 'ü x' });
  await rig.get({
    path: '/api/v1/prompts',
    query: [['types', 'B'], ...query],
    projectId: 'p1',
    withKey: true,
  });
  const [seen] = rig.server.seen;
  expect(seen?.url).toBe('/api/v1/prompts?types=B&a=B&types=A%261&query=%C3%BC+x');
  expect(seen?.headers).toMatchObject({
    'x-api-key': KEY,
    'x-project-id': 'p1',
    'accept-encoding': 'gzip, identity',
    'user-agent': 'answerlake-test',
  });
  for (const name of ['content-type', 'content-length']) expect(seen?.headers).not.toHaveProperty(name);
});

it.each([
  ['Acme Shop/1', true],
  [' Acme', false],
  ['Müller', false],
])('the project id %j is sent: %j', async (projectId, isSent) => {
  await using rig = await serve(() => json({}));
  const asked = rig.get({ ...ASK, projectId });
  const status = await asked.then((answer) => answer.status, exitCodeOf);
  expect(status).toBe(isSent ? 200 : 3);
  expect(rig.server.seen.map(({ headers }) => headers['x-project-id'])).toEqual(isSent ? [projectId] : []);
});

it('a POST carries its JSON and says so; the path prefix of the API comes before every path', async () => {
  await using server = await openScriptedServer(() => json({ status: 'STAGED' }));
  await using rig = openRig(`${server.origin}/gateway/ai`);
  await rig.client.get(ASK);
  const answer = await rig.client.post({ path: '/api/v2/draft', body: { slug: 'ä' } });
  expect(answer).toMatchObject({ status: 200, body: { status: 'STAGED' }, requests: 1 });
  expect(server.seen).toMatchObject([
    { method: 'GET', url: '/gateway/ai/api/v1/x' },
    { method: 'POST', url: '/gateway/ai/api/v2/draft', body: '{"slug":"ä"}' },
  ]);
  expect(server.seen[1]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-api-key': KEY });
});

it('connections are used again', async () => {
  const ports = new Set<number | undefined>();
  await using rig = await serve((_n, request) => {
    ports.add(request.socket.remotePort);
    return json({});
  });
  for (let n = 0; n < 10; n += 1) await rig.get();
  expect(ports.size).toBeLessThanOrEqual(2);
});

it('a gzip answer is inflated, and its size reported before it was packed', async () => {
  const body = { text: 'a'.repeat(50_000) };
  const packed = gzipSync(JSON.stringify(body));
  await using rig = await serve((n) =>
    bytes(packed, 200, { 'content-encoding': n === 1 ? 'gzip' : 'x-gzip' }),
  );
  expect(await rig.get()).toMatchObject({ body, bytes: JSON.stringify(body).length });
  expect(rig.client.totals).toEqual({ requests: 1, retries: 0 });
  await using small = openRig(rig.server.origin, { api: { attempts: 1, maxBodyBytes: 1000 } });
  await expect(small.client.get(ASK)).rejects.toThrow('more than 1000 bytes after decompression');
});

it('a body may have as many bytes as its bound', async () => {
  await using rig = await serve(() => bytes('1234567890'), { api: { maxBodyBytes: 10 } });
  expect(await rig.get()).toMatchObject({ body: 1_234_567_890 });
  await using small = openRig(rig.server.origin, { api: { attempts: 1, maxBodyBytes: 9 } });
  await expect(small.client.get(ASK)).rejects.toThrow('a body of more than 9 bytes');
});

it.each([300, 307])('a redirect (%i) names its host alone and is never followed', async (status) => {
  await using other = await openScriptedServer(() => json({}));
  const location = `${other.origin}/steal?token=abc`;
  // Its body, above the cap, is not read.
  await using rig = await serve(() => bytes(' '.repeat(1_500_000), status, { location }));
  const error = await rig.failure();
  expect(String(error)).toContain(new URL(other.origin).host);
  expect(String(error)).not.toContain('steal');
  expect(error).toMatchObject({ class: 'contract', requests: 1 });
  expect([other.seen.length, rig.server.seen.length]).toEqual([0, 1]);
});

it.each(['//evil.example/x', 'https://evil.example/', '/api/../x', '/a?b=c', '/a#b', 'x', '/a\\b'])(
  'the path %j is refused before anything is sent',
  async (path) => {
    await using rig = await serve(() => json({}));
    expect(await rig.failure({ ...ASK, path })).toMatchObject({ class: 'contract' });
    expect(rig.server.seen).toHaveLength(0);
  },
);

it('403 for one project leaves the key in use, 403 without a project does not', async () => {
  await using rig = await serve(() => json({ error: 'Forbidden', message: 'no' }, 403));
  const ofProject = { class: 'auth', scope: 'project', exitCode: 3 };
  expect(await rig.failure({ ...ASK, projectId: 'p1' })).toMatchObject(ofProject);
  expect(await rig.failure()).toMatchObject({ class: 'auth', scope: 'key', exitCode: 4 });
});

const reason = new AnswerlakeError('stopped by signal', { class: 'stopped' });

it('being stopped ends a request under way at once with the reason of the signal', async () => {
  const stop = new AbortController();
  await using rig = await serve(() => () => stop.abort(reason));
  expect(await rig.failure({ ...ASK, signal: stop.signal })).toBe(reason);
  expect(rig.server.seen).toHaveLength(1);
});

it('being stopped ends what waits for a place, for an answer or for a delay', async () => {
  const stop = new AbortController();
  await using rig = await serve((n) => {
    if (n === 3) stop.abort(reason);
    return json({}, 500);
  });
  const calls = Array.from({ length: 20 }, () => rig.failure({ ...ASK, signal: stop.signal }));
  for (const error of await Promise.all(calls)) expect(error).toBe(reason);
  expect(rig.server.seen.length).toBeLessThanOrEqual(4);
});

it('twenty calls under one signal raise no warning of a leak', async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', onWarning);
  const stop = new AbortController();
  const script = (n: number) => {
    if (n === 20) stop.abort(reason);
    return n === 1 ? json({}) : () => {};
  };
  await using rig = await serve(script, { api: { concurrency: 20 } });
  await Promise.all(Array.from({ length: 20 }, () => rig.failure({ ...ASK, signal: stop.signal })));
  process.off('warning', onWarning);
  expect([rig.server.seen.length, warnings]).toEqual([20, []]);
});

it('after closing nothing more is sent', async () => {
  await using server = await openScriptedServer(() => json({}));
  const rig = openRig(server.origin);
  await rig[Symbol.asyncDispose]();
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ class: 'stopped' });
  expect(server.seen).toHaveLength(0);
});

it.each<[string, (string | null)[], number | null]>([
  ['the newest', ['10:20', '10:25', '10:18'], 600_000],
  ['not one that alone is more than an hour ahead', ['12:00', '10:20'], 300_000],
  ['that of all if all are', ['12:00', '11:55'], 6_300_000],
  ['none of a cache', ['Age 09:00', '10:20', 'Age 11:00'], 300_000],
  ['none where no answer has one', ['Age 09:00', null], null],
])('of the times that answers tell, the client believes %s', async (_, told, aheadMs) => {
  await using rig = await serve((n) => (response) => {
    const [, age, time] = /^(Age )?(.*)$/.exec(told[n - 1] ?? '') ?? [];
    response.sendDate = false;
    const date = time ? { date: `Mon, 02 Mar 2026 ${time}:00 GMT` } : {};
    response.writeHead(200, { ...date, ...(age === undefined ? {} : { age: '0' }) }).end('{}');
  });
  for (let answers = 0; answers < told.length; answers += 1) await rig.get();
  expect(rig.client.serverAheadMs).toBe(aheadMs);
});

it('an answer tells its time, and how far the clock of the server is ahead', async () => {
  await using rig = await serve(() => json({}, 200, { date: 'Mon, 02 Mar 2026 10:20:00 GMT' }));
  expect(await rig.get()).toMatchObject({ fetchedAt: START_MS });
  expect(rig.client.serverAheadMs).toBe(300_000);
});
