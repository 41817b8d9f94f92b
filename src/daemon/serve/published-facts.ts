import { statSync } from 'node:fs';
import { z } from 'zod';
import { openPublishedFile } from '../../publish/published-file.ts';
import { SLICE_STATUSES } from '../../believe/terms.ts';
import { daySchema } from '../../day.ts';
import { type FileAge, readAge } from '../../warehouse/freshness.ts';
import { projectLabels } from '../../project-names.ts';
import { readSql } from '../../warehouse/sql.ts';

const freshnessRow = z.object({
  /** `''` for endpoints without a project. */
  projectId: z.string(),
  projectName: z.string().nullable(),
  endpoint: z.string(),
  status: z.string(),
  lastCoveredDay: daySchema.nullable(),
  /** Milliseconds since the epoch. */
  lastSuccessMs: z.number().nullable(),
  lastError: z.string().nullable(),
});

/** The newest stored answer of one endpoint. */
export type Freshness = z.output<typeof freshnessRow>;

const eventRow = z.object({
  projectId: z.string(),
  projectName: z.string().nullable(),
  day: daySchema,
  title: z.string(),
});

const projectRow = z.object({ id: z.string(), name: z.string().nullable(), slug: z.string().nullable() });

/** The facts that the published file records. */
export type PublishedFacts = NonNullable<Awaited<ReturnType<typeof readPublishedFacts>>>;

/**
 * Opens the published file read-only, queries it and closes it at once: an open instance would stay on the old file.
 * Null if nothing is published yet.
 * @throws WarehouseError (storage) if it cannot be read
 */
export async function readPublishedFacts(path: string, clock: Parameters<typeof readAge>[1]) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  await using file = await openPublishedFile(path, { threads: 1, isAnyVersion: true });
  const ofUrl = 'select base_url from main.sync_settings';
  const [baseUrl = null] = await file.values(z.string().nullable(), ofUrl);
  // The views of another version do not contain the age.
  const age = file.outdated === null ? await readAge(file, clock) : null;
  const freshness = await file.rowsAs(freshnessRow, readSql('status/served-freshness'));
  const events = await file.rowsAs(eventRow, readSql('status/last-night-events'));
  const projects = await file.rowsAs(projectRow, 'select project_id as id, name, slug from core.projects');
  const labels = projectLabels(projects);
  const labelled = <Row extends { projectId: string; projectName: string | null }>(row: Row): Row => {
    return { ...row, projectName: labels.get(row.projectId) ?? row.projectName };
  };
  return {
    /** Milliseconds since the epoch. */
    publishedMs: stats.mtimeMs,
    bytes: stats.size,
    /** Why there is no report before the next publish: another version of the program published the file. */
    outdated: file.outdated?.message ?? null,
    /** Origin that the data comes from. */
    baseUrl,
    freshness: freshness.map((one) => ({ ...labelled(one), status: statusOf(one, age) })),
    /** Dated events of the last night, the day before the last sync, newest first. */
    events: events.map(labelled),
    /** By the clock of the caller; null before the first answer. */
    age,
    slices: await file.rowsAs(
      z.object({ status: z.enum(SLICE_STATUSES), slices: z.number() }),
      'select status, count(*) as slices from meta.slices group by status order by status',
    ),
  };
}

/** The view's status by the database clock, by ours. */
function statusOf({ projectId, endpoint, status }: Freshness, age: FileAge | null): string {
  if (status !== 'current' && status !== 'behind' && status !== 'stale') return status;
  const isStale = age?.stale.some((one) => one.projectId === projectId && one.endpoint === endpoint) === true;
  return isStale ? 'stale' : status === 'stale' ? 'current' : status;
}
