import { z } from 'zod';
import type { Day } from '../day.ts';
import type { ExitCode } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import { NOTHING_DONE } from './outcome.ts';
import { RUN_STATUSES, type RunStatus, type RunTotals, type SyncRequest } from './sync-request.ts';

/** A clock that was set back by less is nobody's mistake. */
const NOTICED_HOURS = 1;
/** Whoever asks again after more days means anew: what was restated meanwhile is wanted, and a weekly run is another run. */
const LONGEST_PAUSE_MS = 5 * 86_400_000;

/** Counters that the ledger has for each slice. */
const SUMMED = ['requests', ...Object.keys(NOTHING_DONE.totals).filter((name) => name.startsWith('rows_'))];

/** What a run was asked for, as text: a run continues unfinished runs with the same text. */
export function selectionOf(request: SyncRequest): string {
  const { job, projects, endpoints, from, to, full } = request;
  return JSON.stringify({ job, projects, endpoints, from, to, full });
}

export interface RunStart {
  runId: string;
  job: string | null;
  startedAt: number;
  syncDay: Day;
  selection: string;
  baseUrl: string;
  lookbackDays: number;
  /** That of the configuration, which says what is final; a job may look further back. */
  configuredLookbackDays: number;
  version: string;
}

/** Records the run as running. Another run that is still marked as running was killed, because one process holds the file. */
export async function startRun(connection: Connection, run: RunStart): Promise<void> {
  await endKilledRuns(connection);
  await connection.run(
    'insert into meta.runs (run_id, job, started_at, sync_day, status, selection, base_url, lookback_days, version, configured_lookback_days) ' +
      "select $1, $2, cast($3 as timestamp), cast($4 as date), 'running', $5, $6, $7, $8, $9",
    [
      run.runId,
      run.job,
      new Date(run.startedAt).toISOString(),
      run.syncDay,
      run.selection,
      run.baseUrl,
      run.lookbackDays,
      run.version,
      run.configuredLookbackDays,
    ],
  );
}

/** The ledger still has what they loaded, because no run came after them. */
async function endKilledRuns(connection: Connection): Promise<void> {
  const killed = "status = 'running'";
  const found = await connection.rows(`select run_id from meta.runs where ${killed}`);
  if (found.length === 0) return;
  const sums = SUMMED.map((column) => `sum(${column}) as ${column}`).join(', ');
  const counted = [...SUMMED, 'slices_loaded', 'slices_failed'];
  await connection.run(
    `update meta.runs r set ${counted.map((column) => `${column} = s.${column}`).join(', ')}
     from (select run_id, ${sums}, count(*) filter (where status not in ('failed', 'suspicious')) as slices_loaded,
         count(*) filter (where status = 'failed') as slices_failed
       from meta.slices where run_id in (select run_id from meta.runs where ${killed}) group by run_id) s
     where r.run_id = s.run_id`,
  );
  await connection.run(
    `update meta.runs set status = 'failed', error_message = 'the process ended without a word' where ${killed}`,
  );
}

/**
 * A run whose clock was ahead would stay the newest one until its day comes: it is entered as failed at the instant at which
 * that was noticed, and its answers count as not loaded.
 */
export async function disownFutureRuns(
  connection: Connection,
  { now, today }: { now: number; today: Day },
): Promise<void> {
  const message =
    "'the clock was ahead: it said ' || strftime(started_at, '%Y-%m-%d %H:%M') || ' UTC, so this run counts for nothing'";
  await connection.run(
    `update meta.runs set status = 'failed', error_message = ${message}, started_at = least(started_at, cast($1 as timestamp)),
       finished_at = least(finished_at, cast($1 as timestamp)), sync_day = least(sync_day, cast($2 as date))
     where started_at > cast($1 as timestamp) + interval ${String(NOTICED_HOURS)} hour or sync_day > cast($2 as date)`,
    [new Date(now).toISOString(), today],
  );
}

/** Runs of the same selection since the last one that finished, newest first, as far as each began soon enough after the one before it. */
export async function unfinishedRuns(
  connection: Connection,
  selection: string,
  now: number,
): Promise<string[]> {
  const runs = await connection.rowsAs(
    z.object({ run_id: z.string(), status: z.enum([...RUN_STATUSES, 'running']), started: z.number() }),
    `select run_id, status, epoch_ms(started_at) as started from meta.runs
     where selection = $1 and started_at <= cast($2 as timestamp) order by started_at desc limit 1000`,
    // A run of a clock that was ahead is not the newest one.
    [selection, new Date(now).toISOString()],
  );
  const chain: string[] = [];
  let next = now;
  for (const { run_id: runId, status, started } of runs) {
    if (status === 'ok' || status === 'partial' || next - started > LONGEST_PAUSE_MS) break;
    chain.push(runId);
    next = started;
  }
  return chain;
}

export interface RunEnd {
  runId: string;
  finishedAt: number;
  status: RunStatus;
  exitCode: ExitCode;
  requests: number;
  retries: number;
  totals: RunTotals;
  errorMessage: string | null;
}

export async function finishRun(connection: Connection, end: RunEnd): Promise<void> {
  const totals = Object.entries<number>({ ...end.totals });
  const set = totals.map(([column], index) => `${column} = $${String(index + 8)}`).join(', ');
  await connection.run(
    'update meta.runs set finished_at = cast($2 as timestamp), status = $3, exit_code = $4, requests = $5, retries = $6, ' +
      `error_message = $7, ${set} where run_id = $1`,
    [
      end.runId,
      new Date(end.finishedAt).toISOString(),
      end.status,
      end.exitCode,
      end.requests,
      end.retries,
      end.errorMessage,
      ...totals.map(([, value]) => value),
    ],
  );
}
