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
export type QueuedRequest = z.output<typeof requestSchema>;
