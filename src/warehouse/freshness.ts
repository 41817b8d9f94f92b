import { counted, minuteOf, named } from '../quantity.ts';
import { oneLine } from '../errors.ts';
import { z } from 'zod';
import { explainOutdatedViews } from './failure.ts';

const HOUR_MS = 3_600_000;
const MAX_NAMED = 3;
/** Prefix of the settings with the age in hours from which answers are stale, by endpoint, or by endpoint and project (`freshness.max_age`, or the jobs' intervals). */
export const MAX_AGE_HOURS = 'max_age_hours:';

/** The age of the newest answer. */
const ageRow = z.object({
  projectId: z.string(),
  project: z.string(),
  endpoint: z.string(),
  ageMs: z.number(),
  maxMs: z.number(),
});

/** An endpoint of a project whose newest answer is too old. */
export type StaleEndpoint = z.output<typeof ageRow>;

/** The age of a file's figures, by the reader's clock. */
export type FileAge = NonNullable<ReturnType<Awaited<ReturnType<typeof readAges>>>>;

interface AgeOptions {
  /** Milliseconds since the epoch. */
  now: number;
  /** `freshness.max_age` of today's configuration, in milliseconds; default: the value that the newest run stored. */
  maxAgeMs?: number | null | undefined;
}

/** Where to read the age from: a file, or a connection to one. */
interface Readable {
  rowsAs<Row>(row: z.ZodType<Row>, sql: string): Promise<Row[]>;
}

/** The age of the whole file; null before the first answer. */
export async function readAge(file: Readable, options: AgeOptions): Promise<FileAge | null> {
  return (await readAges(file, options))();
}

/** The age of one project, or of all; the caller passes the clock. @throws WarehouseError (storage) when the file has the views of another version */
export async function readAges(file: Readable, { now, maxAgeMs = null }: AgeOptions) {
  const maxMs = maxAgeMs ?? `max_age_hours * ${HOUR_MS}`;
  const sql = `select project_id as "projectId", coalesce(project_label, project_id) as project, endpoint,
         ${now} - epoch_ms(last_success_at) as "ageMs", ${maxMs} as "maxMs"
       from main.sync_freshness left join detail.project_labels using (project_id) where project_id is not null and last_success_at is not null and max_age_hours is not null
         and endpoint not in (select endpoint from meta.tables where schema_name = 'own')`;
  const aged = await file.rowsAs(ageRow, sql).catch((error: unknown) => {
    throw explainOutdatedViews(error);
  });
  return (projectId?: string) => {
    const own = aged.filter((one) => projectId === undefined || one.projectId === projectId);
    if (own.length === 0) return null;
    const ageMs = Math.min(...own.map((one) => one.ageMs));
    const leastMax = Math.min(...own.map((one) => one.maxMs));
    return {
      /** When the newest answer was stored, milliseconds since the epoch. */
      newestMs: now - ageMs,
      ageMs,
      /** Even the newest answer is older than the shortest limit allows. */
      isStale: ageMs > leastMax,
      /** Endpoints whose newest answers are too old, oldest first. */
      stale: own.filter((one) => one.ageMs > one.maxMs).toSorted((a, b) => b.ageMs - a.ageMs),
    };
  };
}

/** `35 hours`, `9 days`. */
export function ageText(ageMs: number): string {
  const hours = Math.max(0, Math.floor(ageMs / HOUR_MS));
  return hours >= 48 ? `${String(Math.floor(hours / 24))} days` : counted(hours, 'hour');
}

/** The warning for readers of a stale figure; null while nothing is stale. @param where what to read next */
export function staleWords(age: FileAge | null, where = '; see answerlake status'): string | null {
  if (age === null) return null;
  const { newestMs, ageMs, isStale, stale } = age;
  if (isStale)
    return `Stale: the newest answer is from ${minuteOf(newestMs)}, ${ageText(ageMs)} ago. No figure is newer than that${where}.`;
  if (stale.length === 0) return null;
  const late = stale.map((one) => `${one.endpoint} of ${oneLine(one.project)} (${ageText(one.ageMs)})`);
  return `Stale in part: the newest answers are too old for ${named(late, MAX_NAMED)}${where}.`;
}
