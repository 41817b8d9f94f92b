import { randomInt } from 'node:crypto';
import { Client, Pool, type QueryResult } from 'pg';
import { z } from 'zod';
import { AnswerlakeError } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import { addressOf, causesOf } from '../../targets/postgres/session.ts';
import { Socket } from 'node:net';

/** A parameter of a statement. */
type SqlValue = string | number | boolean | null | Date | readonly string[];
type Values = readonly SqlValue[];

/** Runs statements on PostgreSQL. */
export interface Postgres {
  /** @throws AnswerlakeError (storage) */
  rows<Row>(row: z.ZodType<Row>, sql: string, values?: Values): Promise<Row[]>;
  /** Returns the number of rows that a single statement changed. @throws AnswerlakeError (storage) */
  run(sql: string, values?: Values): Promise<number>;
}

function postgresOn(url: Secret, query: (sql: string, values: unknown[]) => Promise<QueryResult>): Postgres {
  const ask = (sql: string, values: Values): Promise<QueryResult> =>
    explained(url, () => query(sql, [...values]));
  return {
    rows: async (row, sql, values = []) => z.array(row).parse((await ask(sql, values)).rows),
    run: async (sql, values = []) => (await ask(sql, values)).rowCount ?? 0,
  };
}

/** No statement of ours takes longer. */
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5_000;
const bounds = (url: Secret) => ({
  connectionString: addressOf(url),
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: STATEMENT_MS,
});

export type PostgresPool = ReturnType<typeof openPostgres>;

/** A pool, for statements that need no session. */
export function openPostgres(url: Secret) {
  const sockets = new Sockets();
  const pool = new Pool({ ...bounds(url), max: 4, application_name: 'answerlake', stream: sockets.make });
  // The next statement replaces a connection that broke while it was idle.
  pool.on('error', () => undefined);
  let isAbandoned = false;
  /** For pg-boss. @throws the errors of PostgreSQL, unchanged */
  const executeSql = async (sql: string, values?: unknown[]): Promise<QueryResult> => {
    if (isAbandoned)
      throw new AnswerlakeError('PostgreSQL did not answer for too long', { class: 'storage' });
    return await pool.query(sql, values);
  };
  return {
    ...postgresOn(url, executeSql),
    executeSql,
    /** Ends all connections for good, so that statements under way fail. */
    abandon: (): void => {
      isAbandoned = true;
      sockets.destroy();
    },
    [Symbol.asyncDispose]: (): Promise<void> => sockets.close(pool.end()),
  };
}

export type Session = Awaited<ReturnType<typeof openSession>>;

/**
 * One connection that holds advisory locks; they are released when it ends.
 * @throws AnswerlakeError configuration behind a pooler that hands out transactions; storage if PostgreSQL cannot be reached
 */
export async function openSession(url: Secret) {
  const sockets = new Sockets();
  const options = { ...bounds(url), keepAlive: true, stream: sockets.make };
  // A certificate file of the address is read here.
  const client = await explained(url, async () => {
    await Promise.resolve();
    return new Client({ ...options, application_name: 'answerlake session' });
  });
  const lost = new AbortController();
  const lose = (why = 'the connection to PostgreSQL was lost'): void => {
    lost.abort(new AnswerlakeError(why, { class: 'storage' }));
    sockets.destroy();
  };
  client.on('error', () => lose());
  client.on('end', () => lose());
  const postgres = postgresOn(url, (sql, values) => client.query(sql, values));
  await explained(url, () => client.connect()).catch((error: unknown) => {
    lose();
    throw error;
  });
  const backend = await backendOf(postgres);
  const session = {
    ...postgres,
    /** The server process of this session. */
    backend,
    /** Aborted when the connection is lost. */
    lost: lost.signal,
    /** Ends the connection, so that statements under way fail. */
    lose,
    [Symbol.asyncDispose]: (): Promise<void> => sockets.close(client.end()),
  };
  if (!(await sharesLocks(session, url))) return session;
  await session[Symbol.asyncDispose]();
  throw pooledError(url);
}

async function backendOf(postgres: Postgres): Promise<number> {
  const [own] = await postgres.rows(z.object({ pid: z.number() }), 'select pg_backend_pid() as pid');
  return own?.pid ?? 0;
}

/** A pooler hands out its servers in turn, so one look may meet the same one by chance. */
const LOOKS = 3;

/**
 * Whether the session's advisory lock is not its own: a second connection takes the same lock, or the session no longer has it
 * while the second one is in a transaction.
 */
async function sharesLocks(session: Postgres, url: Secret): Promise<boolean> {
  const key = randomInt(2 ** 31);
  const second = new Client(bounds(url));
  second.on('error', () => undefined);
  const other = postgresOn(url, (sql, values) => second.query(sql, values));
  await session.run('select pg_advisory_lock($1)', [key]);
  try {
    await explained(url, () => second.connect());
    for (let look = 0; look < LOOKS; look += 1) {
      await other.run('begin');
      if (await holds(other, 'pg_try_advisory_xact_lock($1::bigint)', key)) return true;
      if (!(await holds(session, OWN_LOCK, key))) return true;
      await other.run('rollback');
    }
    return false;
  } finally {
    await session.run('select pg_advisory_unlock($1)', [key]).catch(() => undefined);
    await briefly(second.end());
  }
}

const OWN_LOCK = `exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and classid = 0 and objid = $1::bigint)`;

async function holds(postgres: Postgres, condition: string, key: number): Promise<boolean> {
  const [row] = await postgres.rows(z.object({ held: z.boolean() }), `select ${condition} as held`, [key]);
  return row?.held === true;
}

function pooledError({ origin }: Secret): AnswerlakeError {
  return new AnswerlakeError(
    `queue.url (${origin}): a pooler gives each transaction another session of PostgreSQL (pool_mode = transaction of PgBouncer), and the locks of workers and loader need one session each: set pool_mode = session there, or use the address of PostgreSQL itself.`,
    { class: 'configuration' },
  );
}

/** @throws AnswerlakeError (storage) */
export async function explained<T>(url: Secret, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw postgresError(url, error);
  }
}

/** Explains an error without the address, which has a password. */
export function postgresError({ origin }: Secret, error: unknown): AnswerlakeError {
  if (error instanceof AnswerlakeError) return error;
  const { causes, todo } = causesOf(error);
  return new AnswerlakeError(
    `queue.url (${origin}): PostgreSQL does not serve the queue: ${causes}. ${todo}; then run again.`,
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
