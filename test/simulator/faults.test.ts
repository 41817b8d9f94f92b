import { get as httpGet, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseFaults, type Fault } from '../../simulator/faults.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, QUARTER, start, who } from './ask.ts';

const PATH = `/api/v1/visibility-time-series?${new URLSearchParams(QUARTER).toString()}`;

interface Raw {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  isComplete: boolean;
}

/** Asks without any client on top, so that broken answers can be looked at. */
function raw(simulator: Simulator, patienceMs = 10_000): Promise<Raw> {
  const { apiKey, projectId } = who(simulator);
  const headers = { 'x-api-key': apiKey, 'x-project-id': projectId };
  return new Promise((resolve, reject) => {
    const options = { headers, agent: false, maxHeaderSize: 128 * 1024, timeout: patienceMs };
    const request = httpGet(simulator.url + PATH, options, (response) => {
      const chunks: Buffer[] = [];
      const finish = (): void => {
        const { statusCode: status = 0, headers, complete: isComplete } = response;
        resolve({ status, headers, body: Buffer.concat(chunks), isComplete });
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', finish);
      response.on('error', finish);
    });
    request.on('timeout', () => request.destroy(new Error('silent')));
    request.on('error', reject);
  });
}

async function faulty(fault: Fault, look: (simulator: Simulator) => Promise<void>): Promise<void> {
  await using simulator = await start({ faults: () => fault });
  await look(simulator);
}

it('a simulated fault resets before any header', () =>
  faulty({ kind: 'reset' }, async (simulator) => {
    await expect(raw(simulator)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.requests[0]?.status).toBe(0);
  }));

it('a simulated fault resets after the headers', () =>
  faulty({ kind: 'reset-after-headers' }, async (simulator) => {
    const { status, body, isComplete } = await raw(simulator);
    expect([status, body.length, isComplete]).toEqual([200, 0, false]);
  }));

it('a simulated fault cuts a body that has a content-length', () =>
  faulty({ kind: 'cut' }, async (simulator) => {
    const { headers, body, isComplete } = await raw(simulator);
    expect(isComplete).toBe(false);
    expect(body.length).toBe(Math.floor(Number(headers['content-length']) / 2));
  }));

it('a simulated fault cuts a body without content-length so that only its JSON is broken', () =>
  faulty({ kind: 'cut-chunked' }, async (simulator) => {
    const { headers, body, isComplete } = await raw(simulator);
    expect(isComplete).toBe(true);
    expect(headers['content-length']).toBeUndefined();
    expect(() => JSON.parse(body.toString()) as unknown).toThrow(SyntaxError);
  }));

it('a simulated fault drips one byte at a time', () =>
  faulty({ kind: 'drip', intervalMs: 1 }, async (simulator) => {
    const controller = new AbortController();
    const { apiKey, projectId } = who(simulator);
    const response = await fetch(simulator.url + PATH, {
      headers: { 'x-api-key': apiKey, 'x-project-id': projectId },
      signal: controller.signal,
    });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeLessThan(10);
    controller.abort();
  }));

it('a simulated fault hangs until the simulator closes', async () => {
  const simulator = await start({ faults: () => ({ kind: 'hang' }) });
  await expect(raw(simulator, 250)).rejects.toThrow('silent');
  const pending = get(simulator, PATH).then(
    () => 'answered',
    () => 'ended',
  );
  await expect.poll(() => simulator.requests.length).toBe(2);
  await simulator.close();
  expect(await pending).toBe('ended');
});

it('a simulated fault answers HTML, broken JSON, bad UTF-8 or nothing with 200', async () => {
  const bodies: Buffer[] = [];
  for (const kind of ['html', 'broken-json', 'bad-utf8', 'empty'] as const) {
    await faulty({ kind }, async (simulator) => {
      const { status, body } = await raw(simulator);
      expect(status).toBe(200);
      expect(() => JSON.parse(new TextDecoder('utf8', { fatal: true }).decode(body)) as unknown).toThrow(
        Error,
      );
      bodies.push(body);
    });
  }
  expect(bodies[0]?.toString()).toContain('<!doctype html>');
  expect(bodies[3]).toHaveLength(0);
});

it('a simulated fault sends a small body that inflates to much', () =>
  faulty({ kind: 'gzip-bomb', inflatedBytes: 8 * 1024 * 1024 }, async (simulator) => {
    const { headers, body } = await raw(simulator);
    expect(headers['content-encoding']).toBe('gzip');
    expect(body.length).toBeLessThan(64 * 1024);
    expect(gunzipSync(body)).toHaveLength(8 * 1024 * 1024);
  }));

it('a simulated fault sends a header of 64 KiB', () =>
  faulty({ kind: 'huge-header' }, async (simulator) => {
    expect((await raw(simulator)).headers['x-padding']).toHaveLength(64 * 1024);
  }));

it('a simulated fault redirects to another origin', () =>
  faulty({ kind: 'redirect', location: 'http://127.0.0.1:9/x' }, async (simulator) => {
    const { status, headers } = await raw(simulator);
    expect([status, headers.location]).toEqual([302, 'http://127.0.0.1:9/x']);
  }));

it('a simulated fault answers error statuses and both kinds of 429', async () => {
  const faults: [Fault, number, string | undefined, unknown][] = [
    [{ kind: 'status', status: 503, retryAfter: 7 }, 503, '7', { error: 'Service Unavailable' }],
    [{ kind: 'status', status: 500 }, 500, undefined, { code: 'INTERNAL_ERROR' }],
    [{ kind: 'status', status: 401 }, 401, undefined, { error: 'Unauthorized' }],
    [{ kind: 'quota', retryAfter: 3600 }, 429, '3600', { retryAfter: 3600, remaining: 0 }],
    [{ kind: 'rate-limit' }, 429, '1', { code: 'RATE_LIMITED', statusCode: 429 }],
  ];
  for (const [fault, status, retryAfter, expected] of faults) {
    await faulty(fault, async (simulator) => {
      const answer = await raw(simulator);
      expect([answer.status, answer.headers['retry-after']]).toEqual([status, retryAfter]);
      expect(JSON.parse(answer.body.toString())).toMatchObject(expected as object);
      expect(simulator.requests[0]?.status).toBe(status);
    });
  }
});

it('a simulated fault hits chosen requests and stops when told so', async () => {
  await using simulator = await start({
    faults: (request, ordinal) =>
      request.path.endsWith('prompts') && ordinal === 1 ? { kind: 'status', status: 502 } : undefined,
  });
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(200);
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(502);
  simulator.setFaults(() => ({ kind: 'status', status: 404 }));
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(404);
  simulator.setFaults(undefined);
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(200);
});

describe('parseFaults', () => {
  const draw = (text: string, seed?: number): (Fault | undefined)[] => {
    const rule = parseFaults(text, seed);
    return Array.from({ length: 10_000 }, (_, ordinal) => rule({} as RequestRecord, ordinal));
  };

  it('parseFaults draws faults in their shares, decided by the seed', () => {
    const faults = draw('500:0.05, reset:0.02,hang:.01', 3);
    const count = (kind: string): number => faults.filter((fault) => fault?.kind === kind).length;
    expect(count('status')).toBeGreaterThan(400);
    expect(count('status')).toBeLessThan(600);
    expect(count('reset')).toBeGreaterThan(130);
    expect(count('hang')).toBeGreaterThan(50);
    expect(draw('500:0.05, reset:0.02,hang:.01', 3)).toEqual(faults);
    expect(draw('500:0.05, reset:0.02,hang:.01', 4)).not.toEqual(faults);
    expect(draw('')).toEqual(Array.from({ length: 10_000 }));
  });

  it.each(['boom:0.1', '500', '500:2', '200:0.1', 'reset:x', 'reset:0.1:1', 'reset:0.6,hang:0.6'])(
    'parseFaults refuses %s',
    (text) => {
      expect(() => parseFaults(text)).toThrow(RangeError);
    },
  );
});
