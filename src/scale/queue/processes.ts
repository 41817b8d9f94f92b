import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import { type Effects, stopCode } from '../../effects.ts';
import { AnswerlakeError, messageOf, type ExitCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Secret } from '../../secret.ts';
import { openSession, type Postgres, type Session } from './postgres.ts';
import { ROUND_QUEUE } from './schema.ts';
import { readSql } from '../../warehouse/sql.ts';

/** How soon a lost connection between a process and PostgreSQL is noticed: a successor takes over within 30 seconds. */
export const HEARTBEAT = {
  intervalMs: 3_000,
  /** A process stops if PostgreSQL has not answered for this long. */
  timeoutMs: 10_000,
  /** It counts as dead after this long without a heartbeat: well after it has stopped itself. */
  deadMs: 25_000,
  /** Pause before it connects again. */
  reconnectMs: 5_000,
};
export type Heartbeat = typeof HEARTBEAT;

export type ProcessKind = 'worker' | 'loader' | 'standby';

interface ProcessContext {
  version: string;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
}

/** Runs `work` until the signal: again while another process holds the working file and, once it has called `begun`, after a loss of PostgreSQL. @throws the error of `work` before it has begun, and every other error */
export async function reconnecting(
  kind: ProcessKind,
  { context, heartbeat }: { context: Omit<ProcessContext, 'version'>; heartbeat: Heartbeat },
  work: (begun: () => void) => Promise<void>,
): Promise<ExitCode> {
  const { effects, log, signal } = context;
  let hasBegun = false;
  while (!signal.aborted) {
    try {
      await work(() => (hasBegun = true));
    } catch (error) {
      if (signal.aborted) break;
      // The loader before may still be closing the working file when its lock in the queue is free.
      const isPassing =
        error instanceof AnswerlakeError &&
        (error.class === 'locked' || (error.class === 'storage' && hasBegun));
      if (!isPassing) throw error;
      log.warn(`${kind}.disconnected`, { reason: messageOf(error), again_in_ms: heartbeat.reconnectMs });
      await effects.sleep(heartbeat.reconnectMs, signal).catch(() => undefined);
    }
  }
  return stopCode(signal);
}

/** What `queue status` shows of a process. */
interface Shown {
  kind: ProcessKind;
  /** Why it cannot use the landing zone; null if it can. */
  zoneProblem: string | null;
  /** Read at each heartbeat. */
  detail: () => Readonly<Record<string, unknown>>;
}

export type Presence = Awaited<ReturnType<typeof openPresence>>;

/** Registers a worker or loader: it sends heartbeats, and its session holds its advisory locks. @throws AnswerlakeError (storage, configuration) */
export async function openPresence(
  kind: ProcessKind,
  { context, url, heartbeat }: { context: Omit<ProcessContext, 'signal'>; url: Secret; heartbeat: Heartbeat },
) {
  const { version, effects, log } = context;
  const session = await openSession(url, heartbeat.timeoutMs);
  const { lossSignal, lose, backend } = session;
  const id = randomUUID();
  const shown: Shown = { kind, zoneProblem: null, detail: () => ({}) };
  await tryLock(session, `process ${id}`);
  await session.run(
    `insert into answerlake.processes (process_id, kind, host, version, backend) values ($1, $2, $3, $4, $5)`,
    [id, kind, hostname(), version, backend],
  );
  const beat = async (): Promise<void> => {
    const sql = `update answerlake.processes set seen_at = now(), kind = $2, detail = $3::jsonb where process_id = $1 and backend = pg_backend_pid()`;
    const detail = JSON.stringify({ ...shown.detail(), landing_problem: shown.zoneProblem });
    const found = await session.run(sql, [id, shown.kind, detail]).catch(() => null);
    if (found === null) lose('PostgreSQL did not answer the heartbeat');
    if (found === 0) lose('another process, or a pooler, took its session away');
  };
  const beatUntilLost = async (): Promise<void> => {
    for (; !lossSignal.aborted; await effects.sleep(heartbeat.intervalMs, lossSignal).catch(() => undefined))
      await beat();
  };
  const beating = beatUntilLost();
  const show = async (change: Partial<Shown>): Promise<void> => {
    Object.assign(shown, change);
    await beat();
  };
  return {
    id,
    session,
    /** Aborted when PostgreSQL has not answered for `timeoutMs`: successors may be at work. */
    lossSignal,
    shown: shown as Readonly<Shown>,
    /** Shown at once. */
    show,
    /** @param zoneProblem why the process cannot use the landing zone; null if it can */
    reportZone: async (zoneProblem: string | null): Promise<void> => {
      if (zoneProblem === shown.zoneProblem) return;
      if (shown.zoneProblem === null) log.warn(`${shown.kind}.without_zone`, { reason: zoneProblem });
      await show({ zoneProblem });
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      const sql = `delete from answerlake.processes where process_id = $1`;
      await session.run(sql, [id]).catch(() => undefined);
      lose();
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
  detail: z.looseObject({
    landing_problem: z.string().nullish(),
    /** The round that a worker serves. */
    round: z.string().optional(),
    parts_waiting: z.number().optional(),
    /** Organizations whose keys the loader validates after their hour, and when it ends. */
    parked: z.array(z.tuple([z.string(), z.number()])).optional(),
  }),
});

/** The advisory lock of a process: every role sees it, whereas pg_stat_activity hides the sessions of other roles. */
const HAS_LOCK = `exists (select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
  and l.pid = p.backend and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('answerlake process ' || p.process_id, 0))`;

/** A process is alive if its session exists and its last heartbeat is at most $1 milliseconds old, by the clock of PostgreSQL. */
const IS_ALIVE = `(p.seen_at > now() - $1::float8 * interval '1 millisecond' and ${HAS_LOCK})`;

export async function knownProcesses(postgres: Postgres): Promise<z.output<typeof processRow>[]> {
  const sql = readSql('queue/processes', { is_alive: IS_ALIVE });
  return await postgres.rows(processRow, sql, [HEARTBEAT.deadMs]);
}

const deadRow = z.object({ process: z.string(), backend: z.number(), has_lock: z.boolean() });

/** Removes processes without a heartbeat, and ends their sessions, which frees their locks. */
export async function removeDead(postgres: Postgres, deadMs: number, log: Log): Promise<void> {
  const sql = `delete from answerlake.processes p where not ${IS_ALIVE} returning process_id as process, backend, ${HAS_LOCK} as has_lock`;
  for (const { process, backend, has_lock: hasLock } of await postgres.rows(deadRow, sql, [deadMs])) {
    const ended = hasLock ? postgres.run('select pg_terminate_backend($1)', [backend]) : Promise.resolve();
    log.warn('process.dead', { process, problem: await ended.then(() => null, messageOf) });
  }
}

/** Rounds that no living worker claims any more. */
export async function orphanedRounds(postgres: Postgres, deadMs: number): Promise<string[]> {
  const sql = readSql('queue/orphaned-rounds', { is_alive: IS_ALIVE });
  const orphans = await postgres.rows(z.object({ id: z.string() }), sql, [deadMs, ROUND_QUEUE]);
  return orphans.map(({ id }) => id);
}

/** Takes the advisory lock of a name for the session; null when another session holds it. */
export async function tryLock(session: Session, name: string): Promise<AsyncDisposable | null> {
  const key = [`answerlake ${name}`];
  const sql = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_held';
  const [lock] = await session.rows(z.object({ is_held: z.boolean() }), sql, key);
  if (lock?.is_held !== true) return null;
  return {
    [Symbol.asyncDispose]: async () => {
      if (session.lossSignal.aborted) return;
      await session.run('select pg_advisory_unlock(hashtextextended($1, 0))', key);
    },
  };
}
