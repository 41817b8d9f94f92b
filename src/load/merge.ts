import { z } from 'zod';
import type { Output } from '../endpoints/table.ts';
import { SLICE_COLUMNS, sliceValues } from '../slice.ts';
import type { LoadUnit } from './load-unit.ts';
import type { MergeContext } from './merge-context.ts';
import { mayDelete } from './load-unit.ts';
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
import { suspiciousSlices, forgetVanishing } from './suspicion.ts';
import { sharedValues, stagedColumns, tableMerge, type TableMerge } from './table-merge.ts';
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
  await createBatch(context, merged);
  for (const [index, output] of first.endpoint.outputs.entries()) {
    const merge = tableMerge(output);
    const staged = await stage(context, { merge, output, merged });
    if (staged.total === 0 && !mayVanish(merge, merged)) continue;
    let actions = await compare(context, merge);
    const isGuarded = index === 0 && !context.run.acceptShrink && merge.vanished !== 'keep';
    if (isGuarded && takesAway(actions)) {
      const held = await holdSuspicious(context, merge, merged);
      if (held.length > 0) actions = await compare(context, merge);
      for (const sliceNo of held) staged.bySlice[sliceNo] = 0;
    }
    await account(context, { merge, merged, staged, actions });
    await apply(context, merge, actions);
  }
  return merged;
}

function mayVanish(merge: TableMerge, merged: readonly MergedSlice[]): boolean {
  return merge.vanished !== 'keep' && merged.some(({ unit, isHeld }) => !isHeld && mayDelete(unit));
}

const BATCH_COLUMNS = ['slice_no', ...SLICE_COLUMNS, 'delete_end', 'may_delete', 'fetched_at'] as const;

async function createBatch({ connection }: MergeContext, merged: readonly MergedSlice[]): Promise<void> {
  await connection.run(
    `create or replace temp table batch as select 0::integer as slice_no, ${SLICE_COLUMNS.join(', ')}, ` +
      'null::date as delete_end, false as may_delete, fetched_at from meta.slices limit 0',
  );
  const rows = merged.map(({ unit }, index) => [
    index,
    ...sliceValues(unit.answer.slice),
    unit.deleteEnd,
    mayDelete(unit),
    unit.answer.pages.at(-1)?.fetchedAt ?? null,
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
  const bySlice = merged.map(({ unit, isHeld }, sliceNo) => {
    if (isHeld) return 0;
    const before = rows.length;
    const shared = sharedValues(merge, unit.answer.slice);
    for (const row of unit.validated.rows) {
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

/** Numbers of the slices that are held back. */
async function holdSuspicious(
  context: MergeContext,
  merge: TableMerge,
  merged: readonly MergedSlice[],
): Promise<number[]> {
  const suspicious = await suspiciousSlices(context, merge);
  if (suspicious.length === 0) return [];
  for (const sliceNo of suspicious) {
    const slice = merged[sliceNo];
    if (slice === undefined) continue;
    slice.isHeld = true;
    slice.counts.held = slice.unit.validated.rows.length;
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

/** Every staged row is one of the difference, or lost to another one with its key. */
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
    const reason = `the same key comes twice in one answer with other values; the last one was taken (${merge.table})`;
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
