import PgBoss from 'pg-boss';
import { z } from 'zod';
import { type AnswerlakeError, toRun, usageError } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import { readSql } from '../../warehouse/sql.ts';
import { openPostgres, openSession, type Postgres, type PostgresPool } from './postgres.ts';

/** The format of the queue and its messages; processes with another format are refused. */
const QUEUE_FORMAT = 3;

export const RUN_QUEUE = 'runs';
export const ROUND_QUEUE = 'rounds';
export const DEAD_LETTER_QUEUE = 'dead-letters';

/** After this time, a round counts as dead even if its worker is alive. */
const EXPIRE_SECONDS = 1_800;
const RETRIES = 5;

/** Creates the queue's schemas, or brings them up to date; safe to repeat. @throws AnswerlakeError (storage, configuration) */
export async function initQueue(url: Secret): Promise<void> {
  // Refuses a pooler in which no worker could hold a lock.
  (await openSession(url)).lose();
  await using postgres = openPostgres(url);
  const found = await readQueueSetting(postgres, 'format').catch(() => null);
  if (Number(found) > QUEUE_FORMAT) throw otherFormat(found);
  await postgres.run(readSql('queue/tables'));
  const boss = newBoss(postgres, { migrate: true });
  try {
    await boss.start();
    await boss.createQueue(DEAD_LETTER_QUEUE);
    const queue = { retryDelay: 1, deadLetter: DEAD_LETTER_QUEUE };
    const ofRounds = { retryLimit: RETRIES, retryBackoff: true, expireInSeconds: EXPIRE_SECONDS };
    await boss.createQueue(ROUND_QUEUE, { ...queue, ...ofRounds, name: ROUND_QUEUE, policy: 'singleton' });
    // A run may wait for its quota for long, and a loader may be stopped many times: neither may use up its tries.
    const ofRuns = { retryLimit: 1_000, expireInSeconds: 86_000 };
    await boss.createQueue(RUN_QUEUE, { ...queue, ...ofRuns, name: RUN_QUEUE });
  } finally {
    await boss.stop({ graceful: false });
  }
  await writeSetting(postgres, 'format', String(QUEUE_FORMAT));
}

/** @throws AnswerlakeError (configuration) when `queue init` has not been run, or has another format; storage */
export async function requireQueue(postgres: Postgres): Promise<void> {
  const sql = `select 1 as found where to_regclass('answerlake.settings') is not null`;
  const isThere = (await postgres.run(sql)) > 0;
  const format = isThere ? await readQueueSetting(postgres, 'format') : null;
  if (format !== String(QUEUE_FORMAT)) throw otherFormat(format);
}

/** @param format null: the queue is not set up */
function otherFormat(format: string | null): AnswerlakeError {
  const what = format === null ? 'is not set up' : `has format ${format}`;
  const todo =
    Number(format) > QUEUE_FORMAT
      ? 'upgrade answerlake on this host.'
      : toRun`run ${'answerlake queue init'}.`;
  return usageError([
    `The queue in PostgreSQL ${what}, and this program uses format ${String(QUEUE_FORMAT)}:`,
    todo,
  ]);
}

/** pg-boss on our schema and connections: its own connections would wait forever for a server that does not answer. Without `supervise` it starts no maintenance. */
export function newBoss(postgres: PostgresPool, { migrate }: { migrate: boolean }): PgBoss {
  const settings = { schema: 'answerlake_jobs', migrate, supervise: !migrate, schedule: false };
  const boss = new PgBoss({ db: postgres, ...settings });
  // Errors of its timers: our next statement meets and reports them too.
  boss.on('error', () => undefined);
  return boss;
}

export async function readQueueSetting(postgres: Postgres, name: string): Promise<string | null> {
  const sql = `select value from answerlake.settings where name = $1`;
  return (await postgres.rows(z.object({ value: z.string() }), sql, [name]))[0]?.value ?? null;
}

export async function forgetSetting(postgres: Postgres, name: string): Promise<void> {
  await postgres.run(`delete from answerlake.settings where name = $1`, [name]);
}

export async function writeSetting(postgres: Postgres, name: string, value: string): Promise<void> {
  await postgres.run(
    `insert into answerlake.settings (name, value) values ($1, $2) on conflict (name) do update set value = $2`,
    [name, value],
  );
}
