import { z } from 'zod';
import { countDays, type Day, daySchema } from '../day.ts';
import { IS_ANSWERED } from '../believe/terms.ts';
import type { ExitCode } from '../errors.ts';
import type { Config } from '../config/config.ts';
import { newRunId, warehouseId, type LoadRun } from '../load/load-run.ts';
import type { Connection } from '../warehouse/connection.ts';
import { RUN_STATUSES, type RunStatus, type RunTotals, type SyncRequest } from './sync-request.ts';

/** After a longer pause a run starts afresh: what was restated meanwhile is wanted, and a weekly run is another run. */
const MAX_PAUSE_DAYS = 5;

/** What a run was asked for, as text: a run continues unfinished runs with the same text. */
export function selectionOf(request: SyncRequest): string {
  const { job, projects, endpoints, from, to, full } = request;
  return JSON.stringify({ job, projects, endpoints, from, to, full });
}

/** Records the run as running. Another run that is still marked as running was killed, because one process holds the file. */
export async function startRun(
  connection: Connection,
  run: Omit<LoadRun, 'warehouse' | 'acceptShrink' | 'isWitness'>,
  asked: { job: string | null; selection: string; version: string; lookbackDays: number },
): Promise<void> {
  await endKilledRuns(connection);
  // The look-back of the configuration says what is final; a job may look further back.
  await connection.appendRows({
    schema: 'meta',
    table: 'runs',
    rows: [
      {
        run_id: run.runId,
        job: asked.job,
        started_at: run.startedAt,
        sync_day: run.syncDay,
        status: 'running',
        selection: asked.selection,
        base_url: run.baseUrl,
        lookback_days: asked.lookbackDays,
        version: asked.version,
        configured_lookback_days: run.lookbackDays,
        sequence: run.sequence,
      },
    ],
  });
}

/** A replay compares what a run loaded with the archive, so it is counted: the ledger still has it, because no run came after. */
async function endKilledRuns(connection: Connection): Promise<void> {
  await connection.run(
    `update meta.runs r set status = 'failed', error_message = 'the process ended without a word',
       slices_loaded = (select count(*) from meta.slices s where s.run_id = r.run_id and ${IS_ANSWERED})
     where status = 'running'`,
  );
}

/** A run that is not entered yet; its day follows from the answers to the validations. */
export async function newRun(
  connection: Connection,
  { api, sync }: Config,
  asked: { startedAt: number; acceptShrink: boolean; runId?: string | undefined },
): Promise<Omit<LoadRun, 'syncDay' | 'isWitness'>> {
  const { startedAt, acceptShrink, runId = newRunId(startedAt) } = asked;
  // Runs are in the order of their numbers, whatever their clocks said.
  const newest = await connection.value(z.number().nullable(), 'select max(sequence) from meta.runs');
  return {
    runId,
    sequence: (newest ?? 0) + 1,
    warehouse: await warehouseId(connection),
    startedAt,
    baseUrl: api.baseUrl,
    acceptShrink,
    lookbackDays: sync.lookbackDays,
  };
}

/** The base URL of the newest run; null before the first one. */
export async function newestBaseUrl(connection: Connection): Promise<string | null> {
  const sql = 'select base_url from meta.runs where base_url is not null order by sequence desc limit 1';
  return (await connection.value(z.string(), sql)) ?? null;
}

/** Runs of the same selection since the last one that finished, newest first, as far as each began soon enough after the one before it. */
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

export async function finishRun(
  connection: Connection,
  { runId, finishedAt, exitCode, errorMessage, totals, status, requests, retries }: RunEnd,
): Promise<void> {
  const finished = { finished_at: new Date(finishedAt).toISOString(), status, exit_code: exitCode };
  const ended = { ...finished, requests, retries, error_message: errorMessage, ...totals };
  const set = Object.keys(ended).map((column, index) => `${column} = $${String(index + 2)}`);
  await connection.run(`update meta.runs set ${set.join(', ')} where run_id = $1`, [
    runId,
    ...Object.values(ended),
  ]);
}
