import { createHash } from 'node:crypto';
import type { Jobs } from './jobs.ts';
import { RUNS } from './schema.ts';
import { z } from 'zod';
import { daySchema } from '../../day.ts';

const names = z.array(z.string()).nullable();

/** A run as the queue carries it. */
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
  strict: z.boolean(),
  lookbackDays: z.number().nullable(),
});
type QueuedRequest = z.output<typeof requestSchema>;

const MINUTE_MS = 60_000;

/** What a schedule strikes: a job, and the instant at which it is due on every host. */
export interface Strike {
  job: string;
  /** Milliseconds since the epoch. */
  dueMs: number;
}

/**
 * Asks for a run. Null: a schedule, perhaps on another host, asked for the job in this minute already.
 * @throws AnswerlakeError (storage)
 */
export async function enqueueRun(
  jobs: Pick<Jobs, 'send'>,
  request: { readonly [Name in keyof QueuedRequest]: unknown },
  { strike = null }: { strike?: Strike | null },
): Promise<string | null> {
  const data = requestSchema.parse(request);
  return await jobs.send(RUNS, data, strike === null ? {} : { id: idOf(strike) });
}

/** By the minute in which the job is due, not in which it is asked for: hosts strike a little before and after it. */
function idOf({ job, dueMs }: Strike): string {
  const minute = new Date(Math.floor(dueMs / MINUTE_MS) * MINUTE_MS).toISOString();
  const hash = createHash('sha256')
    .update(JSON.stringify([job, minute]))
    .digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** When a run is due that downtime swallowed: now, unless another host may strike the same tick yet. */
export function dueOfMissed(tickMs: number, nowMs: number): number {
  return nowMs - tickMs < MINUTE_MS ? tickMs : nowMs;
}
