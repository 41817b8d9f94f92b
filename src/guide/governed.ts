import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { SQL_FOLDER } from '../warehouse/sql.ts';

/** Where the figures of a governed figure stand, one row a day. */
const governedSource = z.strictObject({
  /** View of `main`. */
  view: z.string(),
  /** What to add up; of a mean, the figure of the day. */
  numerator: z.string(),
  /** What to divide the sum by; left out: a mean divides by its days, a sum by nothing. */
  denominator: z.string().optional(),
  /** Every row of a day has the denominator, which counts once: the same as something that adds up over the rows. */
  once: z.string().optional(),
  /** Of a net figure: what both of its shares count together. */
  spread: z.string().optional(),
});
export type GovernedSource = z.output<typeof governedSource>;

/** What a figure can be split by, besides project and time; source: a crawler or a referrer. */
export const PARTS = ['model', 'monitor', 'brand', 'source'] as const;
export type Part = (typeof PARTS)[number];

/** One figure with the one right way to compute it for more than a day. */
const governed = z.strictObject({
  name: z.string(),
  label: z.string(),
  unit: z.string(),
  description: z.string(),
  kind: z.enum(['mean', 'share', 'net', 'weighted', 'sum']),
  source: governedSource,
  /** Where the same stands by part. */
  parts: z.partialRecord(z.enum(PARTS), governedSource),
  /** The measure of `detail.typical_changes` that says how far it strays. */
  measure: z.string().optional(),
  /** False: what is asked of the models does not move it. */
  is_of_answers: z.boolean().default(true),
  /** What people also call it. */
  synonyms: z.array(z.string()),
});
export type Governed = z.output<typeof governed>;

/** Columns that name a part. */
export const PART_COLUMNS = {
  model: { id: 'model_id', name: 'model_name' },
  monitor: { id: 'monitor_id', name: 'monitor_name' },
  brand: { id: 'brand_id', name: 'brand_name' },
  source: { id: 'source', name: 'source' },
} as const;

/** The governed figures: what `metric` answers, and what the semantic files describe. */
export const GOVERNED: readonly Governed[] = z
  .array(governed)
  .parse(parse(readFileSync(join(SQL_FOLDER, 'figures.yaml'), 'utf8')));

/** The periods of time that a figure can be split by. */
export const TIMES = ['day', 'week', 'month'] as const;
export type Time = (typeof TIMES)[number];

/** Whether rows are told apart by time, and not by a part. */
export function isTime(by: Time | Part | undefined): by is Time {
  return TIMES.some((one) => one === by);
}
