import { z } from 'zod';
import { daySchema, type Day } from '../day.ts';
import type { ChartData } from './chart.ts';

/** A key figure: the last 28 whole days against the 28 before. */
export interface Kpi {
  measure: string;
  value: number | null;
  previous: number | null;
  change: number | null;
  /** The usual size of such a change. */
  typical: number | null;
  isClear: boolean;
  days: number;
  goal: number | null;
}

/** A day on which the level of a measure shifted. */
export interface Shift {
  measure: string;
  date: Day;
  before: number;
  after: number;
  candidates: number;
  titles: string | null;
}

export interface Freshness {
  endpoint: string;
  status: string;
  covered: Day | null;
  error: string | null;
}

/** Everything the report says of one project. */
export interface ProjectData {
  id: string;
  name: string | null;
  /** Last whole day; null before the first. */
  end: Day | null;
  pendingFrom: Day | null;
  charts: ChartData;
  kpis: Kpi[];
  shifts: Shift[];
  freshness: Freshness[];
}

/*
 * Rows of the files in `sql/report`, one schema a file.
 */

const project = { project_id: z.string() };

export const projectRow = z.object({
  ...project,
  project_name: z.string().nullable(),
  first_date: daySchema.nullable(),
  last_date: daySchema.nullable(),
  pending_from: daySchema.nullable(),
});

export const lineRow = z.object({
  ...project,
  kind: z.string(),
  key: z.string(),
  label: z.string().nullable(),
  is_own: z.boolean(),
  figures: z.array(z.number().nullable()),
});
export type LineRow = z.output<typeof lineRow>;

export const eventRow = z.object({
  ...project,
  date: daySchema,
  type: z.string(),
  title: z.string(),
  prompt_count: z.number().nullable(),
});

export const kpiRow = z.object({
  ...project,
  measure: z.string(),
  value: z.number().nullable(),
  previous_value: z.number().nullable(),
  change: z.number().nullable(),
  typical_change: z.number().nullable(),
  is_clear: z.boolean(),
  days_with_value: z.number(),
  goal: z.number().nullable(),
});

export const heatmapRow = z.object({
  ...project,
  window_start: daySchema,
  window_end: daySchema,
  competitor_name: z.string(),
  is_own_brand: z.boolean(),
  model_name: z.string(),
  visibility_pct: z.number().nullable(),
});
export type HeatmapRow = z.output<typeof heatmapRow>;

/** Rows of `domains.sql`, `pages.sql` and `prompts.sql`. */
export const rankedRow = z.object({
  ...project,
  window_start: daySchema,
  window_end: daySchema,
  label: z.string(),
  is_own: z.boolean(),
  value: z.number(),
  previous: z.number().nullable(),
  share: z.number().nullable(),
});
export type RankedRow = z.output<typeof rankedRow>;

export const impactRow = z.object({
  ...project,
  first_date: daySchema,
  last_date: daySchema,
  actions: z.number(),
  titles: z.string().nullable(),
  visibility_before: z.number(),
  visibility_after: z.number(),
  visibility_change: z.number(),
  visibility_typical_change: z.number().nullable(),
  is_clear: z.boolean(),
  prompt_set_changed: z.boolean(),
  other_actions_count: z.number(),
});

export type ImpactRow = z.output<typeof impactRow>;

export const shiftRow = z.object({
  ...project,
  measure: z.string(),
  date: daySchema,
  value_before: z.number(),
  value_after: z.number(),
  change: z.number(),
  candidates_count: z.number(),
  candidate_titles: z.string().nullable(),
});

export const freshnessRow = z.object({
  project_id: z.string().nullable(),
  endpoint: z.string(),
  status: z.string(),
  last_covered_date: daySchema.nullable(),
  lag_days: z.number().nullable(),
  last_error: z.string().nullable(),
});
