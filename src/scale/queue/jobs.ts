import { createHash } from 'node:crypto';
import type PgBoss from 'pg-boss';
import { z } from 'zod';
import { messageOf, toRun, usageError } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import { openPostgres } from './postgres.ts';
import { newBoss, readQueueSetting, requireQueue, ROUND_QUEUE, RUN_QUEUE } from './schema.ts';

/** Without the data of the job: a round of 2,000 slices has a megabyte, and its state is read several times a second. */
const jobRow = z.object({
  id: z.string(),
  state: z.enum(['created', 'retry', 'active', 'completed', 'cancelled', 'failed']),
  output: z.unknown(),
});
export type QueuedJob = z.output<typeof jobRow>;

export interface TakenJob {
  id: string;
  data: unknown;
}

export type Jobs = Awaited<ReturnType<typeof openJobs>>;

/** The queue of runs and rounds. The caller that opens it closes it. @throws AnswerlakeError (storage, configuration) */
export async function openJobs(url: Secret) {
  const postgres = openPostgres(url);
  const boss = newBoss(postgres, { migrate: false });
  try {
    await requireQueue(postgres);
    await boss.start().catch(requireTables);
  } catch (error) {
    await postgres[Symbol.asyncDispose]();
    throw error;
  }
  const found = (where: string, values: readonly string[]): Promise<QueuedJob[]> => {
    const sql = `select id::text, state::text, output from answerlake_jobs.job where name = $1 and ${where}`;
    return postgres.rows(jobRow, sql, values);
  };
  const change = async (changes: string, values: readonly string[]): Promise<void> => {
    const sql = `update answerlake_jobs.job set ${changes} where name = $1 and id = $2::uuid and state = 'active'`;
    await postgres.run(sql, values);
  };
  return {
    postgres,
    /** Null if a job with the same id exists. Jobs of one `singletonKey` run one after the other. */
    send: (queue: string, data: object, options: PgBoss.SendOptions = {}) => boss.send(queue, data, options),
    /** Null if none waits, or the queue is paused. */
    take: async (queue: string): Promise<TakenJob | null> => {
      if ((await readQueueSetting(postgres, 'paused')) === 'true') return null;
      return (await boss.fetch(queue))[0] ?? null;
    },
    /** Records which process works on a round. */
    claim: (round: string, process: string) =>
      change("output = jsonb_build_object('process', $3::text)", [ROUND_QUEUE, round, process]),
    /** Keeps a run taken until its loader, or the next one, ends it: pg-boss hands out a job again after at most 24 hours. */
    hold: (run: string) => change("expire_in = interval '100 years'", [RUN_QUEUE, run]),
    complete: (queue: string, job: string, output: object) => boss.complete(queue, job, output),
    /** The job is tried again, after a longer pause each time; after the last time it is a dead letter. */
    fail: (queue: string, job: string, reason: unknown) =>
      boss.fail(queue, job, { message: messageOf(reason) }),
    /** Hands a round back as if it had not been taken, for a second at least: none of its tries is used. */
    release: (round: string) =>
      change(
        "state = 'created', started_on = null, output = null, start_after = now() + interval '1 second'",
        [ROUND_QUEUE, round],
      ),
    cancel: (queue: string, job: string) => boss.cancel(queue, job),
    find: (queue: string, jobs: readonly string[]) =>
      found('id = any($2::uuid[])', [queue, `{${jobs.join(',')}}`]),
    /** A job with the same data that has not been taken yet. */
    findWaiting: (queue: string, data: object) =>
      found("state in ('created', 'retry') and data = $2::jsonb", [queue, JSON.stringify(data)]),
    /** Jobs that wait or are active. */
    open: (queue: string) => found("state in ('created', 'retry', 'active')", [queue]),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await boss.stop({ graceful: false, wait: true }).catch(() => undefined);
      await postgres[Symbol.asyncDispose]();
    },
  };
}

/** @throws AnswerlakeError (configuration) if the tables of pg-boss have another version, else the error */
function requireTables(error: unknown): never {
  if (!/requires migrations|not installed/.test(messageOf(error))) throw error;
  const what = 'The tables of the queue in PostgreSQL have another version than this program:';
  const todo = toRun`run ${'answerlake queue init'}; if that does not help, upgrade answerlake on this host.`;
  throw usageError([what, todo], error);
}

const MINUTE_MS = 60_000;

/** A job of a schedule, and the instant at which it is due on every host, in milliseconds since the epoch. */
interface DueJob {
  job: string;
  dueMs: number;
}

/** Enqueues a run, unless an identical one waits already. Without an id if a schedule, perhaps on another host, enqueued the job in this minute already. @throws AnswerlakeError (storage) */
export async function enqueueRun(
  jobs: Pick<Jobs, 'findWaiting' | 'send'>,
  request: object,
  due?: DueJob,
): Promise<{ id: string | null; isNew: boolean }> {
  const [waiting] = await jobs.findWaiting(RUN_QUEUE, request);
  if (waiting !== undefined) return { id: waiting.id, isNew: false };
  const id = await jobs.send(RUN_QUEUE, request, due === undefined ? {} : { id: idOf(due) });
  return { id, isNew: id !== null };
}

/** By the minute in which the job is due: hosts enqueue it a little before and after that. */
function idOf({ job, dueMs }: DueJob): string {
  const minute = new Date(Math.floor(dueMs / MINUTE_MS) * MINUTE_MS).toISOString();
  const hash = createHash('sha256').update(JSON.stringify([job, minute]));
  return hash.digest('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** When a run of a tick is due: one that was missed during downtime now, unless another host may still enqueue the same tick. */
export function dueOf(tickMs: number, nowMs: number): number {
  return nowMs - tickMs < MINUTE_MS ? tickMs : nowMs;
}
