import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import { openSession, type Postgres, type Session, briefly } from './postgres.ts';
import { OWN_SCHEMA } from './schema.ts';

/** How soon it is noticed that a process and PostgreSQL do not hear each other. */
export interface Heartbeat {
  /** From one beat to the next. */
  beatMs: number;
  /** A process stops if PostgreSQL has not answered for this long. */
  silentMs: number;
  /** A process without a heartbeat for this long counts as dead: well after it has stopped. */
  deadMs: number;
  /** Pause before a process that stopped looks for PostgreSQL again. */
  awayMs: number;
}

export const HEARTBEAT: Heartbeat = { beatMs: 3_000, silentMs: 15_000, deadMs: 45_000, awayMs: 5_000 };

export type ProcessKind = 'worker' | 'loader' | 'standby';

/** A worker or loader as others see it: it beats, and its session holds its advisory locks. */
export interface Presence extends AsyncDisposable {
  readonly id: string;
  readonly session: Session;
  /** Aborted when PostgreSQL has not been heard for `silentMs`: successors may be at work. */
  readonly lost: AbortSignal;
  /** What `queue status` shows of it from the next beat on. */
  show(detail: () => Readonly<Record<string, unknown>>): void;
  /** Shown at once. */
  become(kind: ProcessKind): Promise<void>;
}

export interface PresenceRequest {
  url: Secret;
  kind: ProcessKind;
  version: string;
  effects: Effects;
  heartbeat?: Heartbeat | undefined;
}

/** @throws AnswerlakeError (storage) when PostgreSQL cannot be reached */
export async function openPresence(request: PresenceRequest): Promise<Presence> {
  const { url, kind, version, effects, heartbeat = HEARTBEAT } = request;
  const session = await openSession(url);
  const id = randomUUID();
  const lost = new AbortController();
  const over = new AbortController();
  const lose = (why: string): void => {
    lost.abort(new AnswerlakeError(why, { class: 'storage' }));
    session.abandon();
  };
  session.lost.addEventListener('abort', () => {
    if (!over.signal.aborted) lose('the connection to PostgreSQL was lost');
  });
  let shown: { kind: ProcessKind; detail: () => Readonly<Record<string, unknown>> } = {
    kind,
    detail: () => ({}),
  };
  await session.rows(
    `insert into ${OWN_SCHEMA}.processes (process_id, kind, host, version, backend) values ($1, $2, $3, $4, $5)`,
    [id, kind, hostname(), version, session.backend],
  );
  const silence = watchSilence(effects, heartbeat.silentMs, () =>
    lose('PostgreSQL did not answer the heartbeat'),
  );
  const tell = async (): Promise<void> => {
    const heard = silence.asking();
    const sql = `update ${OWN_SCHEMA}.processes set seen_at = now(), kind = $2, detail = $3::jsonb where process_id = $1`;
    try {
      await session.rows(sql, [id, shown.kind, JSON.stringify(shown.detail())]);
      heard();
    } catch (error) {
      if (session.lost.aborted) lose(messageOf(error));
    }
  };
  const beat = async (): Promise<void> => {
    while (!over.signal.aborted && !lost.signal.aborted) {
      await tell();
      await effects.sleep(heartbeat.beatMs, over.signal).catch(() => undefined);
    }
  };
  const beating = beat();
  return {
    id,
    session,
    lost: lost.signal,
    show: (detail) => {
      shown = { ...shown, detail };
    },
    become: async (as) => {
      shown = { ...shown, kind: as };
      await tell();
    },
    [Symbol.asyncDispose]: async () => {
      over.abort();
      silence.end();
      if (!lost.signal.aborted) {
        await briefly(session.rows(`delete from ${OWN_SCHEMA}.processes where process_id = $1`, [id]));
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

/** Alive: its session is there, and it was heard in the last $1 milliseconds. By the clock of PostgreSQL alone. */
const IS_ALIVE = `(p.seen_at > now() - $1::float8 * interval '1 millisecond' and exists (
  select 1 from pg_stat_activity a where a.pid = p.backend and a.application_name = 'answerlake session'
    and a.backend_start <= p.started_at))`;

export async function knownProcesses(
  postgres: Postgres,
  { deadMs }: Heartbeat = HEARTBEAT,
): Promise<KnownProcess[]> {
  return z
    .array(processRow)
    .parse(
      await postgres.rows(
        `select process_id, kind, host, version, started_at, seen_at, detail, ${IS_ALIVE} as is_alive from ${OWN_SCHEMA}.processes p order by kind, started_at`,
        [deadMs],
      ),
    );
}

/** Ends the sessions of silent processes, which frees their locks, and forgets them; returns their ids. */
export async function buryDead(postgres: Postgres, { deadMs }: Heartbeat = HEARTBEAT): Promise<string[]> {
  const sql = `with dead as (delete from ${OWN_SCHEMA}.processes p where not ${IS_ALIVE} returning process_id, backend, started_at)
    select process_id, (select bool_and(pg_terminate_backend(a.pid)) from pg_stat_activity a
      where a.pid = dead.backend and a.application_name = 'answerlake session' and a.backend_start <= dead.started_at) as ended from dead`;
  return z
    .array(z.object({ process_id: z.string() }))
    .parse(await postgres.rows(sql, [deadMs]))
    .map(({ process_id: id }) => id);
}

/** Takes the advisory lock of a name for the session; false when another session holds it. */
export async function tryLock(session: Session, name: string): Promise<boolean> {
  const rows = await session.rows('select pg_try_advisory_lock(hashtextextended($1, 0)) as is_held', [
    `answerlake ${name}`,
  ]);
  return z.array(z.object({ is_held: z.boolean() })).parse(rows)[0]?.is_held ?? false;
}

export async function unlock(session: Session, name: string): Promise<void> {
  await session.rows('select pg_advisory_unlock(hashtextextended($1, 0))', [`answerlake ${name}`]);
}

/** Watches how long nothing was heard. */
interface Silence {
  /** Call it with a question; what it returns, with the answer: the silence starts again at the question. */
  asking(): () => void;
  end(): void;
}

/** Calls `onSilent` once, when no question of the last `silentMs` has been answered. */
export function watchSilence(effects: Effects, silentMs: number, onSilent: () => void): Silence {
  let watch = new AbortController();
  const begin = (alreadyMs: number): void => {
    watch.abort();
    const { signal } = (watch = new AbortController());
    effects.sleep(Math.max(0, silentMs - alreadyMs), signal).then(onSilent, () => undefined);
  };
  begin(0);
  return {
    asking: () => {
      const askedAt = effects.now();
      return () => {
        // A clock that was set back would make the silence longer.
        if (!watch.signal.aborted) begin(Math.max(0, effects.now() - askedAt));
      };
    },
    end: () => watch.abort(),
  };
}
