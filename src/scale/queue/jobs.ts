import type PgBoss from 'pg-boss';
import { z } from 'zod';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import { openPostgres, postgresError, type PostgresPool } from './postgres.ts';
import { JOBS_SCHEMA, newBoss, requireQueue, ROUND_QUEUE, RUN_QUEUE } from './schema.ts';

/** Without the data of the job: a round of 2,000 slices has a megabyte, and its state is read several times a second. */
const jobRow = z.object({
  id: z.string(),
  state: z.enum(['created', 'retry', 'active', 'completed', 'cancelled', 'failed']),
  output: z.unknown(),
  /** Since it was taken; null while it waits. */
  active_seconds: z.number().nullable(),
});
export type QueuedJob = z.output<typeof jobRow>;

/** A job that this process took. */
export interface TakenJob {
  id: string;
  data: unknown;
}

export interface SendOptions {
  /** Jobs of one key run one after the other. */
  key?: string;
  /** By PostgreSQL's clock. */
  afterMs?: number;
  /** A UUID: at most one job of it. */
  id?: string;
}

/** The queue of runs and rounds. The caller that opens it closes it. */
export interface Jobs extends AsyncDisposable {
  readonly postgres: PostgresPool;
  /** Null if a job with the same id exists. */
  send(queue: string, data: object, options?: SendOptions): Promise<string | null>;
  take(queue: string): Promise<TakenJob | null>;
  /** Records which process works on a job. */
  claim(job: string, process: string): Promise<void>;
  /** Keeps a run taken until its loader, or the next one, ends it: it may last for days. */
  hold(run: string): Promise<void>;
  complete(queue: string, job: string, output: object): Promise<void>;
  /** The job is tried again, after a longer pause each time; after the last time it is a dead letter. */
  fail(queue: string, job: string, reason: unknown): Promise<void>;
  /** Hands a round back as if it had not been taken, for a second at least: none of its tries is used. */
  release(round: string): Promise<void>;
  cancel(queue: string, job: string): Promise<void>;
  find(queue: string, job: string): Promise<QueuedJob | null>;
  findAll(queue: string, jobs: readonly string[]): Promise<QueuedJob[]>;
  /** A job with the same data that has not been taken yet. */
  findWaiting(queue: string, data: object): Promise<string | null>;
  /** Jobs that wait or are active. */
  open(queue: string): Promise<QueuedJob[]>;
}

/** @throws AnswerlakeError (storage, configuration) */
export async function openJobs(url: Secret): Promise<Jobs> {
  const postgres = openPostgres(url);
  const boss = newBoss(postgres, { migrate: false });
  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw postgresError(url, error);
    }
  };
  try {
    await requireQueue(postgres);
    await explained(() => boss.start().catch(requireTables));
  } catch (error) {
    await postgres[Symbol.asyncDispose]();
    throw error;
  }
  return jobsOn(boss, postgres, explained);
}

/** @throws AnswerlakeError (configuration) if the tables of pg-boss have another version, else the error */
function requireTables(error: unknown): never {
  if (!/requires migrations|not installed/.test(messageOf(error))) throw error;
  throw new AnswerlakeError(
    'The tables of the queue in PostgreSQL have another version than this program: run answerlake queue init; if that does not help, upgrade answerlake on this host.',
    { class: 'configuration', cause: error },
  );
}

type Explained = <T>(work: () => Promise<T>) => Promise<T>;

function jobsOn(boss: PgBoss, postgres: PostgresPool, explained: Explained): Jobs {
  const found = async (where: string, values: readonly string[]): Promise<QueuedJob[]> => {
    const sql = `select id::text, state::text, output, extract(epoch from now() - started_on)::float8 as active_seconds from ${JOBS_SCHEMA}.job where name = $1 and ${where}`;
    return z.array(jobRow).parse(await postgres.rows(sql, values));
  };
  return {
    postgres,
    send: (queue, data, { key, afterMs = 0, id } = {}) =>
      explained(() =>
        boss.send(queue, data, {
          ...(key === undefined ? {} : { singletonKey: key }),
          ...(afterMs <= 0 ? {} : { startAfter: afterMs / 1_000 }),
          ...(id === undefined ? {} : { id }),
        }),
      ),
    take: async (queue) => {
      const [job] = await explained(() => boss.fetch(queue));
      return job === undefined ? null : { id: job.id, data: job.data };
    },
    claim: async (job, process) =>
      void (await postgres.rows(
        `update ${JOBS_SCHEMA}.job set output = jsonb_build_object('process', $2::text) where name = '${ROUND_QUEUE}' and id = $1::uuid and state = 'active'`,
        [job, process],
      )),
    // The bound of pg-boss is below 24 hours, after which another loader would get a run that still goes on.
    hold: async (run) =>
      void (await postgres.rows(
        `update ${JOBS_SCHEMA}.job set expire_in = interval '100 years' where name = '${RUN_QUEUE}' and id = $1::uuid and state = 'active'`,
        [run],
      )),
    complete: (queue, job, output) => explained(() => boss.complete(queue, job, output)),
    fail: (queue, job, reason) => explained(() => boss.fail(queue, job, { message: messageOf(reason) })),
    release: async (round) =>
      void (await postgres.rows(
        `update ${JOBS_SCHEMA}.job set state = 'created', started_on = null, output = null, start_after = now() + interval '1 second' where name = '${ROUND_QUEUE}' and id = $1::uuid and state = 'active'`,
        [round],
      )),
    cancel: (queue, job) => explained(() => boss.cancel(queue, job)),
    find: async (queue, job) => (await found('id = $2::uuid', [queue, job]))[0] ?? null,
    findAll: (queue, jobs) => found('id = any($2::uuid[])', [queue, `{${jobs.join(',')}}`]),
    findWaiting: async (queue, data) =>
      (await found("state in ('created', 'retry') and data = $2::jsonb", [queue, JSON.stringify(data)]))[0]
        ?.id ?? null,
    open: (queue) => found("state in ('created', 'retry', 'active')", [queue]),
    [Symbol.asyncDispose]: async () => {
      await boss.stop({ graceful: false, wait: true }).catch(() => undefined);
      await postgres[Symbol.asyncDispose]();
    },
  };
}

/** A worker claims its job at once. */
const UNCLAIMED_SECONDS = 10;

/** Fails rounds whose worker has stopped, so that another worker takes them. @param alive ids of processes */
export async function failOrphans(jobs: Jobs, alive: ReadonlySet<string>): Promise<number> {
  const claimed = z.object({ process: z.string() });
  let failed = 0;
  for (const { id, state, output, active_seconds: seconds } of await jobs.open(ROUND_QUEUE)) {
    if (state !== 'active') continue;
    const owner = claimed.safeParse(output);
    if (owner.success ? alive.has(owner.data.process) : (seconds ?? 0) < UNCLAIMED_SECONDS) continue;
    await jobs.fail(ROUND_QUEUE, id, 'the worker is gone');
    failed += 1;
  }
  return failed;
}

/** Fails runs that an earlier loader left active. */
export async function failAbandonedRuns(jobs: Jobs): Promise<void> {
  for (const { id, state } of await jobs.open(RUN_QUEUE)) {
    if (state === 'active') await jobs.fail(RUN_QUEUE, id, 'the loader is gone');
  }
}
