import { z } from 'zod';
import { readSqlData } from '../files.ts';

/** The source of a governed figure, one row per day. */
const governedSource = z.strictObject({
  /** View of `main`. */
  view: z.string(),
  /** The column to add up; for a mean, the figure of the day. */
  numerator: z.string(),
  /** The column to divide the sum by; left out: a mean divides by its days, a sum by nothing. */
  denominator: z.string().exactOptional(),
  /** Every row of a day repeats the denominator, which counts once: this column equals it and adds up over the rows. */
  once: z.string().exactOptional(),
  /** For a net figure: the sum of its two shares. */
  spread: z.string().exactOptional(),
});
export type GovernedSource = z.output<typeof governedSource>;

/** The parts that a figure can be split by, besides project and time; source: a crawler or a referrer. */
export const PARTS = ['model', 'monitor', 'brand', 'source'] as const;
export type Part = (typeof PARTS)[number];

/** A figure with its only correct aggregation over several days. */
const governed = z.strictObject({
  name: z.string(),
  label: z.string(),
  unit: z.string(),
  description: z.string(),
  kind: z.enum(['mean', 'share', 'net', 'weighted', 'sum']),
  source: governedSource,
  /** The sources by part. */
  parts: z.partialRecord(z.enum(PARTS), governedSource),
  /** The measure of `detail.typical_changes` with its usual variation. */
  measure: z.string().optional(),
  /** False: the prompts put to the models do not affect it. */
  is_of_answers: z.boolean().default(true),
  /** The figure that people who ask for this one often mean. */
  often_meant: z.string().optional(),
  /** Other names for it. */
  synonyms: z.array(z.string()),
});
export type Governed = z.output<typeof governed>;

/** Columns that identify a part. */
export const PART_COLUMNS = {
  model: { id: 'model_id', name: 'model_name' },
  monitor: { id: 'monitor_id', name: 'monitor_name' },
  brand: { id: 'brand_id', name: 'brand_name' },
  source: { id: 'source', name: 'source' },
} as const;

/** The governed figures: served by `metric` and described by the semantic files. */
export const GOVERNED: readonly Governed[] = z.array(governed).parse(readSqlData('figures'));

/** The periods that a figure can be split by. */
export const TIMES = ['day', 'week', 'month'] as const;
export type Time = (typeof TIMES)[number];

/** Whether rows are split by time instead of by a part. */
export function isTime(by: Time | Part | undefined): by is Time {
  return TIMES.some((one) => one === by);
}
