import { z } from 'zod';
import type { Output } from '../endpoints/table.ts';
import { SLICE_COLUMNS, sliceValues } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { LoadRun } from './load-run.ts';
import type { PreparedAnswer } from './prepare-answer.ts';
import { keptDays, mayDelete } from './prepare-answer.ts';
import {
  applyDeletes,
  applyInserts,
  applyRemovals,
  applyUpdates,
  COUNT_ACTIONS,
  createDifference,
  createStaged,
  insertRestatements,
  selectConflicts,
} from './merge-sql.ts';
import { ACTIONS, RowCounts, type Action } from './row-counts.ts';
import { suspiciousSlices, forgetVanishing } from './suspicious-answers.ts';
import { sharedValues, stagedColumns, tableMerge, type TableMerge } from './table-merge.ts';
import type { Reject } from '../validate/validate.ts';

/** What every step of a merge needs. */
export interface MergeContext {
  connection: Connection;
  run: LoadRun;
  /** True when no table has a row that an earlier run missed. */
  nothingVanishes?: boolean;
}

/** What a merge did to one slice. */
export interface MergedSlice {
  prepared: PreparedAnswer;
  counts: RowCounts;
  isSuspicious: boolean;
  /** Rows that another row of the same answer contradicts. */
  conflicts: Reject[];
}

/** Merges the answers of one endpoint with the same few statements, whether it is one slice or a hundred. */
export async function mergeAnswers(
  context: MergeContext,
  answers: readonly PreparedAnswer[],
): Promise<MergedSlice[]> {
  const merged = answers.map((prepared): MergedSlice => ({
    prepared,
    counts: new RowCounts(),
    isSuspicious: false,
    conflicts: [],
  }));
  const [first] = answers;
  if (first === undefined) return merged;
  await createBatch(context, merged);
  for (const [index, output] of first.endpoint.outputs.entries()) {
    const merge = tableMerge(output);
    const staged = await stage(context, { merge, output, merged });
    if (staged.total === 0 && !mayVanish(merge, merged)) continue;
    let actions = await compare(context, merge);
    const isGuarded = index === 0 && !context.run.acceptShrink && merge.vanished !== 'keep';
    if (isGuarded && takesAway(actions)) {
      const suspicious = await setAsideSuspicious(context, merge, merged);
      if (suspicious.length > 0) actions = await compare(context, merge);
      for (const sliceNo of suspicious) staged.bySlice[sliceNo] = 0;
    }
    await account(context, { merge, merged, staged, actions });
    await apply(context, merge, actions);
  }
  return merged;
}

function mayVanish(merge: TableMerge, merged: readonly MergedSlice[]): boolean {
  return (
    merge.vanished !== 'keep' &&
    merged.some(({ prepared, isSuspicious }) => !isSuspicious && mayDelete(prepared))
  );
}

const BATCH_COLUMNS = [
  'slice_no',
  ...SLICE_COLUMNS,
  'delete_end',
  'may_delete',
  'kept_days',
  'fetched_at',
] as const;

async function createBatch({ connection }: MergeContext, merged: readonly MergedSlice[]): Promise<void> {
  await connection.run(
    `create or replace temp table batch as select 0::integer as slice_no, ${SLICE_COLUMNS.join(', ')}, ` +
      'null::date as delete_end, false as may_delete, null::varchar[] as kept_days, fetched_at from meta.slices limit 0',
  );
  const rows = merged.map(({ prepared }, index) => [
    index,
    ...sliceValues(prepared.answer.slice),
    prepared.deleteEnd,
    mayDelete(prepared),
    keptDays(prepared),
    prepared.answer.pages.at(-1)?.fetchedAt ?? null,
  ]);
  await connection.appendRows({ catalog: 'temp', table: 'batch', columns: BATCH_COLUMNS, rows });
}

interface Staging {
  merge: TableMerge;
  output: Output;
  merged: readonly MergedSlice[];
}

/** How many rows were staged. */
interface Staged {
  total: number;
  bySlice: number[];
}

async function stage({ connection }: MergeContext, { merge, output, merged }: Staging): Promise<Staged> {
  const columns = stagedColumns(merge);
  const rows: unknown[][] = [];
  const bySlice = merged.map(({ prepared, isSuspicious }, sliceNo) => {
    if (isSuspicious) return 0;
    const before = rows.length;
    const shared = sharedValues(merge, prepared.answer.slice);
    for (const row of prepared.validated.rows) {
      if (row.table !== output.table) continue;
      rows.push([
        sliceNo,
        rows.length,
        ...columns.map((column) => row.values[column] ?? shared[column] ?? null),
      ]);
    }
    return rows.length - before;
  });
  await connection.run(createStaged(merge));
  await connection.appendRows({
    catalog: 'temp',
    table: 'staged',
    columns: ['slice_no', 'row_no', ...columns],
    rows,
  });
  return { total: rows.length, bySlice };
}

const actionRow = z.object({ slice_no: z.number(), action: z.enum(ACTIONS), rows: z.number() });
type ActionRow = z.output<typeof actionRow>;
const conflictRow = z.object({ slice_no: z.number(), reject_row: z.string() });

async function compare({ connection }: MergeContext, merge: TableMerge): Promise<ActionRow[]> {
  await connection.run(createDifference(merge));
  return await connection.rowsAs(actionRow, COUNT_ACTIONS);
}

/** Only an answer that takes rows away can be suspicious, and few do. */
function takesAway(actions: readonly ActionRow[]): boolean {
  return actions.some(({ action }) => action === 'delete' || action === 'remove');
}

/** Takes suspicious answers out of the merge; returns the numbers of their slices. */
async function setAsideSuspicious(
  context: MergeContext,
  merge: TableMerge,
  merged: readonly MergedSlice[],
): Promise<number[]> {
  const suspicious = await suspiciousSlices(context, merge);
  if (suspicious.length === 0) return [];
  for (const sliceNo of suspicious) {
    const slice = merged[sliceNo];
    if (slice === undefined) continue;
    slice.isSuspicious = true;
    slice.counts.suspicious = slice.prepared.validated.rows.length;
  }
  const list = suspicious.join(', ');
  await context.connection.run(`delete from staged where slice_no in (${list})`);
  await context.connection.run(`update batch set may_delete = false where slice_no in (${list})`);
  return suspicious;
}

interface Accounting {
  merge: TableMerge;
  merged: readonly MergedSlice[];
  staged: Staged;
  actions: readonly ActionRow[];
}

/** Every staged row is in the difference, or lost to another row with its key. */
async function account(
  { connection }: MergeContext,
  { merge, merged, staged, actions }: Accounting,
): Promise<void> {
  const lost = [...staged.bySlice];
  for (const { slice_no: sliceNo, action, rows } of actions) {
    merged[sliceNo]?.counts.add(action, rows);
    if (ARRIVED.has(action)) lost[sliceNo] = (lost[sliceNo] ?? 0) - rows;
  }
  for (const [sliceNo, { counts }] of merged.entries()) {
    counts.staged += staged.bySlice[sliceNo] ?? 0;
    counts.deduplicated += lost[sliceNo] ?? 0;
  }
  if (!lost.some((rows) => rows > 0)) return;
  for (const row of await connection.rowsAs(conflictRow, selectConflicts(merge))) {
    const slice = merged[row.slice_no];
    if (slice === undefined) continue;
    slice.counts.deduplicated -= 1;
    const reason = `the same key appears twice in one answer with different values; the last one was kept (${merge.table})`;
    slice.conflicts.push({ path: merge.table, reason, row: row.reject_row });
  }
}

const ARRIVED: ReadonlySet<Action> = new Set<Action>(['insert', 'fill', 'update', 'unchanged']);

async function apply(context: MergeContext, merge: TableMerge, actions: readonly ActionRow[]): Promise<void> {
  const { connection, run } = context;
  const stamp = [run.runId, new Date(run.startedAt).toISOString()] as const;
  const has = (action: Action): boolean => actions.some((row) => row.action === action);
  if (has('update') || takesAway(actions)) await connection.run(insertRestatements(merge), stamp);
  if (has('delete')) await connection.run(applyDeletes(merge));
  if (has('update') || has('fill')) await connection.run(applyUpdates(merge), stamp);
  if (has('remove')) await connection.run(applyRemovals(merge), stamp);
  if (has('insert')) await connection.run(applyInserts(merge), stamp);
  if (context.nothingVanishes !== true) await forgetVanishing(connection, merge);
}
