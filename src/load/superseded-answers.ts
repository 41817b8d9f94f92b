import { z } from 'zod';
import { SERIES_COLUMNS, SLICE_COLUMNS, sliceValues, type ArchivedAnswer } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';

/** Numbers of the answers for which the ledger has newer ones: of the same slice and run, or of a later run for the same days. Windows that overlap are others: each stays as history. */
export async function supersededAnswers(
  connection: Connection,
  answers: readonly ArchivedAnswer[],
): Promise<Set<number>> {
  const columns = [...SLICE_COLUMNS, 'run_id', 'fetched_at'] as const;
  await connection.run(
    `create or replace temp table arriving as
     select cast(0 as integer) as answer_no, cast(null as timestamp) as run_started_at, ${columns.join(', ')} from meta.slices limit 0`,
  );
  const rows = answers.map(({ slice, runId, runStartedAt, pages }, index) => [
    index,
    runStartedAt,
    ...sliceValues({ ...slice, projectId: slice.projectId ?? '' }),
    runId,
    pages.at(-1)?.fetchedAt ?? runStartedAt,
  ]);
  await connection.appendRows({
    catalog: 'temp',
    table: 'arriving',
    columns: ['answer_no', 'run_started_at', ...columns],
    tableColumns: ['answer_no', 'run_started_at', ...columns],
    rows,
  });
  const sameSeries = SERIES_COLUMNS.map((column) => `s.${column} is not distinct from a.${column}`).join(
    ' and ',
  );
  const found = await connection.rowsAs(
    z.object({ no: z.number() }),
    // Instants of two runs may be of two clocks, and the id of a run whose clock was ahead stays ahead.
    `select distinct a.answer_no as no from arriving a join meta.slices s on ${sameSeries} and s.status <> 'failed'
       left join meta.runs own on own.run_id = a.run_id left join meta.runs other on other.run_id = s.run_id
     where case when s.run_id = a.run_id
       then s.fetched_at > a.fetched_at and s.window_start is not distinct from a.window_start
         and (s.window_end is not distinct from a.window_end or a.window_kind is not null)
       else coalesce(other.sequence > own.sequence, other.started_at > coalesce(own.started_at, a.run_started_at), s.run_id > a.run_id)
         and (a.window_start is null or a.window_start = s.window_start
           or (a.window_kind is null and s.window_start <= a.window_end and a.window_start <= s.window_end)) end`,
  );
  return new Set(found.map(({ no }) => no));
}
