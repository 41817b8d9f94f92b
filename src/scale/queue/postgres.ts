import { Client, Pool, type QueryResult } from 'pg';
import { AnswerlakeError, codeOf, messageOf } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import { Socket } from 'node:net';

/** A parameter of a statement. */
export type SqlValue = string | number | boolean | null | Date | readonly string[];

/** Runs statements on PostgreSQL; callers validate the rows. */
export interface Postgres extends AsyncDisposable {
  /** @throws AnswerlakeError (storage) */
  rows(sql: string, values?: readonly SqlValue[]): Promise<unknown[]>;
}

export interface PostgresPool extends Postgres {
  /** For pg-boss. @throws the errors of PostgreSQL, unchanged */
  executeSql(sql: string, values?: unknown[]): Promise<QueryResult>;
  /** Ends all connections for good, so that statements under way fail. */
  abandon(): void;
}

/** No statement of ours takes longer. */
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5_000;

/** A pool, for statements that need no session. */
export function openPostgres(url: Secret): PostgresPool {
  const sockets = new Sockets();
  const pool = new Pool({
    connectionString: url.reveal(),
    max: 4,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    application_name: 'answerlake',
    stream: sockets.make,
  });
  // The next statement replaces a connection that broke while it was idle.
  pool.on('error', () => undefined);
  let isAbandoned = false;
  const executeSql: PostgresPool['executeSql'] = async (sql, values) => {
    if (isAbandoned)
      throw new AnswerlakeError('PostgreSQL did not answer for too long', { class: 'storage' });
    return await pool.query(sql, values);
  };
  return {
    rows: async (sql, values = []) =>
      await explained(url, async () => (await executeSql(sql, [...values])).rows),
    executeSql,
    abandon: () => {
      isAbandoned = true;
      sockets.destroy();
    },
    [Symbol.asyncDispose]: async () => await sockets.close(pool.end()),
  };
}

/** One connection that holds advisory locks; they are released when it ends. */
export interface Session extends Postgres {
  /** Aborted when the connection is lost. */
  readonly lost: AbortSignal;
  /** The server process of this session. */
  readonly backend: number;
  /** Whether another server process serves the connection now: a pooler may change it with each transaction. */
  isPooled(): Promise<boolean>;
  /** Ends the connection, so that statements under way fail. */
  abandon(): void;
}

/** @throws AnswerlakeError configuration behind a pooler that hands out transactions; storage if PostgreSQL cannot be reached */
export async function openSession(url: Secret): Promise<Session> {
  const sockets = new Sockets();
  const client = new Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    application_name: 'answerlake session',
    stream: sockets.make,
  });
  const lost = new AbortController();
  const lose = (error?: Error): void => {
    lost.abort(error ?? new AnswerlakeError('the connection to PostgreSQL was lost', { class: 'storage' }));
  };
  client.on('error', lose);
  client.on('end', () => lose());
  const rows: Session['rows'] = async (sql, values = []) =>
    await explained(url, async () => (await client.query(sql, [...values])).rows);
  await explained(url, () => client.connect()).catch((error: unknown) => {
    sockets.destroy();
    throw error;
  });
  const backend = await backendOf(rows);
  const session: Session = {
    rows,
    backend,
    lost: lost.signal,
    isPooled: async () => (await backendOf(rows)) !== backend,
    abandon: () => sockets.destroy(),
    [Symbol.asyncDispose]: async () => await sockets.close(client.end()),
  };
  if (!(await sharesBackend(session, url))) return session;
  await session[Symbol.asyncDispose]();
  throw pooledError(url);
}

async function backendOf(rows: Postgres['rows']): Promise<number> {
  const [own] = await rows('select pg_backend_pid() as pid');
  return typeof own === 'object' && own !== null && 'pid' in own ? Number(own.pid) : 0;
}

/** Whether a second connection gets the server process of an open session, or takes it away: then the session cannot hold locks. */
async function sharesBackend(session: Session, url: Secret): Promise<boolean> {
  const second = new Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
  });
  second.on('error', () => undefined);
  return await explained(url, async () => {
    try {
      await second.connect();
      await second.query('begin');
      const other = await backendOf(async (sql) => (await second.query(sql)).rows);
      return other === session.backend || (await session.isPooled());
    } finally {
      await briefly(second.end());
    }
  });
}

export function pooledError({ origin }: Secret): AnswerlakeError {
  return new AnswerlakeError(
    `queue.url (${origin}): a pooler gives each transaction another session of PostgreSQL (pool_mode = transaction of PgBouncer), and the locks of workers and loader need one session each: set pool_mode = session there, or use the address of PostgreSQL itself.`,
    { class: 'configuration' },
  );
}

async function explained<T>(url: Secret, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw postgresError(url, error);
  }
}

/** By error code of PostgreSQL (https://www.postgresql.org/docs/15/errcodes-appendix.html); two characters stand for a class of codes. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28': 'Check user and password',
  '3D000': 'Create that database, or check the address',
  '42501':
    'Make the user owner of the schemas answerlake and answerlake_jobs, or grant it CREATE on the database',
  '53300': 'Raise max_connections there, or run fewer workers: each process has up to five connections',
  '53100': 'Free some disk space there',
  '25006': 'Name the primary server, not a standby',
};

/** Explains an error without the address, which has a password. */
export function postgresError({ origin }: Secret, error: unknown): AnswerlakeError {
  if (error instanceof AnswerlakeError) return error;
  const code = codeOf(error) ?? '';
  const todo =
    REMEDIES[code] ?? REMEDIES[code.slice(0, 2)] ?? 'Check that it runs and that the address is right';
  const causes = error instanceof AggregateError ? error.errors.map(messageOf) : [messageOf(error)];
  return new AnswerlakeError(
    `queue.url (${origin}): PostgreSQL does not serve the queue: ${causes.join('; ')}. ${todo}; then run again.`,
    { class: 'storage', cause: error },
  );
}

/** A server that does not answer would block the closing. */
const CLOSE_MS = 1_000;

/** The sockets of connections: a server that does not answer can neither keep them open nor block a caller. */
class Sockets {
  readonly #open = new Set<Socket>();

  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Statements under way fail at once. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Waits briefly for an orderly closing, then closes the sockets. */
  async close(closing: Promise<unknown>): Promise<void> {
    await briefly(closing);
    this.destroy();
  }
}

/** Waits for a closing or its failure, but not for long. */
export async function briefly(closing: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise((settle) => (timer = setTimeout(settle, CLOSE_MS)));
  await Promise.race([closing.catch(() => undefined), enough]);
  clearTimeout(timer);
}
