import { z } from 'zod';
import { GRAINS } from './day.ts';
import { SCOPES, WINDOW_KINDS, type FlatSlice } from './slice.ts';
import { daySchema } from './day-schema.ts';

/** The columns of a slice, as the ledger, the archive and the queue have them. */
export const sliceRow = z.object({
  endpoint: z.string(),
  project_id: z.string().nullable(),
  scope: z.enum(SCOPES),
  scope_id: z.string(),
  grain: z.enum(GRAINS).nullable(),
  window_kind: z.enum(WINDOW_KINDS).nullable(),
  window_start: daySchema.nullable(),
  window_end: daySchema.nullable(),
}) satisfies z.ZodType<FlatSlice>;
