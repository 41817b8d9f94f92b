import { z } from 'zod';
import { SERIES_COLUMNS, SLICE_COLUMNS, sliceValues, type ArchivedAnswer } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';

/** Numbers of the answers for which the ledger has newer ones: of the same slice, or of a later run for the same days. Windows that overlap are others: each stays as history. */
export async function supersededAnswers(
  connection: Connection,
  answers: readonly ArchivedAnswer[],
): Promise<Set<number>> {
  const columns = [...SLICE_COLUMNS, 'run_id', 'fetched_at'] as const;
  await connection.run(
    `create or replace temp table arriving as
     select cast(0 as integer) as answer_no, ${columns.join(', ')} from meta.slices limit 0`,
  );
  const rows = answers.map(({ slice, runId, runStartedAt, pages }, index) => [
    index,
    ...sliceValues({ ...slice, projectId: slice.projectId ?? '' }),
    runId,
    pages.at(-1)?.fetchedAt ?? runStartedAt,
  ]);
  await connection.appendRows({
    catalog: 'temp',
    table: 'arriving',
    columns: ['answer_no', ...columns],
    tableColumns: ['answer_no', ...columns],
    rows,
  });
  const sameSeries = SERIES_COLUMNS.map((column) => `s.${column} is not distinct from a.${column}`).join(
    ' and ',
  );
  const found = await connection.rowsAs(
    z.object({ no: z.number() }),
    `select distinct a.answer_no as no from arriving a join meta.slices s on ${sameSeries} and s.status <> 'failed'
     where (s.window_start is not distinct from a.window_start and s.fetched_at > a.fetched_at
         and (s.window_end is not distinct from a.window_end or a.window_kind is not null))
       or (s.run_id > a.run_id and (a.window_start is null or a.window_start = s.window_start
         or (a.window_kind is null and s.window_start <= a.window_end and a.window_start <= s.window_end)))`,
  );
  return new Set(found.map(({ no }) => no));
}
