import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, exhaustedError } from '../../src/extract/api-error.ts';
import { secretForms } from '../../src/redact.ts';
import { ASK, everythingOf, KEY, openRig, serve, TIMEOUT_MS } from './rig.ts';
import { bytes, freePort, json, type Reply } from '../support/scripted-server.ts';

const GOOD = json({ value: 1 });
const GZIP = { 'content-encoding': 'gzip' };

interface Fault {
  reply: Reply;
  class: 'transient' | 'contract';
  /** Requests that a fault without end costs. */
  requests: number;
}

/** Asked again as often as any request. */
const transient = (reply: Reply): Fault => ({ reply, class: 'transient', requests: 5 });
/** An answer that cannot be read is asked for twice more. */
const unreadable = (reply: Reply): Fault => ({ reply, class: 'contract', requests: 3 });

const FAULTS: Record<string, Fault> = {
  'connection reset': transient((response) => response.socket?.resetAndDestroy()),
  'body cut before its content-length': transient((response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"value":', () => response.socket?.destroy());
  }),
  'body cut without content-length': unreadable((response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"value":');
  }),
  'slow drip of bytes': transient((response) => {
    response.writeHead(200, {});
    const drip = (): void => {
      if (response.destroyed) return;
      response.write(' ', () => setImmediate(drip));
      vi.advanceTimersByTime(TIMEOUT_MS / 4);
    };
    drip();
  }),
  hang: transient(() => void vi.advanceTimersByTime(TIMEOUT_MS)),
  'HTML with 200': unreadable(bytes('<html>maintenance</html>')),
  'broken JSON': unreadable(bytes('{"value":1')),
  'bad UTF-8': unreadable(bytes(Buffer.from([0x22, 0xff, 0xfe, 0x22]))),
  'gzip bomb': unreadable(bytes(gzipSync(Buffer.alloc(20_000_000, 0x20)), 200, GZIP)),
  'broken gzip': unreadable(bytes(gzipSync('{"value":1}').subarray(0, 15), 200, GZIP)),
  'an encoding that was not asked for': unreadable(bytes('{}', 200, { 'content-encoding': 'br' })),
  'body above the cap': unreadable(bytes(' '.repeat(1_500_000))),
  '64 KiB header': unreadable(json({}, 200, { 'x-long': 'a'.repeat(65_536) })),
  'empty body': unreadable(bytes('')),
  '206': { ...unreadable(bytes('', 206)), class: 'transient' },
  '408': transient(json({ error: 'x', message: 'late' }, 408)),
  '425': transient(json({ error: 'x', message: 'early' }, 425)),
  '500': transient(json({ code: 'INTERNAL_ERROR', message: 'oh' }, 500)),
  '502 with HTML': transient(bytes('<html>', 502)),
  '503 with Retry-After': transient(bytes('', 503, { 'retry-after': '7' })),
  '429 of the minute': transient(json({ code: 'RATE_LIMITED', message: 'slow', statusCode: 429 }, 429)),
};

describe.each(Object.entries(FAULTS))('%s', (name, fault) => {
  // A deadline comes when the server says so, not when the machine is slow.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it(`${name} once is repaired by asking again`, async () => {
    await using rig = await serve((number) => (number === 1 ? fault.reply : GOOD));
    expect(await rig.get()).toMatchObject({ status: 200, body: { value: 1 }, requests: 2 });
    expect(rig.server.seen).toHaveLength(2);
  });

  it(`${name} without end is given up with its class and without the key`, async () => {
    await using rig = await serve(() => fault.reply);
    const error = await rig.failure();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ class: fault.class, requests: fault.requests, path: '/api/v1/x' });
    expect(rig.server.seen).toHaveLength(fault.requests);
    const told = everythingOf(error) + JSON.stringify(rig.events);
    for (const form of [...secretForms(KEY), 'steal']) expect(told).not.toContain(form);
  });

  it(`${name} in a writing call is never repeated`, async () => {
    await using rig = await serve(() => fault.reply);
    const call = rig.client.post({ path: '/api/v2/content/c/cms/draft', body: { slug: 's' } });
    const outcomeUnknown = name !== '429 of the minute';
    await expect(call).rejects.toMatchObject({ name: 'ApiError', requests: 1, outcomeUnknown });
    expect(rig.server.seen).toHaveLength(1);
  });
});

it.each([201, 202, 203, 206])('%i with a good body answers a POST, and no GET', async (status) => {
  await using rig = await serve(() => json({ value: 1 }, status));
  expect(await rig.failure()).toMatchObject({ class: 'transient', status, requests: 3 });
  const answer = await rig.client.post({ path: '/api/v2/x', body: {} });
  expect(answer).toMatchObject({ status, body: { value: 1 } });
});

it.each([
  [Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' }), 'EMFILE'],
  [new RangeError('Array buffer allocation failed'), 'allocation failed'],
  [new RangeError('WebAssembly.Memory(): could not allocate memory'), 'could not allocate'],
])('a process that runs out of memory or files says so: %s', (error, text) => {
  expect(exhaustedError(error)).toMatchObject({ class: 'storage', message: expect.stringContaining(text) });
  expect(exhaustedError(new RangeError('Invalid array length'))).toBeNull();
  expect(exhaustedError(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBeNull();
});

it.each([
  [400, 'contract'],
  [401, 'auth'],
  [403, 'auth'],
  [404, 'contract'],
  [418, 'contract'],
])('%i is asked once and thrown as %s', async (status, errorClass) => {
  await using rig = await serve(() => json({ error: 'e', code: 'SOME_CODE', message: `no, ${KEY}` }, status));
  const error = await rig.failure();
  const exitCode = errorClass === 'auth' ? 4 : 3;
  const told = { class: errorClass, exitCode, code: 'SOME_CODE', serverMessage: 'no, [secret]' };
  expect(error).toMatchObject({ ...told, status, requests: 1, outcomeUnknown: false });
  for (const form of secretForms(KEY)) expect(everythingOf(error)).not.toContain(form);
  expect(rig.server.seen).toHaveLength(1);
});

it('a status that the caller answers is returned, unless its body is no JSON', async () => {
  await using rig = await serve((n) => (n === 1 ? json({ error: 'x' }, 404) : bytes('<p>', 404)));
  const ask = { ...ASK, answeredStatuses: [404] };
  expect(await rig.get(ask)).toMatchObject({ status: 404, body: { error: 'x' } });
  expect(await rig.failure(ask)).toMatchObject({ class: 'transient', status: 404 });
});

it('204 is an answer without content, and is not repeated', async () => {
  await using rig = await serve(() => bytes('', 204));
  expect(await rig.get()).toMatchObject({ status: 204, body: null, requests: 1 });
});

it('the cause of a broken connection keeps its name and its code, and nothing else', async () => {
  await using rig = await serve(() => (response) => void response.socket?.destroy());
  const { cause } = (await rig.failure()) as Error;
  expect(cause).toMatchObject({ name: 'SocketError', message: 'other side closed (UND_ERR_SOCKET)' });
  expect(Object.keys(cause as object)).toEqual(['name']);
});

it('a port that no server listens on is upstream unavailable', async () => {
  await using rig = openRig(`http://127.0.0.1:${String(await freePort())}`);
  const unavailable = { class: 'transient', exitCode: 5, requests: 5, outcomeUnknown: false };
  await expect(rig.client.get(ASK)).rejects.toMatchObject(unavailable);
});

it.each([401, 403, 407])('a page of a gateway with %i is transient, with its title', async (status) => {
  const page = `<!doctype html><html><head><title>\n Sign in to ${KEY}\n</title></head></html>`;
  await using rig = await serve(() => bytes(page, status, { 'content-type': 'text/html' }));
  const error = await rig.failure();
  expect(error).toMatchObject({ class: 'transient', exitCode: 5 });
  const said = /a page of HTML \("Sign in to \[secret\]"\), not JSON.*a gateway in front of it/;
  expect(String(error)).toMatch(said);
  expect(rig.server.seen).toHaveLength(1);
});
