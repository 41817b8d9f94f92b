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
  keepWholePeriods,
  selectConflicts,
  selectDuplicateKeys,
} from './merge-sql.ts';
import { type LoadRun, auditColumnsOf } from './load-run.ts';
import { type MergedSlice, ACTIONS, type Action } from './merged-slice.ts';
import { isCoarse } from '../slice.ts';
import { countStaged, type Staged } from './staging.ts';
import { forgetVanishing, holdBack, suspiciousSlices } from './vanishing.ts';
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
const duplicateKeyRow = z.object({ slice_no: z.number(), rows: z.number() });
const conflictRow = z.object({ slice_no: z.number(), reject_row: z.string() });

/** The SQL that compares staged rows with the table. */
export function differenceOf(context: CompareContext, { merge, staged }: Merging): string {
  return createDifference(merge, {
    syncDay: context.run.syncDay,
    mayHaveDuplicates: staged.duplicates !== 'none',
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

/** The actions without those that wait for a second answer. */
async function guarded(
  context: CompareContext,
  { merge, merged, isFirst }: Merging,
  actions: readonly ActionRow[],
): Promise<readonly ActionRow[]> {
  if (merge.vanished === 'keep' || !(takesAway(actions) || has(actions, 'lack'))) return actions;
  const waiting = takesAway(actions) ? await holdBack(context, merge) : new Map<number, number>();
  for (const [sliceNo, rows] of waiting) {
    const slice = merged.find((one) => one.sliceNo === sliceNo);
    if (slice !== undefined) slice.counts.held += rows;
  }
  if (isFirst) {
    const suspicious = await suspiciousSlices(context, merge, waiting);
    for (const slice of merged) {
      const { answer, validated } = slice.prepared;
      // A list that is cut off, or that has refused rows, proves nothing about the rest.
      const isCut = validated.isTruncated || answer.incomplete !== undefined || validated.rejects.length > 0;
      if (!isCut && suspicious.includes(slice.sliceNo)) slice.isSuspicious = true;
    }
  }
  const coarse = merged
    .filter(({ prepared }) => isCoarse(prepared.answer.slice))
    .map(({ sliceNo }) => sliceNo);
  if (coarse.length > 0) await context.connection.run(keepWholePeriods(merge, coarse));
  return await readActions(context.connection, [{ merge }]);
}

async function readActions(
  connection: Connection,
  merging: readonly Pick<Merging, 'merge'>[],
): Promise<ActionRow[]> {
  return await connection.rowsAs(actionRow, countActions(merging.map(({ merge }) => merge)));
}

/** Whether rows to which nothing happens have to be looked at: they lost to another one of their answer, or came back. */
function isWhole({ nothingVanishes }: CompareContext, { duplicates }: Staged): boolean {
  return duplicates === 'within' || nothingVanishes !== true;
}

/** Few answers take rows or figures away. */
function takesAway(actions: readonly ActionRow[]): boolean {
  return has(actions, 'delete') || has(actions, 'remove') || has(actions, 'empty');
}

function has(actions: readonly ActionRow[], wanted: Action): boolean {
  return actions.some(({ action }) => action === wanted);
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
  if (staged.duplicates !== 'within' || ![...left.values()].some((rows) => rows > 0)) return;
  for (const { slice_no: sliceNo, rows } of await context.connection.rowsAs(
    duplicateKeyRow,
    selectDuplicateKeys(merge),
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
  const audit = auditColumnsOf(run);
  const forget = nothingVanishes === true ? null : forgetVanishing(merge);
  return [
    ...(has(actions, 'update') || takesAway(actions) ? [insertRestatements(merge, audit)] : []),
    ...(has(actions, 'delete') ? [applyDeletes(merge)] : []),
    ...(has(actions, 'update') || has(actions, 'fill') ? [applyUpdates(merge, audit)] : []),
    ...(has(actions, 'remove') ? [applyRemovals(merge, audit)] : []),
    ...(has(actions, 'insert') ? [applyInserts(merge, audit)] : []),
    ...(forget === null ? [] : [forget]),
  ];
}
