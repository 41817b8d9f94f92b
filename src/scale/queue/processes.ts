import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Secret } from '../../secret.ts';
import { briefly, openSession, type Postgres } from './postgres.ts';
import { OWN_SCHEMA } from './schema.ts';

/** How soon a lost connection between a process and PostgreSQL is noticed. */
export interface Heartbeat {
  /** Between two heartbeats. */
  intervalMs: number;
  /** A process stops if PostgreSQL has not answered for this long. */
  timeoutMs: number;
  /** A process counts as dead after this long without a heartbeat: well after `timeoutMs`, when it stops itself. */
  deadMs: number;
  /** Pause before a process that lost PostgreSQL connects again. */
  reconnectMs: number;
}

/** A successor takes over within 30 seconds. */
export const HEARTBEAT: Heartbeat = {
  intervalMs: 3_000,
  timeoutMs: 10_000,
  deadMs: 25_000,
  reconnectMs: 5_000,
};

export type ProcessKind = 'worker' | 'loader' | 'standby';

interface PresenceRequest {
  url: Secret;
  kind: ProcessKind;
  version: string;
  effects: Effects;
  heartbeat?: Heartbeat | undefined;
}

interface Reconnecting {
  kind: ProcessKind;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
  heartbeat: Heartbeat | undefined;
}

/**
 * Runs `work` until the signal. It runs again while another process holds the working file and, once it has called `begun`,
 * after a loss of PostgreSQL.
 * @throws the error of `work` before it has begun, and every other error
 */
export async function reconnecting(
  { kind, effects, log, signal, heartbeat = HEARTBEAT }: Reconnecting,
  work: (begun: () => void) => Promise<void>,
): Promise<void> {
  let hasBegun = false;
  while (!signal.aborted) {
    try {
      await work(() => (hasBegun = true));
    } catch (error) {
      if (signal.aborted) return;
      // The loader before may still be closing the working file when its lock in the queue is free.
      const isPassing =
        error instanceof AnswerlakeError &&
        (error.class === 'locked' || (error.class === 'storage' && hasBegun));
      if (!isPassing) throw error;
      log.warn(`${kind}.disconnected`, { reason: messageOf(error), again_in_ms: heartbeat.reconnectMs });
      await effects.sleep(heartbeat.reconnectMs, signal).catch(() => undefined);
    }
  }
}

type Detail = Readonly<Record<string, unknown>>;
export type Presence = Awaited<ReturnType<typeof openPresence>>;

/**
 * Registers a worker or loader: it sends heartbeats, and its session holds its advisory locks.
 * @throws AnswerlakeError (storage) when PostgreSQL cannot be reached
 */
export async function openPresence(request: PresenceRequest) {
  const { url, version, effects, heartbeat = HEARTBEAT } = request;
  let { kind } = request;
  const session = await openSession(url);
  const id = randomUUID();
  const { lost, lose } = session;
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, lost]);
  let detail = (): Detail => ({});
  let zoneProblem: string | null = null;
  await tryLock(session, `process ${id}`);
  await session.run(
    `insert into ${OWN_SCHEMA}.processes (process_id, kind, host, version, backend) values ($1, $2, $3, $4, $5)`,
    [id, kind, hostname(), version, session.backend],
  );
  /** When the last heartbeat was sent that PostgreSQL has answered. */
  let provenAt = performance.now();
  const update = async (): Promise<void> => {
    const sentAt = performance.now();
    const answered = new AbortController();
    const leftMs = Math.max(0, provenAt + heartbeat.timeoutMs - sentAt);
    void effects.sleep(leftMs, answered.signal).then(
      () => lose('PostgreSQL did not answer the heartbeat'),
      () => undefined,
    );
    const sql = `update ${OWN_SCHEMA}.processes set seen_at = now(), kind = $2, detail = $3::jsonb where process_id = $1 and backend = pg_backend_pid()`;
    const shown = JSON.stringify({ ...detail(), landing_problem: zoneProblem });
    try {
      const found = await session.run(sql, [id, kind, shown]);
      provenAt = sentAt;
      if (found === 0) lose('another process, or a pooler, took its session away');
    } catch {
      // The timer, or the end of the session, says that PostgreSQL is lost.
    } finally {
      answered.abort();
    }
  };
  const beat = async (): Promise<void> => {
    while (!ended.aborted) {
      await update();
      await effects.sleep(heartbeat.intervalMs, ended).catch(() => undefined);
    }
  };
  const beating = beat();
  return {
    id,
    session,
    /** Aborted when PostgreSQL has not answered for `timeoutMs`: successors may be at work. */
    lost,
    /** What `queue status` shows of it, from the next heartbeat on. */
    show: (shown: () => Detail): void => void (detail = shown),
    /** Why it cannot use the landing zone; null if it can. */
    get zoneProblem(): string | null {
      return zoneProblem;
    },
    /** Shown at once by `queue status`. */
    reportZone: async (problem: string | null): Promise<void> => {
      if (zoneProblem === problem) return;
      zoneProblem = problem;
      await update();
    },
    /** Shown at once. */
    become: async (as: ProcessKind): Promise<void> => {
      kind = as;
      await update();
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      over.abort();
      if (!lost.aborted) {
        await briefly(session.run(`delete from ${OWN_SCHEMA}.processes where process_id = $1`, [id]));
      }
      await session[Symbol.asyncDispose]();
      await beating;
    },
  };
}

const processRow = z.object({
  process_id: z.string(),
  kind: z.string(),
  host: z.string(),
  version: z.string(),
  started_at: z.date(),
  seen_at: z.date(),
  is_alive: z.boolean(),
  detail: z.record(z.string(), z.unknown()),
});
export type KnownProcess = z.output<typeof processRow>;

/** The advisory lock of a process: every role sees it, whereas pg_stat_activity hides the sessions of other roles. */
const HAS_LOCK = `exists (select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
  and l.pid = p.backend and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('answerlake process ' || p.process_id, 0))`;

/** A process is alive if its session exists and its last heartbeat is at most $1 milliseconds old, by the clock of PostgreSQL. */
const IS_ALIVE = `(p.seen_at > now() - $1::float8 * interval '1 millisecond' and ${HAS_LOCK})`;

export async function knownProcesses(
  postgres: Postgres,
  { deadMs }: Heartbeat = HEARTBEAT,
): Promise<KnownProcess[]> {
  const sql = `select process_id, kind, host, version, started_at, seen_at, detail, ${IS_ALIVE} as is_alive from ${OWN_SCHEMA}.processes p order by kind, started_at`;
  return await postgres.rows(processRow, sql, [deadMs]);
}

/** Whether a worker still asks or lands for a round. */
export async function areWorkersBusy(postgres: Postgres): Promise<boolean> {
  const known = await knownProcesses(postgres);
  return known.some(({ is_alive: isAlive, detail }) => isAlive && typeof detail['round'] === 'string');
}

const deadRow = z.object({ process_id: z.string(), backend: z.number(), has_lock: z.boolean() });

/** Removes processes without a heartbeat, and ends their sessions, which frees their locks. The problem is why a session could not be ended. */
export async function removeDead(
  postgres: Postgres,
  { deadMs }: Heartbeat = HEARTBEAT,
): Promise<{ id: string; problem: string | null }[]> {
  const dead = await postgres.rows(
    deadRow,
    `delete from ${OWN_SCHEMA}.processes p where not ${IS_ALIVE} returning process_id, backend, ${HAS_LOCK} as has_lock`,
    [deadMs],
  );
  return await Promise.all(
    dead.map(async ({ process_id: id, backend, has_lock: hasLock }) => {
      const ended = hasLock ? postgres.run('select pg_terminate_backend($1)', [backend]) : Promise.resolve();
      return { id, problem: await ended.then(() => null, messageOf) };
    }),
  );
}

/** Takes the advisory lock of a name for the session; false when another session holds it. */
export async function tryLock(session: Postgres, name: string): Promise<boolean> {
  const sql = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_held';
  const [lock] = await session.rows(z.object({ is_held: z.boolean() }), sql, [`answerlake ${name}`]);
  return lock?.is_held === true;
}

export async function unlock(session: Postgres, name: string): Promise<void> {
  await session.run('select pg_advisory_unlock(hashtextextended($1, 0))', [`answerlake ${name}`]);
}
