import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { describeProxy, openDispatcher, proxyOf } from '../../src/connect.ts';
import { openRig, ASK } from './rig.ts';
import { json, listen, openScriptedServer } from '../support/scripted-server.ts';

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])
    for (const spelling of [name, name.toLowerCase()]) vi.stubEnv(spelling, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

/** A proxy that leads every tunnel to one port of this machine. */
async function openProxy(port: number): Promise<AsyncDisposable & { url: string; asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, client) => {
    asked.push(request.url ?? '');
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.pipe(client).pipe(server);
    });
    for (const socket of [client, server]) socket.on('error', () => server.destroy());
    client.on('close', () => server.destroy());
  });
  const url = `http://127.0.0.1:${String(await listen(proxy))}`;
  return {
    url,
    asked,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

it.each(['HTTP_PROXY', 'http_proxy'])('a client goes through the proxy that %s names', async (name) => {
  await using server = await openScriptedServer(() => json({}));
  await using proxy = await openProxy(Number(new URL(server.origin).port));
  vi.stubEnv(name, proxy.url);
  await using rig = openRig('http://api.test');
  expect((await rig.client.get(ASK)).status).toBe(200);
  expect(proxy.asked).toEqual(['api.test:80']);
  expect(server.seen.map(({ url }) => url)).toEqual(['/api/v1/x']);
});

it('a client reaches this machine without the proxy', async () => {
  await using server = await openScriptedServer(() => json({}));
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
  await using rig = openRig(server.origin);
  expect((await rig.client.get(ASK)).requests).toBe(1);
});

it.each(['api.test', '.test', '*', 'other.example,api.test:80'])(
  'NO_PROXY %s goes past the proxy',
  async (noProxy) => {
    await using proxy = await openProxy(9);
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', noProxy);
    const dispatcher = openDispatcher('http://api.test', {
      connect: (_, done) => done(new Error('connected directly'), null),
    });
    const asking = dispatcher.request({ origin: 'http://api.test', path: '/', method: 'GET' });
    await expect(asking).rejects.toThrow('connected directly');
    expect(proxy.asked).toEqual([]);
    await dispatcher.destroy();
  },
);

it('the proxy is described without its password', () => {
  const env = { HTTPS_PROXY: 'http://user:secret@proxy.test:3128', no_proxy: '.internal' };
  expect(describeProxy('https://api.test', env)).toBe('proxy.test:3128, except for NO_PROXY .internal');
  expect(describeProxy('http://127.0.0.1:80', { HTTP_PROXY: 'http://proxy.test' })).toBeNull();
  expect(describeProxy('https://api.test', {})).toBeNull();
});

it.each([
  ['127.0.0.1:9', 'http://127.0.0.1:9/'],
  ['proxy.test', 'http://proxy.test:1080/'],
  ['user:pa@ss@proxy.test:3128/', 'http://user:pa%40ss@proxy.test:3128/'],
  ['https://proxy.test', 'https://proxy.test/'],
  ['socks5://proxy.test:1080', 'socks5://proxy.test:1080'],
])('HTTPS_PROXY=%s is read as curl reads it: %s', (written, read) => {
  expect(proxyOf('https://api.test', { HTTPS_PROXY: written })?.url.href).toBe(read);
});

it.each([
  'http://[bad',
  'http://user:12#hunter2@proxy.test',
  'http://user:100%hunter2@proxy.test',
  'user:12/hunter2@proxy.test',
  'ftp://proxy.test',
  ' ',
])('a proxy that cannot be read (%s) is a problem of the configuration, and is not printed', (written) => {
  const read = (): unknown => describeProxy('https://api.test', { HTTPS_PROXY: written });
  expect(read).toThrow(/^HTTPS_PROXY is not the address of a proxy: write it like http/);
  expect(read).not.toThrow('hunter2');
  vi.stubEnv('HTTPS_PROXY', written);
  expect(() => openDispatcher('https://api.test')).toThrow('HTTPS_PROXY is not');
});

it('a dead proxy is named with its variable, and following the advice ends the failure', async () => {
  await using server = await openScriptedServer(() => json({}));
  await using proxy = await openProxy(Number(new URL(server.origin).port));
  vi.stubEnv('HTTP_PROXY', '127.0.0.1:9');
  await using rig = openRig('http://api.test');
  const failure = {
    exitCode: 5,
    message: expect.stringMatching(
      /^GET .* the proxy 127\.0\.0\.1:9 \(HTTP_PROXY\) does not let requests through: connect ECONNREFUSED 127\.0\.0\.1:9.*; correct that variable/,
    ) as unknown,
  };
  await expect(rig.client.get(ASK)).rejects.toMatchObject(failure);
  await expect(rig.client.get(ASK)).rejects.not.toThrow('simulate');
  vi.stubEnv('HTTP_PROXY', proxy.url.replace('http://', ''));
  await using corrected = openRig('http://api.test');
  expect((await corrected.client.get(ASK)).status).toBe(200);
});

it.each([
  ['407', 1, /the proxy 127\S+ \(HTTP_PROXY\) answered 407; correct that variable: write its user/],
  ['403', 1, /the proxy 127\S+ \(HTTP_PROXY\) answered 403; correct that variable, or name/],
  ['502', 5, /the proxy 127\S+ \(HTTP_PROXY\) answered 502 after 5 tries; correct that variable, or name/],
])('a proxy that answers %s is named and asked %i times', async (status, requests, message) => {
  let asked = 0;
  const refusing = createServer().on('connect', (_, client) => {
    asked += 1;
    client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
  });
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${String(await listen(refusing))}`);
  onTestFinished(() => void refusing.close());
  await using rig = openRig('http://api.test');
  const told = expect.stringMatching(message) as unknown;
  await expect(rig.client.get(ASK)).rejects.toMatchObject({ exitCode: 5, requests, message: told });
  expect(asked).toBe(requests);
});

it.each([
  ['TOKEN@', 'TOKEN:'],
  ['TOKEN:@', 'TOKEN:'],
  ['us%20er:p%40s%2Fs%25@', 'us er:p@s/s%'],
])('a proxy gets the user and password of %s, a token without a password too', async (written, sent) => {
  const seen: unknown[] = [];
  const proxy = createServer().on('connect', ({ headers }, client) => {
    seen.push(headers['proxy-authorization']);
    client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  vi.stubEnv('HTTP_PROXY', `http://${written}127.0.0.1:${String(await listen(proxy))}`);
  onTestFinished(() => void proxy.close());
  await using rig = openRig('http://api.test');
  await expect(rig.client.get(ASK)).rejects.toThrow('answered 407');
  expect(seen).toEqual([`Basic ${Buffer.from(sent).toString('base64')}`]);
});

it('a refused certificate fails at once with exit 5 and names NODE_EXTRA_CA_CERTS', async () => {
  const pem = readFileSync(new URL('../support/untrusted.pem', import.meta.url));
  const server = createTlsServer({ key: pem, cert: pem });
  const port = await listen(server);
  await using rig = openRig(`https://localhost:${String(port)}`);
  await expect(rig.client.get(ASK)).rejects.toMatchObject({
    exitCode: 5,
    requests: 1,
    message: expect.stringContaining('NODE_EXTRA_CA_CERTS') as unknown,
  });
  expect(rig.effects.slept).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
});
