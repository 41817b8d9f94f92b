import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import {
  applyDeletes,
  applyInserts,
  applyRemovals,
  applyUpdates,
  countActions,
  createDifference,
  dropStaged,
  insertRestatements,
  selectConflicts,
  selectRepeats,
} from './merge-sql.ts';
import type { LoadRun } from './load-run.ts';
import type { MergedSlice } from './merged-slice.ts';
import { ACTIONS, type Action } from './row-counts.ts';
import { stampOf } from './stamp.ts';
import { countStaged, type Staged } from './staging.ts';
import { forgetVanishing, suspiciousSlices } from './suspicious-answers.ts';
import type { TableMerge } from './table-merge.ts';

/** What comparing needs. */
export interface CompareContext {
  connection: Connection;
  run: LoadRun;
  /** True when no table has a row that an earlier run missed. */
  nothingVanishes?: boolean;
}

/** The rows of some slices for one table, on their way. */
export interface Merging {
  merge: TableMerge;
  merged: readonly MergedSlice[];
  staged: Staged;
  /** The endpoint's own facts: by these an answer is suspicious or not. */
  isFirst: boolean;
}

const actionRow = z.object({
  step: z.number(),
  slice_no: z.number(),
  action: z.enum(ACTIONS),
  rows: z.number(),
});
type ActionRow = z.output<typeof actionRow>;
const repeatRow = z.object({ slice_no: z.number(), rows: z.number() });
const conflictRow = z.object({ slice_no: z.number(), reject_row: z.string() });

/** The SQL that compares staged rows with the table. */
export function differenceOf(context: CompareContext, { merge, staged }: Merging): string {
  return createDifference(merge, {
    mayRepeat: staged.repeats !== 'none',
    isWhole: isWhole(context, staged),
  });
}

/** Does what the differences say, and counts it. */
export async function applyDifferences(context: CompareContext, compared: readonly Merging[]): Promise<void> {
  if (compared.length === 0) return;
  const found = await readActions(context.connection, compared);
  const statements: string[] = [];
  for (const [step, merging] of compared.entries()) {
    const own = found.filter((action) => action.step === step);
    const actions = await guarded(context, merging, own);
    await account(context, merging, actions);
    statements.push(...applied(context, merging.merge, actions), dropStaged(merging.merge));
  }
  for (const statement of statements) context.connection.runWithNext(statement);
}

/** The actions without those of suspicious answers, which are set aside. */
async function guarded(
  context: CompareContext,
  merging: Merging,
  actions: readonly ActionRow[],
): Promise<readonly ActionRow[]> {
  const { connection, run } = context;
  const { merge, merged, staged, isFirst } = merging;
  const isGuarded = isFirst && !run.acceptShrink && merge.vanished !== 'keep';
  if (!isGuarded || !takesAway(actions)) return actions;
  const suspicious = await setAsideSuspicious(context, merge, merged);
  if (suspicious.length === 0) return actions;
  for (const sliceNo of suspicious) {
    staged.bySlice.set(sliceNo, 0);
    staged.again.delete(sliceNo);
  }
  connection.runWithNext(differenceOf(context, merging));
  return await readActions(connection, [merging]);
}

async function readActions(connection: Connection, merging: readonly Merging[]): Promise<ActionRow[]> {
  return await connection.rowsAs(actionRow, countActions(merging.map(({ merge }) => merge)));
}

/** Whether rows to which nothing happens have to be looked at: they lost to another one of their answer, or came back. */
function isWhole({ nothingVanishes }: CompareContext, { repeats }: Staged): boolean {
  return repeats === 'within' || nothingVanishes !== true;
}

/** Only an answer that takes rows away can be suspicious, and few do. */
function takesAway(actions: readonly ActionRow[]): boolean {
  return actions.some(({ action }) => action === 'delete' || action === 'remove');
}

/** Takes suspicious answers out of the merge; returns the numbers of their slices. */
async function setAsideSuspicious(
  context: CompareContext,
  merge: TableMerge,
  merged: readonly MergedSlice[],
): Promise<number[]> {
  const suspicious = await suspiciousSlices(context, merge);
  if (suspicious.length === 0) return [];
  for (const sliceNo of suspicious) {
    const slice = merged.find((one) => one.sliceNo === sliceNo);
    if (slice === undefined) continue;
    slice.isSuspicious = true;
    slice.counts.suspicious = slice.prepared.rowCount;
  }
  const list = suspicious.join(', ');
  await context.connection.run(`delete from ${merge.arrived} where slice_no in (${list})`);
  await context.connection.run(`update batch set may_delete = false where slice_no in (${list})`);
  return suspicious;
}

/** Every staged row is in the difference, the same as before, or lost to another row with its key: of its own answer, or of another one that says the same. */
async function account(
  context: CompareContext,
  { merge, merged, staged }: Merging,
  actions: readonly ActionRow[],
): Promise<void> {
  const slices = new Map(merged.map((slice) => [slice.sliceNo, slice]));
  const left = new Map(staged.bySlice);
  for (const { slice_no: sliceNo, action, rows } of actions) {
    slices.get(sliceNo)?.counts.add(action, rows);
    if (ARRIVED.has(action)) left.set(sliceNo, (left.get(sliceNo) ?? 0) - rows);
  }
  for (const [sliceNo, { counts }] of slices) {
    countStaged(counts, staged, sliceNo);
    counts.unchanged += left.get(sliceNo) ?? 0;
  }
  if (staged.repeats !== 'within' || ![...left.values()].some((rows) => rows > 0)) return;
  for (const { slice_no: sliceNo, rows } of await context.connection.rowsAs(
    repeatRow,
    selectRepeats(merge),
  )) {
    const counts = slices.get(sliceNo)?.counts;
    if (counts === undefined) continue;
    counts.deduplicated += rows;
    counts.unchanged -= rows;
  }
  for (const row of await context.connection.rowsAs(conflictRow, selectConflicts(merge))) {
    const slice = slices.get(row.slice_no);
    if (slice === undefined) continue;
    slice.counts.deduplicated -= 1;
    const reason = `the same key appears twice in one answer with different values; the last one was kept (${merge.table})`;
    slice.conflicts.push({ path: merge.table, reason, row: row.reject_row });
  }
}

const ARRIVED: ReadonlySet<Action> = new Set<Action>(['insert', 'fill', 'update', 'unchanged']);

/** The statements that change the table. */
function applied(
  { run, nothingVanishes }: CompareContext,
  merge: TableMerge,
  actions: readonly ActionRow[],
): string[] {
  const stamp = stampOf(run);
  const has = (action: Action): boolean => actions.some((row) => row.action === action);
  const forget = nothingVanishes === true ? null : forgetVanishing(merge);
  return [
    ...(has('update') || takesAway(actions) ? [insertRestatements(merge, stamp)] : []),
    ...(has('delete') ? [applyDeletes(merge)] : []),
    ...(has('update') || has('fill') ? [applyUpdates(merge, stamp)] : []),
    ...(has('remove') ? [applyRemovals(merge, stamp)] : []),
    ...(has('insert') ? [applyInserts(merge, stamp)] : []),
    ...(forget === null ? [] : [forget]),
  ];
}
