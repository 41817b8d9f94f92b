import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeProxy, openDispatcher } from '../../src/connect.ts';
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
