import { haveSame, readSql } from '../warehouse/sql.ts';
import { flatSlice, SERIES_COLUMNS, SLICE_COLUMNS, type Slice, type ArchivedAnswer } from '../slice.ts';
import type { Drift } from '../believe/drift.ts';
import type { Reject } from '../believe/read-answer.ts';
import type { SliceStatus } from '../believe/terms.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { LoadRun } from './load-run.ts';
import type { SliceFailure } from './prepare-answer.ts';
import type { RowCounts } from './merge.ts';
import { z } from 'zod';

/** The ledger entry of one slice. */
export interface LedgerEntry {
  slice: Slice;
  status: SliceStatus;
  /** Digest of the request's settings; null without an answer. */
  asked_with: string | null;
  /** Longest list that the request allowed; null if it set no limit. */
  asked_limit: number | null;
  /** Zone in which the days are cut; null if the request carries none. */
  timezone: string | null;
  requests: number;
  http_status: number | null;
  counts: RowCounts;
  rejects: readonly Reject[];
  drift: readonly Drift[];
  truncated: boolean;
  /** None of its rows was stored, or none of its newest closed day. */
  got_nothing: boolean;
  failure: SliceFailure | null;
  /** Milliseconds since the epoch. */
  fetched_at: number;
}

/** Writes the entries with their rejects and drift, in the caller's transaction; replaces older entries of the same slices. */
export async function writeLedger(
  connection: Connection,
  run: LoadRun,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const rows = entries.map((entry) => ledgerRow(run, entry));
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first).join(', ');
  connection.runWithNext(
    `create or replace temp table entries as select ${columns} from meta.slices limit 0`,
  );
  await connection.appendRows({ catalog: 'temp', table: 'entries', rows, isWhole: true });
  // The end of a window moves until the window is over, so it does not identify it.
  const same = haveSame([...SERIES_COLUMNS, 'window_start'], 's', 'e');
  connection.runWithNext(
    `delete from meta.slices s using entries e where ${same} ` +
      'and (s.window_end is not distinct from e.window_end or e.window_kind is not null); ' +
      'insert into meta.slices by name select * from entries',
  );
  await writeRejects(connection, run, entries);
  await writeDrift(connection, run, entries);
}

function ledgerRow(run: LoadRun, entry: LedgerEntry): Record<string, unknown> {
  const { slice, counts, rejects: _rejects, drift: _drift, failure, ...columns } = entry;
  return {
    ...flatSlice({ ...slice, projectId: slice.projectId ?? '' }),
    ...columns,
    ...Object.fromEntries(Object.entries(counts).map(([name, rows]) => [`rows_${name}`, rows])),
    sync_day: run.syncDay,
    error_class: failure?.errorClass ?? null,
    error_message: failure?.message ?? null,
    alarm: failure?.alarm ?? null,
    run_id: run.runId,
  };
}

async function writeRejects(
  connection: Connection,
  run: LoadRun,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const rows = entries.flatMap(({ slice, rejects, fetched_at: at }) =>
    rejects.map((reject) => ({ ...flatSlice(slice), ...reject, run_id: run.runId, rejected_at: at })),
  );
  if (rows.length === 0) return;
  await connection.run('create or replace temp table refused as select * from meta.rejects limit 0');
  await connection.appendRows({ catalog: 'temp', table: 'refused', rows });
  // The look-back meets the same bad row every night; keep only the newest reject. A window answer's row need not name its window.
  const same = haveSame([...SERIES_COLUMNS, 'row'], 'm', 'r');
  connection.runWithNext(
    `delete from meta.rejects m using refused r where ${same} and (m.window_kind is null or m.window_start is not distinct from r.window_start)
       and m.run_id <> r.run_id`,
  );
  connection.runWithNext('insert into meta.rejects by name select * from refused');
}

async function writeDrift(
  connection: Connection,
  run: LoadRun,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const rows = entries.flatMap(({ slice, drift, fetched_at: at }) =>
    drift.map((found) => {
      return { endpoint: slice.endpoint, ...found, first_seen: at, last_seen: at, run_id: run.runId };
    }),
  );
  if (rows.length === 0) return;
  await connection.run('create or replace temp table seen_drift as select * from meta.drift limit 0');
  await connection.appendRows({ catalog: 'temp', table: 'seen_drift', rows });
  connection.runWithNext(readSql('load/merge-drift'));
}

/**
 * The answers without those that the ledger already has in a newer version: of the same slice and run, or of a later run for the
 * same days. Overlapping windows are independent: each stays as history.
 */
export async function freshAnswers(
  connection: Connection,
  answers: readonly ArchivedAnswer[],
  { sequence }: Pick<LoadRun, 'sequence'>,
): Promise<ArchivedAnswer[]> {
  await connection.run(
    `create or replace temp table arriving as
     select 0::integer as answer_no, null::timestamp as run_started_at, ${SLICE_COLUMNS.join(', ')}, run_id, fetched_at from meta.slices limit 0`,
  );
  const rows = answers.map(({ slice, runId, startedAt, pages }, index) => ({
    answer_no: index,
    run_started_at: startedAt,
    ...flatSlice({ ...slice, projectId: slice.projectId ?? '' }),
    run_id: runId,
    fetched_at: pages.at(-1)?.fetchedAt ?? startedAt,
  }));
  await connection.appendRows({ catalog: 'temp', table: 'arriving', rows });
  const superseded = new Set(await connection.values(z.number(), readSql('load/superseded'), [sequence]));
  return answers.filter((_, index) => !superseded.has(index));
}
