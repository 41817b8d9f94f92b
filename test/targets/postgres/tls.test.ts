import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { openSession } from '../../../src/scale/queue/postgres.ts';
import { addressOf, explainPostgres, openTargetSession } from '../../../src/targets/postgres/session.ts';
import { secretOf } from '../../../src/secret.ts';

const PEM_FILE = new URL('../../support/untrusted.pem', import.meta.url);
const PEM = readFileSync(PEM_FILE);

/** PostgreSQL as far as a certificate and a refused password; `isEncrypted` says whether it has TLS at all. */
async function openPostgresServer(isEncrypted: boolean): Promise<string> {
  const refusal = Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed\0\0');
  const message = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), refusal]);
  message.writeUInt32BE(refusal.length + 4, 1);
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(isEncrypted ? 'S' : 'N');
      if (!isEncrypted) return;
      const secureContext = createSecureContext({ key: PEM, cert: PEM });
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => undefined);
      secure.once('data', () => secure.end(message));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `postgres://u:p@localhost:${typeof address === 'object' && address !== null ? address.port : 0}/db`;
}

const OPEN = {
  target: async (url: string): Promise<unknown> => {
    const secret = secretOf('env:PG_URL', url);
    return await openTargetSession(secret).catch((error: unknown) => explainPostgres(secret, error));
  },
  queue: async (url: string): Promise<unknown> =>
    await openSession(secretOf('env:PG_URL', url)).catch((error: unknown) => error),
};

const REACHED = /password authentication failed/;
const UNTRUSTED = /Name the certificate of its authority with sslrootcert=FILE .* NODE_EXTRA_CA_CERTS/;

it.each([
  ['target', 'require', REACHED],
  ['target', 'verify-full', UNTRUSTED],
  ['target', 'verify-ca', UNTRUSTED],
  ['target', `verify-full&sslrootcert=${PEM_FILE.pathname}`, REACHED],
  ['queue', 'require', REACHED],
  ['queue', 'verify-full', UNTRUSTED],
  ['queue', 'verify-full&sslrootcert=/no/such/file', /no such file/],
] as const)('a %s takes sslmode=%s as libpq does, and names the remedy', async (what, mode, said) => {
  const url = await openPostgresServer(true);
  expect(String(await OPEN[what](`${url}?sslmode=${mode}`))).toMatch(said);
});

it.each(['target', 'queue'] as const)('a %s says that a server has no encryption', async (what) => {
  const url = await openPostgresServer(false);
  expect(String(await OPEN[what](`${url}?sslmode=require`))).toMatch(
    /Turn ssl on there, or write sslmode=disable/,
  );
});

it.each([
  ['postgres://h/d', 'postgres://h/d'],
  ['postgres://h/d?sslmode=no-verify', 'postgres://h/d?sslmode=no-verify'],
  ['postgres://h/d?sslrootcert=system', 'postgres://h/d?sslmode=verify-full&uselibpqcompat=true'],
])('the address %s is read as %s', (written, read) => {
  expect(addressOf(secretOf('env:PG_URL', written))).toBe(read);
});
