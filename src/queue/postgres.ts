import { Client, Pool } from 'pg';
import { AnswerlakeError, messageOf } from '../errors.ts';
import type { Secret } from '../secret.ts';

/** A value that a statement is given. */
export type SqlValue = string | number | boolean | null | Date | readonly string[];

/** Statements on PostgreSQL; rows come as they are, so that callers check them. */
export interface Postgres extends AsyncDisposable {
  /** @throws AnswerlakeError (storage) */
  rows(sql: string, values?: readonly SqlValue[]): Promise<unknown[]>;
}

/** A statement that takes longer is given up: nothing here is large. */
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5_000;

/** Connections for statements that need no session of their own. */
export function openPostgres(url: Secret): Postgres {
  const pool = new Pool({
    connectionString: url.reveal(),
    max: 3,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    application_name: 'answerlake',
  });
  // A connection that breaks while nobody uses it is replaced by the next statement.
  pool.on('error', () => undefined);
  return {
    rows: async (sql, values = []) =>
      await explained(url, async () => (await pool.query(sql, [...values])).rows),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** One connection that stays: advisory locks are held by it, and are free when it is gone. */
export interface Session extends Postgres {
  /** Aborted when the connection is lost. */
  readonly lost: AbortSignal;
  /** The server's process of this session. */
  readonly backend: number;
}

/** @throws AnswerlakeError (storage) when PostgreSQL cannot be reached */
export async function openSession(url: Secret): Promise<Session> {
  const client = new Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    application_name: 'answerlake session',
  });
  const lost = new AbortController();
  const lose = (error?: Error): void => {
    lost.abort(error ?? new AnswerlakeError('the connection to PostgreSQL was lost', { class: 'storage' }));
  };
  client.on('error', lose);
  client.on('end', () => lose());
  const rows: Session['rows'] = async (sql, values = []) =>
    await explained(url, async () => (await client.query(sql, [...values])).rows);
  await explained(url, () => client.connect());
  const [own] = await rows('select pg_backend_pid() as pid');
  const backend = typeof own === 'object' && own !== null && 'pid' in own ? Number(own.pid) : 0;
  return { rows, backend, lost: lost.signal, [Symbol.asyncDispose]: () => client.end() };
}

async function explained<T>(url: Secret, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw postgresError(url, error);
  }
}

/** What went wrong, without the address: it carries a password. */
export function postgresError({ origin }: Secret, error: unknown): AnswerlakeError {
  if (error instanceof AnswerlakeError) return error;
  const causes = error instanceof AggregateError ? error.errors.map(messageOf) : [messageOf(error)];
  return new AnswerlakeError(
    `queue.url (${origin}): PostgreSQL does not serve the queue: ${causes.join('; ')}. Check that it runs and that the address is right; then run again.`,
    { class: 'storage', cause: error },
  );
}
