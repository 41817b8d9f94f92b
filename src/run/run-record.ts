import { z } from 'zod';
import { countDays, type Day, daySchema } from '../day.ts';
import { IS_ANSWERED } from '../believe/terms.ts';
import type { Config } from '../config/config.ts';
import { warehouseId, type LoadRun } from '../load/load-run.ts';
import { newestSequence } from '../load/read-archive.ts';
import { askedWith } from '../plan/selection.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteLiteral, readSql } from '../warehouse/sql.ts';
import { writeSettings } from '../warehouse/tables.ts';
import { readJournal } from './journal.ts';
import { RUN_STATUSES, type RunStatus, type SyncRequest } from './sync-request.ts';

/** After a longer pause a run starts afresh: it should see restatements made meanwhile, and a weekly run is a new run. */
const MAX_PAUSE_DAYS = 5;

/** The request of a run as text: a run continues unfinished runs with the same text. */
export function selectionOf(request: SyncRequest): string {
  const { job, projects, endpoints, from, to, full } = request;
  return JSON.stringify({ job, projects, endpoints, from, to, full });
}

/**
 * Records the run as running. A different run that is still marked as running was killed, because only one process holds the file; its
 * answers are counted, because a replay compares them with the archive.
 */
export async function startRun(
  connection: Connection,
  run: LoadRun,
  asked: { job: string | null; selection: string; version: string; lookback_days: number },
): Promise<void> {
  await connection.run(
    `update meta.runs r set status = 'failed', error_message = 'the process ended without a word',
       slices_loaded = (select count(*) from meta.slices s where s.run_id = r.run_id and ${IS_ANSWERED})
     where status = 'running'`,
  );
  const { runId, startedAt, syncDay, baseUrl, sequence, lookbackDays } = run;
  const known = { run_id: runId, started_at: startedAt, sync_day: syncDay, base_url: baseUrl, sequence };
  // The configured look-back decides which days are final; a job may look further back.
  const row = { ...known, ...asked, status: 'running', configured_lookback_days: lookbackDays };
  await connection.appendRows({ schema: 'meta', table: 'runs', rows: [row] });
}

/** Enters a run that is known only from its answers, unless it is there already. */
export async function enterKnownRun(
  connection: Connection,
  { runId, startedAt, syncDay, baseUrl, sequence }: LoadRun,
  { status, version, message }: { status: RunStatus; version: string; message: string },
): Promise<void> {
  const start = new Date(startedAt).toISOString();
  const values = [runId, start, syncDay, status, baseUrl, message, version, sequence];
  await connection.run(readSql('run/enter-known-run'), values);
}

/** The warehouse and the number of a new run, larger than any in the working file, the journal or the archive: a restored backup lacks runs, and no number is reused. */
export async function nextNumber(connection: Connection, config: Config) {
  const warehouse = await warehouseId(connection);
  const numbered = z.object({ run_id: z.string(), sequence: z.number().nullish().catch(null) });
  const runs = await connection.rowsAs(numbered, 'select run_id, sequence from meta.runs');
  const known = new Set(runs.map((run) => run.run_id));
  const archived = await newestSequence(config.raw.dir, { warehouse, known });
  // The published file may have been replaced by that of another warehouse.
  if (known.size > 0) runs.push(...z.array(numbered).parse((await readJournal(config.warehouse.path)).runs));
  // Numbers order the runs, whatever their clocks said.
  return { warehouse, sequence: 1 + Math.max(archived, ...runs.map(({ sequence }) => sequence ?? 0), 0) };
}

/** Runs of the same selection since the last finished one, newest first, as long as each began soon enough after its predecessor. */
export async function unfinishedRuns(
  connection: Connection,
  selection: string,
  today: Day,
): Promise<string[]> {
  const runs = await connection.rowsAs(
    z.object({ run_id: z.string(), status: z.enum([...RUN_STATUSES, 'running']), day: daySchema }),
    `select run_id, status, sync_day as day from meta.runs
     where selection = $1 order by sequence desc nulls last limit 1000`,
    [selection],
  );
  const chain: string[] = [];
  let next = today;
  for (const { run_id: runId, status, day } of runs) {
    if (status === 'ok' || status === 'partial' || countDays(day, next) > MAX_PAUSE_DAYS + 1) break;
    chain.push(runId);
    next = day;
  }
  return chain;
}

/** @param end columns of `meta.runs` */
export async function finishRun(
  connection: Connection,
  runId: string,
  end: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const set = Object.keys(end).map((column, index) => `${column} = $${String(index + 2)}`);
  const sql = `update meta.runs set ${set.join(', ')} where run_id = $1`;
  await connection.run(sql, [runId, ...Object.values(end)]);
}

/** Restatements of final days contradict earlier reports, so they are kept three times as long. */
const FINAL_FACTOR = 3;

/**
 * Removes runs, refused rows and restatements older than `meta.keep_days`; a run stays while the archive has its answers. Age counts
 * from the newest run before this one, so a wrong clock removes nothing for a night.
 */
export async function pruneLogs(
  connection: Connection,
  { config, run, now }: { config: Config; run: LoadRun; now: () => number },
): Promise<void> {
  const { keepDays } = config.meta;
  const instant = new Date(now()).toISOString();
  const clock = 'least(cast($1 as timestamp), (select max(started_at) from meta.runs where run_id <> $2))';
  const prune = async (table: string, age: string, days: number): Promise<void> => {
    const old = `${age} < ${clock} - to_days(cast($3 as integer))`;
    await connection.run(`delete from meta.${table} where ${old}`, [instant, run.runId, days]);
  };
  await prune('rejects', 'rejected_at', keepDays);
  await prune('restatements', 'was_final is not true and changed_at', keepDays);
  await prune('restatements', 'changed_at', FINAL_FACTOR * keepDays);
  await prune('runs', 'started_at', Math.max(keepDays, config.raw.keepDays));
}

/** Prefix of the settings with each endpoint's digest of today, which the views compare with those of answers. */
const ASKED_WITH = 'asked_with:';

/** Stores today's digests for the views. Returns a sentence if a changed setting invalidates answers. */
export async function changedSettings(connection: Connection, config: Config): Promise<string[]> {
  const today = config.catalogue.asked.map(
    (endpoint) => [endpoint.name, askedWith(config, endpoint)] as const,
  );
  const digests = [today.map(([name]) => name), today.map(([, digest]) => digest)];
  // A refusal of an earlier question does not apply to today's.
  await connection.run(readSql('run/end-refusals', { asked_with: quoteLiteral(ASKED_WITH) }), digests);
  await writeSettings(
    connection,
    Object.fromEntries(today.map(([name, digest]) => [`${ASKED_WITH}${name}`, digest])),
  );
  const changed = await connection.values(z.string(), readSql('run/changed-endpoints'), digests);
  if (changed.length === 0) return [];
  return [
    `the path, parameter names, end_date, timezone or instants of ${changed.join(', ')} was changed: answers to the earlier question no longer count and are asked again`,
  ];
}

/** Prefix of the settings that name the projects that the keys list: for a key whose validation lists none, the earlier ones. */
export const LISTED = 'listed:';
