import { z } from 'zod';
import { daySchema } from '../../day.ts';
import { DEFAULT_LOOKBACK_DAYS, type LoadRun } from '../../load/load-run.ts';
import { sliceValues, type Slice } from '../../slice.ts';

/** The form of parts and manifests; a newer one is refused. */
export const LANDING_FORMAT = 1;

/** The facts of a part that are readable without opening it. */
export const manifestSchema = z.strictObject({
  format: z.literal(LANDING_FORMAT),
  /** The program that wrote it. */
  version: z.string(),
  run: z.string(),
  run_started_at: z.iso.datetime(),
  sync_day: daySchema,
  base_url: z.string(),
  accept_shrink: z.boolean(),
  warehouse: z.string().nullable().default(null),
  sequence: z.int().nullable().default(null),
  lookback_days: z.int().default(DEFAULT_LOOKBACK_DAYS),
  /** The round of the run that it belongs to. */
  round: z.string(),
  organization: z.string(),
  answers: z.int(),
  /** Lines: one for each page. */
  rows: z.int(),
  bytes: z.int(),
  sha256: z.hash('sha256'),
  /** Requests that were sent since the part before it, repeats included. */
  requests: z.int(),
  retries: z.int(),
  /** The slices that it answers, each as the values of its columns. */
  slices: z.array(z.string()),
  landed_at: z.iso.datetime(),
});
export type Manifest = z.output<typeof manifestSchema>;

export const MANIFEST_END = '.json';
export const PART_END = '.ndjson.gz';

/** `<day>/<run>/<round>-<hash>`: the name of a part and of its manifest, without their ends. */
export function partName({ sync_day: day, run, round, sha256 }: Manifest): string {
  return `${runFolder({ syncDay: day, runId: run })}${round}-${sha256}`;
}

export function runFolder({ syncDay, runId }: Pick<LoadRun, 'syncDay' | 'runId'>): string {
  return `${syncDay}/${runId}/`;
}

export function runOf(manifest: Manifest): LoadRun {
  return {
    runId: manifest.run,
    startedAt: Date.parse(manifest.run_started_at),
    syncDay: manifest.sync_day,
    baseUrl: manifest.base_url,
    acceptShrink: manifest.accept_shrink,
    warehouse: manifest.warehouse,
    sequence: manifest.sequence,
    lookbackDays: manifest.lookback_days,
  };
}

/** The text by which a manifest names a slice, with its days. */
export function sliceName(slice: Slice): string {
  return JSON.stringify(sliceValues(slice));
}
