import type { Output } from '../endpoints/endpoint.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { LoadUnit } from './load-unit.ts';
import type { MergeContext } from './merge-context.ts';
import { mayDelete, sharedValues } from './load-unit.ts';
import {
  applyDeletes,
  applyInserts,
  applyRemovals,
  applyUpdates,
  COUNT_ACTIONS,
  createDifference,
  createFresh,
  createStaged,
  insertRestatements,
  selectConflicts,
} from './merge-sql.ts';
import { RowCounts } from './row-counts.ts';
import { suspiciousSlices, forgetVanishing } from './suspicion.ts';
import { stagedColumns, tableMerge, type TableMerge } from './table-merge.ts';
import type { Reject } from '../validate/validate.ts';

/** What a merge did to one slice. */
export interface MergedSlice {
  unit: LoadUnit;
  counts: RowCounts;
  isHeld: boolean;
  /** Rows that another row of the same answer contradicts. */
  conflicts: Reject[];
}

/** Merges the answers of one endpoint, set-based: the same few statements for one slice and for a hundred. */
export async function mergeUnits(context: MergeContext, units: readonly LoadUnit[]): Promise<MergedSlice[]> {
  const merged = units.map((unit) => ({
    unit,
    counts: new RowCounts(),
    isHeld: false,
    conflicts: [] as Reject[],
  }));
  const [first] = units;
  if (first === undefined) return merged;
  for (const [index, output] of first.endpoint.outputs.entries()) {
    const merge = tableMerge(output);
    await createBatch(context, merged);
    await stage(context, { merge, output, merged });
    if (index === 0) await holdSuspicious(context, merge, merged);
    await apply(context, merge, merged);
  }
  return merged;
}

const BATCH_COLUMNS = [
  'slice_no',
  'project_id',
  'grain',
  'scope',
  'scope_id',
  'window_kind',
  'window_start',
  'window_end',
  'delete_end',
  'may_delete',
  'fetched_at',
] as const;

async function createBatch({ connection }: MergeContext, merged: readonly MergedSlice[]): Promise<void> {
  await connection.run(
    'create or replace temp table batch (slice_no integer, project_id varchar, grain varchar, scope varchar, ' +
      'scope_id varchar, window_kind varchar, window_start date, window_end date, delete_end date, may_delete boolean, ' +
      'fetched_at timestamp)',
  );
  const rows = merged.map(({ unit, isHeld }, index) => {
    const { slice, pages } = unit.answer;
    return [
      index,
      slice.projectId,
      slice.grain,
      slice.scope,
      slice.scopeId,
      slice.windowKind,
      slice.window?.start ?? null,
      slice.window?.end ?? null,
      unit.deleteEnd,
      mayDelete(unit) && !isHeld,
      pages.at(-1)?.fetchedAt ?? null,
    ];
  });
  await connection.appendRows({ catalog: 'temp', table: 'batch', columns: BATCH_COLUMNS, rows });
}

interface Staging {
  merge: TableMerge;
  output: Output;
  merged: readonly MergedSlice[];
}

async function stage({ connection }: MergeContext, { merge, output, merged }: Staging): Promise<void> {
  await connection.run(createStaged(merge));
  const columns = stagedColumns(merge);
  const rows: unknown[][] = [];
  for (const [sliceNo, { unit, isHeld }] of merged.entries()) {
    if (isHeld) continue;
    const shared = sharedValues(output, unit.answer.slice);
    for (const row of unit.validated.rows) {
      if (row.table !== output.table) continue;
      rows.push([
        sliceNo,
        rows.length,
        ...columns.map((column) => row.values[column] ?? shared[column] ?? null),
      ]);
    }
  }
  await connection.appendRows({
    catalog: 'temp',
    table: 'staged',
    columns: ['slice_no', 'row_no', ...columns],
    rows,
  });
}

async function holdSuspicious(
  context: MergeContext,
  merge: TableMerge,
  merged: readonly MergedSlice[],
): Promise<void> {
  const { connection, run } = context;
  if (run.acceptShrink || merge.vanished === 'keep') return;
  const suspicious = await suspiciousSlices(context, merge);
  if (suspicious.length === 0) return;
  for (const sliceNo of suspicious) {
    const slice = merged[sliceNo];
    if (slice === undefined) continue;
    slice.isHeld = true;
    slice.counts.held = slice.unit.validated.rows.length;
  }
  const list = suspicious.join(', ');
  await connection.run(`delete from staged where slice_no in (${list})`);
  await connection.run(`update batch set may_delete = false where slice_no in (${list})`);
}

async function apply(
  context: MergeContext,
  merge: TableMerge,
  merged: readonly MergedSlice[],
): Promise<void> {
  const { connection, run } = context;
  const stamp = [run.runId, new Date(run.startedAt).toISOString()] as const;
  await connection.run(createFresh(merge));
  await countDuplicates(connection, merge, merged);
  await connection.run(createDifference(merge));
  const actions = await connection.rows<{ slice_no: number; action: string; rows: number }>(COUNT_ACTIONS);
  const total = (action: string): boolean => actions.some((row) => row.action === action);
  for (const row of actions) merged[row.slice_no]?.counts.add(row.action, row.rows);
  if (total('update') || total('delete') || total('remove')) {
    await connection.run(insertRestatements(merge), stamp);
  }
  if (total('delete')) await connection.run(applyDeletes(merge));
  if (total('update') || total('fill')) await connection.run(applyUpdates(merge), stamp);
  if (total('remove')) await connection.run(applyRemovals(merge), stamp);
  if (total('insert')) await connection.run(applyInserts(merge), stamp);
  await forgetVanishing(connection, merge);
}

async function countDuplicates(
  connection: Connection,
  merge: TableMerge,
  merged: readonly MergedSlice[],
): Promise<void> {
  const staged = await connection.rows<{ slice_no: number; staged: number; fresh: number }>(
    'select s.slice_no, s.n as staged, coalesce(f.n, 0) as fresh from (select slice_no, count(*) as n from staged group by 1) s ' +
      'left join (select slice_no, count(*) as n from fresh group by 1) f using (slice_no)',
  );
  for (const row of staged) {
    const slice = merged[row.slice_no];
    if (slice === undefined) continue;
    slice.counts.staged += row.staged;
    slice.counts.deduplicated += row.staged - row.fresh;
  }
  if (!staged.some((row) => row.staged > row.fresh)) return;
  for (const row of await connection.rows<{ slice_no: number; reject_row: string }>(selectConflicts(merge))) {
    const slice = merged[row.slice_no];
    if (slice === undefined) continue;
    slice.counts.deduplicated -= 1;
    const reason = `the same key comes twice in one answer with other values; the last one was taken (${merge.table})`;
    slice.conflicts.push({ path: merge.table, reason, row: row.reject_row });
  }
}
