import { DatabaseError } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { postgresError, openSession } from '../../../src/scale/queue/postgres.ts';
import {
  explainPostgres,
  addressOf,
  inSession,
  openTargetSession,
} from '../../../src/targets/postgres/session.ts';
import { everythingOf } from '../../extract/rig.ts';
import { secretOf, type Secret } from '../../../src/secret.ts';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

const url = secretOf('env:PG_URL', 'postgres://user:pass-word@host/db');

it.each([
  ['ECONNREFUSED', 7, [/^cannot be used$/, /^Check that it runs and that the address is right$/]],
  ['28P01', 7, [/^refuses the connection$/, /^Check user and password, and add sslmode=require/]],
  ['3D000', 7, [/^has no such database$/, /^Create that database/]],
  ['42501', 7, [/^lacks a right/, /grant it CREATE/]],
  ['53100', 7, [/^has no disk space left$/, /^Free some disk space/]],
  ['53300', 7, [/^has no connection left$/, /^Raise max_connections.*fewer workers/]],
  ['25006', 7, [/^is read-only$/, /^Name the primary server/]],
  ['55P03', 6, [/^is locked by another program$/, /^Wait/]],
  ['2BP01', 7, [/^has an object of yours/, /^Drop it, run answerlake publish/]],
] as const)(
  'a failure %s of the target ends with exit code %i, one of the queue with 7',
  (code, exitCode, [what, todo]) => {
    const failure = Object.assign(new DatabaseError('no', 1, 'error'), { code, detail: 'view mine\nmore' });
    const target = explainPostgres(url, failure);
    const queue = postgresError(url, failure);
    expect([target.exitCode, queue.exitCode]).toEqual([exitCode, 7]);
    const ofTarget =
      /^warehouse\.url \(env:PG_URL\): PostgreSQL (.*): no \(view mine\)\. (.*)\. The target is unchanged, and/;
    const ofQueue =
      /^queue\.url \(env:PG_URL\): PostgreSQL (does not serve the queue): no \(view mine\)\. (.*); then run again\.$/;
    expect(ofTarget.exec(target.message)?.slice(1)).toEqual([
      expect.stringMatching(what),
      expect.stringMatching(todo),
    ]);
    expect(ofQueue.exec(queue.message)?.[2]).toMatch(todo);
  },
);

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

const OPENED = {
  target: async (secret: Secret) => await inSession(secret, () => Promise.resolve('')).catch(String),
  queue: async (secret: Secret) => await openSession(secret).then(() => '', String),
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

it('a refused password is read again from its file, for the queue and the warehouse alike', async () => {
  for (const open of Object.values(OPENED)) {
    const servers = await Promise.all([openPostgresServer(true), openPostgresServer(true)]);
    const [old, next] = servers.map((url) => `${url}?sslmode=require`);
    const rotating = secretOf('file:url', old ?? '', () => next ?? '');
    const said = await open(rotating);
    expect([rotating.reveal(), said]).toEqual([next, expect.stringMatching(REACHED)]);
  }
});

it('no part of an address but the name of the database stands in a failure, nor in what caused it', async () => {
  const address = 'postgres://me.user:hidden%20word@no-such-host.invalid:5432/own-base?host=10.1.2.3';
  const said =
    'for user "me.user" at "no-such-host.invalid" (10.1.2.3), hidden word, "own-base" [fd00::7]:5432';
  const failures = [
    new DatabaseError(said, 1, 'error'),
    Object.assign(new Error(said), { code: 'ENOTFOUND' }),
  ];
  for (const failure of failures)
    for (const explain of [explainPostgres, postgresError]) {
      const shown = everythingOf(explain(secretOf('env:PG_URL', address), failure));
      expect(shown).not.toMatch(/me\.user|no-such-host|hidden|10\.1\.2\.3|fd00/);
      expect(shown).toContain('for user "[secret]"');
      expect(shown).toContain('"own-base"');
    }
});

it.each([
  ['postgres://u:hidden@h/hidden', 'database "hidden" does not exist'],
  ['postgres://u:12/hidden@h/base', 'database "hidden@h/base" does not exist'],
  ['postgres://h/base?password=hidden&dbname=hidden', 'database "hidden" does not exist'],
])('the name of the database in %s, which is or may be a password, is hidden', (address, said) => {
  const failure = new DatabaseError(said, 1, 'error');
  expect(everythingOf(explainPostgres(secretOf('env:PG_URL', address), failure))).not.toContain('hidden');
});

it.each([
  ['postgres://h/d', 'postgres://h/d'],
  ['postgres://h/d?sslmode=no-verify', 'postgres://h/d?sslmode=no-verify'],
  ['postgres://h/d?sslrootcert=system', 'postgres://h/d?sslmode=verify-full&uselibpqcompat=true'],
])('the address %s is read as %s', (written, read) => {
  expect(addressOf(secretOf('env:PG_URL', written))).toBe(read);
});
