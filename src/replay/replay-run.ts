import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { hasEndpoint } from '../endpoints/catalogue.ts';
import type { LoadRun } from '../load/load-run.ts';
import { Loader } from '../load/loader.ts';
import { isArchivePart } from '../load/raw-archive.ts';
import { readAnswers, type ArchivedRun } from '../load/read-archive.ts';
import type { SliceOutcome } from '../load/slice-outcome.ts';
import { supersededAnswers } from '../load/superseded-answers.ts';
import type { ArchivedAnswer } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { Losses } from './losses.ts';

/** Answers that are loaded at once. */
const BATCH = 400;

/** What became of the answers so far. */
export interface Totals {
  answers: number;
  slices_loaded: number;
  slices_failed: number;
  rows_received: number;
  rows_rejected: number;
}

/** Loads the answers of one file as its run did. @returns how many whole answers the file has @throws AnswerlakeError (storage) */
export async function replayRun(
  context: { config: Config; signal: AbortSignal; version: string },
  connection: Connection,
  { run: { path, run }, totals, losses }: { run: ArchivedRun; totals: Totals; losses: Losses },
): Promise<number> {
  const answers = readAnswers(path, (damage) => losses.damages.push(damage));
  if (run === null) {
    for await (const _ of answers);
    return 0;
  }
  const started = new Date(run.startedAt).toISOString();
  await connection.run(
    `insert into meta.runs (run_id, started_at, finished_at, sync_day, status, base_url, error_message, version, sequence)
     select $1, cast($2 as timestamp), cast($2 as timestamp), cast($3 as date), 'ok', $4, 'rebuilt from the raw archive', $5,
       coalesce($6, (select coalesce(max(sequence), 0) + 1 from meta.runs))
     where not exists (from meta.runs where run_id = $1)`,
    [run.runId, started, run.syncDay, run.baseUrl, context.version, run.sequence],
  );
  const loader = new Loader({ connection, run: await withLookback(connection, run), archive: null });
  let batch: ArchivedAnswer[] = [];
  const flush = async (): Promise<void> => {
    // Parts of a run have no order; the loader of the queue left out what came too late.
    const superseded = isArchivePart(path) ? await supersededAnswers(connection, batch) : new Set();
    const outcomes = batch
      .filter((_, index) => !superseded.has(index))
      .map((answer): SliceOutcome => ({ kind: 'answered', answer }));
    for (const entry of await loader.load(outcomes)) {
      totals.answers += 1;
      if (entry.status === 'failed') totals.slices_failed += 1;
      else totals.slices_loaded += 1;
      totals.rows_rejected += entry.rejects.length;
      totals.rows_received += entry.counts.staged + entry.rejects.length;
    }
    batch = [];
  };
  let read = 0;
  for await (const { answer } of answers) {
    read += 1;
    const { endpoint } = answer.slice;
    if (!hasEndpoint(endpoint)) {
      losses.unknownEndpoints.set(endpoint, (losses.unknownEndpoints.get(endpoint) ?? 0) + 1);
      continue;
    }
    batch.push(answer);
    if (batch.length < BATCH) continue;
    context.signal.throwIfAborted();
    await flush();
  }
  await flush();
  return read;
}

/** The look-back of the run, by its record where there is one. */
async function withLookback(connection: Connection, run: LoadRun): Promise<LoadRun> {
  const [known] = await connection.rowsAs(
    z.object({ days: z.number().nullable() }),
    'select configured_lookback_days as days from meta.runs where run_id = $1',
    [run.runId],
  );
  return { ...run, lookbackDays: known?.days ?? run.lookbackDays };
}
