import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pRetry from 'p-retry';
import { Client, DatabaseError } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import { createAddressRedactor } from '../../redact.ts';
import { type Secret, withSecret } from '../../secret.ts';
import { AnswerlakeError, codeOf, messageOf, usageError } from '../../errors.ts';
import { readSqlData } from '../../files.ts';
import { readSql } from '../../warehouse/sql.ts';
import { SCHEMAS } from '../../warehouse/tables.ts';
import type { TargetSettings } from '../target-rows.ts';

/** The statements that create the schemas. If one exists, the user needs no right to create it. */
export function createSchemas(): string {
  return SCHEMAS.map(
    (schema) =>
      `do $$ begin if to_regnamespace('${schema}') is null then create schema ${schema}; end if; end $$;`,
  ).join('\n');
}

const CONNECT_MS = 10_000;

export type TargetSession = Awaited<ReturnType<typeof openTargetSession>>;

/** A publish and a reader lock views one after the other, and may wait for each other: the server then ends one of them. */
const DEADLOCK = '40P01';
const RETRIES = 2;

/** Does work in a session, again after a deadlock. @throws AnswerlakeError that names the obstacle */
export async function inSession<T>(url: Secret, work: (session: TargetSession) => Promise<T>): Promise<T> {
  const once = async (): Promise<T> => {
    await using session = await openTargetSession(url);
    return await work(session);
  };
  const isDeadlock = ({ error }: { error: unknown }): boolean => codeOf(error) === DEADLOCK;
  const options = { retries: RETRIES, minTimeout: 0, shouldRetry: isDeadlock };
  try {
    return await withSecret(url, refusalOf, () => pRetry(once, options));
  } catch (error) {
    throw explainPostgres(url, error);
  }
}

/**
 * The address as pg reads it, its `sslmode` with the meaning of libpq: `require` encrypts and trusts any certificate unless `sslrootcert`
 * names its authority, `verify-full` checks it. By itself, pg checks in all of them what psql checks in the last alone.
 */
export function addressOf(url: Secret): string {
  const address = url.reveal().replace(/([?&])sslrootcert=system(?=&|$)/, '$1sslmode=verify-full');
  const mode = /[?&]sslmode=([a-z-]+)/.exec(address)?.[1];
  // Modes of pg that libpq lacks stay its own.
  if (mode === undefined || mode === 'no-verify' || address.includes('uselibpqcompat=')) return address;
  return `${address}&uselibpqcompat=true`;
}

/** One connection to the database of the target, for one transaction. */
export async function openTargetSession(url: Secret) {
  const client = new Client({
    connectionString: addressOf(url),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    application_name: 'answerlake target',
  });
  // A connection that breaks between two statements would end the process; the next statement fails.
  client.on('error', () => undefined);
  await client.connect();
  return {
    rows: async <Row>(
      row: z.ZodType<Row>,
      sql: string,
      values: readonly (readonly string[])[] = [],
    ): Promise<Row[]> => z.array(row).parse((await client.query(sql, [...values])).rows),
    /** One or several statements. */
    run: async (sql: string, values: readonly unknown[] = []): Promise<void> =>
      void (await client.query(sql, [...values])),
    /** Rows in the text format of `copy`. */
    copy: (table: string, texts: AsyncIterable<string>): Promise<void> =>
      pipeline(Readable.from(texts), client.query(copyFrom(`copy ${table} from stdin`))),
    [Symbol.asyncDispose]: (): Promise<void> => client.end().catch(() => undefined),
  };
}

/** What an error means. */
const explanation = z.object({
  what: z.string(),
  todo: z.string(),
  class: z.literal('locked').exactOptional(),
});

const CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT)|^SECURITY WARNING: Using sslmode=verify-ca/;

const UNKNOWN = { what: 'cannot be used', todo: 'Check that it runs and that the address is right' };

/** A user, a password, a database or an address that did not let us in, so that no statement was run; null for any other error. */
export function refusalOf(error: unknown): string | null {
  const code = codeOf(error) ?? '';
  return /^(?:28|3D|ECONNREFUSED$|ENOTFOUND$)/.test(code) ? code : null;
}

/** What an error of PostgreSQL means, in words without the address, which has a password, and its parts. */
export function causesOf(error: unknown, url: Secret) {
  const [code, message] = [codeOf(error) ?? '', messageOf(error)];
  const known = z.record(z.string(), explanation).parse(readSqlData('postgres/errors'));
  const isCertificate = CERTIFICATE.test(code) || CERTIFICATE.test(message);
  const tls = isCertificate ? 'certificate' : message.includes('does not support SSL') ? 'encryption' : '';
  const words = known[tls] ?? known[code] ?? known[code.slice(0, 2)] ?? UNKNOWN;
  const causes = error instanceof AggregateError ? error.errors.map(messageOf) : [message];
  const detail = error instanceof DatabaseError ? error.detail?.split('\n')[0] : undefined;
  const text = `${causes.join('; ')}${detail === undefined ? '' : ` (${detail})`}`;
  return { class: 'storage' as const, ...words, causes: createAddressRedactor(url)(text) };
}

/** No cause: it names the host. */
export function explainPostgres(url: Secret, error: unknown): AnswerlakeError {
  if (error instanceof AnswerlakeError) return error;
  const { causes, what, todo, class: errorClass } = causesOf(error, url);
  const told = `warehouse.url (${url.origin}): PostgreSQL ${what}: ${causes}.`;
  const remedy = `${todo}. The target is unchanged, and the next run or answerlake publish updates it.`;
  return new AnswerlakeError([told, remedy], { class: errorClass });
}

const OLDEST_VERSION = 150_000;

const serverRow = z.object({ number: z.number(), version: z.string(), encoding: z.string() });

/** The version of the server. @throws AnswerlakeError (configuration) when it cannot be a target */
export async function requireServer(session: TargetSession, { origin }: Secret): Promise<string> {
  const sql = `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding`;
  const [server] = await session.rows(serverRow, sql);
  const { number = 0, version = 'of an unknown version', encoding = '' } = server ?? {};
  if (number >= OLDEST_VERSION && encoding === 'UTF8') return version;
  const problem =
    number < OLDEST_VERSION
      ? `the server is PostgreSQL ${version}: 15 or newer is needed`
      : `the database is in ${encoding}: create one with encoding UTF8`;
  throw usageError(`warehouse.url (${origin}): ${problem}`);
}

/**
 * Reads the settings of the database.
 * @throws AnswerlakeError (configuration) if another program made a schema of ours
 */
export async function readTarget(session: TargetSession): Promise<TargetSettings> {
  const schemas = await session.rows(
    z.object({ name: z.string(), is_used: z.boolean(), is_ours: z.boolean() }),
    readSql('postgres/schemas'),
    [SCHEMAS],
  );
  if (schemas.some(({ is_ours: isOurs }) => isOurs)) {
    const settings = await session.rows(
      z.object({ name: z.string(), value: z.string().nullable() }),
      'select name, value from meta.target_settings',
    );
    return new Map(settings.map(({ name, value }) => [name, value]));
  }
  const taken = schemas.filter(({ is_used: isUsed }) => isUsed).map(({ name }) => name);
  if (taken.length === 0) return new Map();
  throw usageError([
    `warehouse.url: the database has a schema ${taken.join(', ')} that answerlake did not make:`,
    'name a database of its own, or rename the schema',
  ]);
}
