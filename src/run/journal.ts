import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { orNull } from '../errors.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { replaceFile } from '../files.ts';
import type { Connection } from '../warehouse/connection.ts';
import { beside } from '../warehouse/database-files.ts';
import { leftOutRow, readLeftOut } from '../publish/own-views.ts';
import { openDatabase } from '../warehouse/database.ts';
import { versionRefusal } from '../warehouse/migrate.ts';
import { readSql } from '../warehouse/sql.ts';
import { RUN_STATUSES } from './sync-request.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const knownRun = z
  .object({
    run_id: z.string(),
    job: z.string().nullable(),
    status: z.enum([...RUN_STATUSES, 'running']),
    /** Null while the run is under way. */
    exit_code: z.number().nullable(),
    /** ISO instants. */
    started_at: z.string(),
    finished_at: z.string().nullable(),
    error_message: z.string().nullable(),
  })
  .catchall(cell);

const knownQuota = z
  .object({
    base_url: z.string(),
    organization_id: z.string(),
    quota_limit: z.number(),
    quota_remaining: z.number().nullable(),
    /** ISO instants. */
    quota_reset_at: z.string().nullable(),
    seen_at: z.string(),
  })
  .catchall(cell);

const journal = z.object({
  version: z.literal(2),
  runs: z.array(knownRun),
  quotas: z.array(knownQuota),
  /** Absent in journals of 0.3.0. */
  leftOut: z.array(leftOutRow).default([]),
});

/** A row of `meta.runs`. */
export type KnownRun = z.output<typeof knownRun>;
/** A row of `meta.quotas` about a quota. */
export type KnownQuota = z.output<typeof knownQuota>;

/** Earlier runs, newest first, the quotas they left, and the user's views that the newest publish left out. */
export type Journal = Omit<z.output<typeof journal>, 'version'>;

const NOTHING: Journal = { runs: [], quotas: [], leftOut: [] };

/** `data/answers.duckdb` has its journal at `data/.answers.journal.json`. */
export function journalPath(publishedPath: string): string {
  return beside(resolve(publishedPath), 'journal.json');
}

/** Reads the earlier runs from the journal, or from the published file if there is no readable journal. A run
 * that changed nothing is not published, so the journal has runs that the published file lacks.
 * @throws WarehouseError (storage) when there is only a published file and it cannot be read
 */
export async function readJournal(publishedPath: string): Promise<Journal> {
  const written = readFile(journalPath(publishedPath));
  if (written !== null) return written;
  if (!existsSync(publishedPath)) return NOTHING;
  await using database = await openDatabase({
    path: publishedPath,
    readOnly: true,
    settings: { threads: 1 },
  });
  const connection = await database.connect();
  const refusal = await versionRefusal(connection);
  if (refusal !== null) throw refusal;
  return await readWarehouse(connection);
}

/** Writes the newest runs and quotas beside the published file. */
export async function writeJournal(connection: Connection, context: JournalContext): Promise<void> {
  await replaceJournal(context, () => readWarehouse(connection));
}

interface JournalContext {
  config: { warehouse: Pick<Config['warehouse'], 'path'> };
  log: Log;
}

/** The end of a run that can no longer be recorded in the working file. */
type LostEnd = Pick<KnownRun, 'run_id' | 'status' | 'exit_code' | 'error_message' | 'finished_at'>;

/** Writes the end of a run to the journal only. */
export async function writeLostEnd(end: LostEnd, context: JournalContext): Promise<void> {
  await replaceJournal(context, () => {
    const known = readFile(journalPath(context.config.warehouse.path)) ?? NOTHING;
    const runs = known.runs.map((run) => (run.run_id === end.run_id ? { ...run, ...end } : run));
    return Promise.resolve({ ...known, runs });
  });
}

/** No run depends on the journal, so a failure is only a warning. */
async function replaceJournal({ config, log }: JournalContext, read: () => Promise<Journal>): Promise<void> {
  const path = journalPath(config.warehouse.path);
  try {
    const content = journal.parse({ version: 2, ...(await read()) });
    replaceFile(path, `${JSON.stringify(content)}\n`, 0o600);
  } catch (error) {
    log.warn('journal.not_written', { path, error });
    // An outdated journal would hide newer runs in the published file. If it cannot be removed, it cannot be written either, which the log already reports.
    orNull(() => rmSync(path, { force: true }));
  }
}

/** Copies the ends of failed runs that only the journal has into `meta.runs`. */
export async function recallLostEnds(connection: Connection, publishedPath: string): Promise<void> {
  const runs = readFile(journalPath(publishedPath))?.runs ?? [];
  for (const run of runs.filter(({ status }) => status === 'failed')) {
    await connection.run(
      `update meta.runs set status = $2, exit_code = $3, error_message = $4, finished_at = cast($5 as timestamp)
       where run_id = $1 and exit_code is distinct from $3`,
      [run.run_id, run.status, run.exit_code, run.error_message, run.finished_at],
    );
  }
}

/** Finished runs of a job, newest first; null: manual runs. */
export function finishedRuns({ runs }: Journal, job: string | null): KnownRun[] {
  return runs.filter((run) => run.job === job && run.finished_at !== null);
}

export async function readQuotas(connection: Connection): Promise<KnownQuota[]> {
  return await connection.rowsAs(knownQuota, 'select * from meta.quotas order by base_url, organization_id');
}

async function readWarehouse(connection: Connection): Promise<Journal> {
  return {
    runs: await connection.rowsAs(knownRun, readSql('run/newest-runs')),
    quotas: await readQuotas(connection),
    leftOut: await readLeftOut(connection),
  };
}

function readFile(path: string): Journal | null {
  return orNull(() => journal.parse(JSON.parse(readFileSync(path, 'utf8'))));
}
