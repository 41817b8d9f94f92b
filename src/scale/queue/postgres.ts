import { Socket } from 'node:net';
import { Pool, type PoolConfig, type QueryResult } from 'pg';
import { z } from 'zod';
import { AnswerlakeError, storageError, usageError } from '../../errors.ts';
import { type Secret, withSecret } from '../../secret.ts';
import { addressOf, causesOf, refusalOf } from '../../targets/postgres/session.ts';

type Values = readonly (string | number | readonly string[])[];

/** Runs statements that need no session. */
export type Postgres = Pick<PostgresPool, 'rows' | 'run'>;

const CONNECT_MS = 5_000;
/** No statement of ours takes longer. */
const STATEMENT_MS = 10_000;

function openPool(url: Secret, options: PoolConfig, onRemoved: () => void = () => undefined) {
  const sockets = new Set<Socket>();
  const open = (address: string) => {
    const pool = new Pool({
      connectionString: addressOf(url),
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS,
      stream: () => {
        const socket = new Socket();
        sockets.add(socket);
        return socket.once('close', () => sockets.delete(socket));
      },
      ...options,
    });
    // The next statement replaces a connection that broke while it was idle.
    pool.on('error', () => undefined);
    pool.on('remove', onRemoved);
    return { address, pool };
  };
  let opened = open(url.reveal());
  const poolFor = (address: string): Pool => {
    if (address !== opened.address) {
      void opened.pool.end().catch(() => undefined);
      opened = open(address);
    }
    return opened.pool;
  };
  /** For pg-boss. */
  const executeSql = async (sql: string, values: unknown[] = []): Promise<QueryResult> => {
    try {
      return await withSecret(url, refusalOf, (address) => poolFor(address).query(sql, values));
    } catch (error) {
      throw postgresError(url, error);
    }
  };
  return {
    executeSql,
    /** @throws AnswerlakeError (storage) */
    rows: async <Row>(row: z.ZodType<Row>, sql: string, values: Values = []): Promise<Row[]> =>
      z.array(row).parse((await executeSql(sql, [...values])).rows),
    /** Returns the number of rows that a single statement changed. @throws AnswerlakeError (storage) */
    run: async (sql: string, values: Values = []): Promise<number> =>
      (await executeSql(sql, [...values])).rowCount ?? 0,
    /** Statements under way fail at once, and so do later ones: a server that does not answer cannot block a caller. */
    [Symbol.asyncDispose]: async (): Promise<void> => {
      const ended = opened.pool.end().catch(() => undefined);
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

export type PostgresPool = ReturnType<typeof openPostgres>;

/** Connections for statements that need no session. */
export function openPostgres(url: Secret) {
  return openPool(url, { max: 4, application_name: 'answerlake' });
}

export type Session = Awaited<ReturnType<typeof openSession>>;

/** One connection that holds advisory locks; they are released when it ends. @throws AnswerlakeError configuration behind a pooler that hands out transactions; storage if PostgreSQL cannot be reached */
export async function openSession(url: Secret, timeoutMs = STATEMENT_MS) {
  // A statement may wait for another one of the session.
  const bounds = { query_timeout: timeoutMs, connectionTimeoutMillis: timeoutMs };
  const one = { max: 1, idleTimeoutMillis: 0, keepAlive: true, application_name: 'answerlake session' };
  const loss = new AbortController();
  /** Ends the connection, so that statements under way fail. */
  const lose = (why = 'the connection to PostgreSQL was lost'): void => {
    loss.abort(storageError(why));
    void postgres[Symbol.asyncDispose]();
  };
  // Connections go also after a statement that failed.
  const postgres = openPool(url, { ...bounds, ...one }, () => lose());
  try {
    const backend = await backendOf(postgres);
    await requireOwnBackend(postgres, backend, url);
    /** `backend`: the server process, which holds its locks. `lossSignal`: aborted when the connection is lost. */
    return { ...postgres, backend, lose, lossSignal: loss.signal };
  } catch (error) {
    lose();
    throw error;
  }
}

async function backendOf(postgres: Postgres): Promise<number> {
  const [own] = await postgres.rows(z.object({ pid: z.number() }), 'select pg_backend_pid() as pid');
  return own?.pid ?? 0;
}

/** A pooler hands out its servers in turn, so one look may meet the same one by chance. */
const LOOKS = 3;

/** Refuses a pooler: while a second connection is in a transaction, it has the session's server process, or the session has another one. */
async function requireOwnBackend(session: Postgres, backend: number, url: Secret): Promise<void> {
  await using second = openPool(url, { max: 1, application_name: 'answerlake' });
  for (let look = 0; look < LOOKS; look += 1) {
    await second.run('begin');
    if ((await backendOf(second)) === backend || (await backendOf(session)) !== backend) {
      throw usageError([
        `queue.url (${url.origin}): a pooler gives each transaction another session of PostgreSQL (pool_mode = transaction of PgBouncer), and the locks of workers and loader need one session each:`,
        'set pool_mode = session there, or use the address of PostgreSQL itself.',
      ]);
    }
    await second.run('rollback');
  }
}

/** Without the address and its parts, and without a cause, which has them. */
export function postgresError(url: Secret, error: unknown): AnswerlakeError {
  if (error instanceof AnswerlakeError) return error;
  const { causes, todo } = causesOf(error, url);
  return storageError([
    `queue.url (${url.origin}): PostgreSQL does not serve the queue: ${causes}.`,
    `${todo}; then run again.`,
  ]);
}
