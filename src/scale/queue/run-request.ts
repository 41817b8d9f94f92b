import { createHash } from 'node:crypto';
import { z } from 'zod';
import { daySchema } from '../../day.ts';
import type { Jobs } from './jobs.ts';
import { RUN_QUEUE } from './schema.ts';

const names = z.array(z.string()).nullable();

export const requestSchema = z.object({
  job: z.string().nullable(),
  projects: names,
  endpoints: names,
  from: daySchema.nullable(),
  to: daySchema.nullable(),
  full: z.boolean(),
  today: daySchema.nullable(),
  maxWaitMs: z.number(),
  acceptShrink: z.boolean(),
  pruneAll: z.boolean().default(false),
  strict: z.boolean(),
  lookbackDays: z.number().nullable(),
});

const MINUTE_MS = 60_000;

/** A job of a schedule, and the instant at which it is due on every host. */
export interface DueJob {
  job: string;
  /** Milliseconds since the epoch. */
  dueMs: number;
}

/** Enqueues a run, unless an identical one waits already. Without an id if a schedule, perhaps on another host, enqueued the job in this minute already. @throws AnswerlakeError (storage) */
export async function enqueueRun(
  jobs: Pick<Jobs, 'findWaiting' | 'send'>,
  request: { readonly [Name in keyof z.output<typeof requestSchema>]: unknown },
  due?: DueJob,
): Promise<{ id: string | null; isNew: boolean }> {
  const data = requestSchema.parse(request);
  const [waiting] = await jobs.findWaiting(RUN_QUEUE, data);
  if (waiting !== undefined) return { id: waiting.id, isNew: false };
  const id = await jobs.send(RUN_QUEUE, data, due === undefined ? {} : { id: idOf(due) });
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
