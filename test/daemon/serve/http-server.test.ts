import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/log.ts';
import { openHttpServer, textReply } from '../../../src/daemon/serve/http-server.ts';

async function open(host = '127.0.0.1', port = 0, hosts: readonly string[] = []) {
  const server = await openHttpServer({
    host,
    port,
    log: silentLog,
    guarded: ['/'],
    hosts,
    routes: {
      '/': () => Promise.resolve(textReply(200, 'root')),
      '/echo': (query) => Promise.resolve(textReply(200, [...query].join(' '))),
      '/broken': () => Promise.reject(new Error('the key is pk_live_123')),
    },
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const taken = Number(new URL(server.url).port);
  const raw = async (request: string): Promise<string> =>
    await new Promise((settle) => {
      let answer = '';
      const socket = connect(taken, '127.0.0.1', () => socket.end(request));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => settle(answer));
    });
  return { url: server.url, raw };
}

const get = (target: string, host = '127.0.0.1') =>
  `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

it('the HTTP server sends the same security headers with every answer', async () => {
  const { url } = await open();
  for (const path of ['/', '/nothing', '/broken']) {
    const { headers } = await fetch(url + path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

const send = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`;

it('the HTTP server refuses POST', async () => {
  const { raw } = await open();
  const answer = await raw(send('POST', '/'));
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer).toContain('allow: GET, HEAD');
});

it('a probe that asks with HEAD gets status and headers of GET, without the body', async () => {
  const { raw } = await open();
  for (const path of ['/', '/nothing', '/broken']) {
    const [head = '', body] = (await raw(send('GET', path))).split('\r\n\r\n');
    expect(body).not.toBe('');
    const plain = (text: string): string => text.replace(/\r\ndate: [^\r]*/i, '');
    expect(plain(await raw(send('HEAD', path)))).toBe(`${plain(head)}\r\n\r\n`);
  }
});

it.each([
  '/../../etc/passwd',
  '//etc/passwd',
  '/%2e%2e/',
  '/constructor',
  'http://127.0.0.1/etc/passwd',
  '*',
])('the HTTP server has nothing at %s', async (target) => {
  const { raw } = await open();
  expect(await raw(get(target))).toMatch(/^HTTP\/1\.1 40[04] /);
});

it('the HTTP server hides the message of an inner error', async () => {
  const { url } = await open();
  const answer = await fetch(`${url}/broken`);
  const told = 'The answer could not be made; the log says why.\n';
  expect([answer.status, await answer.text()]).toEqual([500, told]);
});

it('the HTTP server does not answer to a foreign name on loopback', async () => {
  const { raw } = await open();
  expect(await raw(get('/', 'attacker.example'))).toMatch(/^HTTP\/1\.1 421 /);
  for (const host of ['localhost:80', '127.0.0.1', '[::1]:9']) {
    expect(await raw(get('/', host))).toMatch(/^HTTP\/1\.1 200 /);
  }
});

it('the page is served to the names of a reverse proxy in http.hosts, probes and metrics to every name', async () => {
  const { raw } = await open('127.0.0.1', 0, ['status.example.com']);
  expect(await raw(get('/', 'status.example.com'))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await raw(get('/', 'STATUS.example.com:8443'))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await raw(get('/', 'attacker.example'))).toMatch(/^HTTP\/1\.1 421 [^]*http\.hosts/);
  expect(await raw(get('/echo?a=1', 'attacker.example'))).toMatch(/^HTTP\/1\.1 200 /);
});

it('the HTTP server refuses a port that is taken, and says what to do', async () => {
  const { url } = await open();
  await expect(open('127.0.0.1', Number(new URL(url).port))).rejects.toThrow(
    /is taken by another program\. Set another http\.port or http\.host/,
  );
  expect((await open()).url).not.toBe(url);
});

it('the HTTP server answers to any name where it was told to listen to the network', async () => {
  const { raw } = await open('0.0.0.0');
  expect(await raw(get('/', 'answerlake.example'))).toMatch(/^HTTP\/1\.1 200 /);
});

it('the HTTP server answers a probe beside 70 connections that have begun a request and never end it', async () => {
  const { url } = await open();
  for (let count = 0; count < 70; count += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\n');
  }
  expect((await fetch(url)).status).toBe(200);
});

it('the HTTP server survives invalid HTTP and endless headers', async () => {
  const { raw, url } = await open();
  expect(await raw('\u0000\u0001garbage\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await raw(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  );
  expect((await fetch(url)).status).toBe(200);
});

it('the HTTP server gives a route what stands after the question mark', async () => {
  const { url } = await open();
  const answers = ['/echo', '/echo?project=a%26b', '/echo?project=%F0%9F%98%80&project=2?3'].map(
    async (path) => await (await fetch(url + path)).text(),
  );
  expect(await Promise.all(answers)).toEqual(['\n', 'project,a&b\n', 'project,😀 project,2?3\n']);
});
