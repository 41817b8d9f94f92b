import { z } from 'zod';
import { ALARM_REASONS } from '../../believe/alarms.ts';
import { probeSchema } from '../../believe/probe.ts';
import { daySchema } from '../../day.ts';
import { AnswerlakeError, messageOf, type ErrorClass, type ErrorScope, type ExitCode } from '../../errors.ts';
import { answeredRun, sliceOfColumns, type Slice, sliceRow } from '../../slice.ts';

/** A slice as JSON, which `flatSlice` writes. */
const sliceSchema = sliceRow.transform((columns, context): Slice => {
  const slice = sliceOfColumns(columns);
  if (slice !== null) return slice;
  context.addIssue('the columns do not describe a slice');
  return z.NEVER;
});

const days = z.object({ start: daySchema, end: daySchema });
const runSchema = answeredRun.extend({
  warehouse: z.string(),
  sequence: z.number(),
  lookbackDays: z.number(),
  isWitness: z.boolean(),
});
const quotaSchema = z.object({
  limit: z.number(),
  remaining: z.number(),
  resetAt: z.number(),
  isHourly: z.boolean().optional(),
});
const quotasSchema = z.array(z.tuple([z.string(), quotaSchema]));

/** A worker asks for these slices and lands the answers. */
export const roundSchema = z.object({
  run: runSchema,
  round: z.string(),
  organization: z.string(),
  accounts: z.array(
    z.object({ name: z.string(), organizationId: z.string().nullable(), isOrganizationKey: z.boolean() }),
  ),
  quotas: quotasSchema,
  /** For messages only: workers do not wait. */
  maxWaitMs: z.number(),
  /** From earlier rounds and runs. */
  probed: z.array(probeSchema).default([]),
  slices: z.array(
    z.object({
      slice: sliceSchema,
      asked: days.nullable(),
      limit: z.number().nullable(),
      askedWith: z.string(),
      wanted: z.array(z.string()),
      account: z.string(),
    }),
  ),
});
export type Round = z.output<typeof roundSchema>;
/** As stored in the queue. */
export type RoundJson = z.input<typeof roundSchema>;

const problemSchema = z.object({
  class: z.custom<ErrorClass>((value) => typeof value === 'string'),
  scope: z.custom<ErrorScope>((value) => typeof value === 'string'),
  exitCode: z.custom<ExitCode>((value) => typeof value === 'number'),
  message: z.string(),
  account: z.string().nullable(),
  /** Until when the key waits, by the clock of the worker; null: it does not. */
  waitUntilMs: z.number().nullable(),
});
export type RoundProblem = z.output<typeof problemSchema>;

export function problemOf(error: unknown, account: string | null = null): RoundProblem {
  const known =
    error instanceof AnswerlakeError ? error : new AnswerlakeError(messageOf(error), { class: 'bug' });
  const { class: errorClass, scope, exitCode, message, waitUntilMs } = known;
  return { class: errorClass, scope, exitCode, message, account, waitUntilMs };
}

/** A problem of a worker, as if it had happened in this process. */
export function problemOfRound({ message, account, ...known }: RoundProblem) {
  return { error: new AnswerlakeError(message, known), account };
}

/** How a round ended; the answers are in the landing zone. */
export const roundEndSchema = z.object({
  problems: z.array(problemSchema),
  failed: z.array(
    problemSchema.extend({
      slice: sliceSchema,
      requests: z.number(),
      httpStatus: z.number().nullable(),
      at: z.number(),
      refused: z.literal('too_old').exactOptional(),
      alarm: z.enum(ALARM_REASONS).exactOptional(),
    }),
  ),
  probes: z.array(probeSchema).default([]),
  /** Requests that no part counts. */
  requests: z.number(),
  retries: z.number(),
  warnings: z.array(z.string()),
  quotas: quotasSchema,
  /** By the clock of the worker, like the resets. */
  at: z.number(),
});
export type RoundEnd = z.output<typeof roundEndSchema>;
export type RoundEndJson = z.input<typeof roundEndSchema>;
