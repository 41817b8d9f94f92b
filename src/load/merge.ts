import { z } from 'zod';
import { SLICE_COLUMNS, sliceValues } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { LoadRun } from './load-run.ts';
import type { PreparedAnswer } from './prepare-answer.ts';
import { keptRows, mayDelete } from './prepare-answer.ts';
import {
  applyDeletes,
  applyInserts,
  applyRemovals,
  applyUpdates,
  COUNT_ACTIONS,
  createDifference,
  insertRestatements,
  insertStaged,
  selectConflicts,
  selectRepeats,
} from './merge-sql.ts';
import { ACTIONS, RowCounts, type Action } from './row-counts.ts';
import { suspiciousSlices, forgetVanishing } from './suspicious-answers.ts';
import type { MergedSlice } from './merged-slice.ts';
import { collectRows, stage, type Staged } from './staging.ts';
import { StoredSlices } from './stored-slices.ts';
import type { TableMerge } from './table-merge.ts';

/** What every step of a merge needs. */
export interface MergeContext {
  connection: Connection;
  run: LoadRun;
  /** True when no table has a row that an earlier run missed. */
  nothingVanishes?: boolean;
  /** What the merges of a session learned about tables that were empty. */
  stored?: StoredSlices;
}

/** Merges answers whose slices share no row, with the same few statements for each endpoint, whether it has one slice or a hundred. */
export async function mergeAnswers(
  context: MergeContext,
  answers: readonly PreparedAnswer[],
): Promise<MergedSlice[]> {
  const merged = answers.map((prepared, sliceNo): MergedSlice => ({
    sliceNo,
    prepared,
    counts: new RowCounts(),
    isSuspicious: false,
    conflicts: [],
  }));
  if (merged.length === 0) return merged;
  await createBatch(context, merged);
  const stored = context.stored ?? new StoredSlices(context.connection);
  const names = new Set(answers.map(({ endpoint }) => endpoint.name));
  for (const name of names) {
    const group = merged.filter(({ prepared }) => prepared.endpoint.name === name);
    await mergeGroup({ ...context, stored }, group);
  }
  return merged;
}

async function mergeGroup(
  context: MergeContext & { stored: StoredSlices },
  group: readonly MergedSlice[],
): Promise<void> {
  const endpoint = group[0]?.prepared.endpoint;
  const slices = group.map(({ prepared }) => prepared.answer.slice);
  for (const [index, output] of (endpoint?.outputs ?? []).entries()) {
    const staged = collectRows(endpoint?.name ?? '', output, group);
    const { merge, count, repeats } = staged;
    const isNew = await context.stored.haveNone(merge, slices);
    if (count === 0 && (isNew || !mayVanish(merge, group))) continue;
    context.stored.add(merge, slices);
    await stage(context.connection, staged);
    if (isNew && repeats === 'none') await insertNew(context, { merge, merged: group, staged });
    else await compareAndApply(context, { merge, merged: group, staged }, index === 0);
  }
}

/** Rows of slices that have none yet need no comparison. */
async function insertNew(
  { connection, run }: MergeContext,
  { merge, merged, staged }: Merging,
): Promise<void> {
  await connection.run(insertStaged(merge), stampOf(run));
  for (const { sliceNo, counts } of merged) {
    const rows = staged.bySlice.get(sliceNo) ?? 0;
    counts.staged += rows;
    counts.inserted += rows;
  }
}

async function compareAndApply(context: MergeContext, merging: Merging, isFirst: boolean): Promise<void> {
  const { merge, merged, staged } = merging;
  let actions = await compare(context, merging);
  const isGuarded = isFirst && !context.run.acceptShrink && merge.vanished !== 'keep';
  if (isGuarded && takesAway(actions)) {
    const suspicious = await setAsideSuspicious(context, merge, merged);
    if (suspicious.length > 0) actions = await compare(context, merging);
    for (const sliceNo of suspicious) staged.bySlice.set(sliceNo, 0);
  }
  await account(context, merging, actions);
  await apply(context, merge, actions);
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
  'kept',
  'fetched_at',
] as const;

async function createBatch({ connection }: MergeContext, merged: readonly MergedSlice[]): Promise<void> {
  const definition =
    `create or replace temp table batch as select 0::integer as slice_no, ${SLICE_COLUMNS.join(', ')}, ` +
    'null::date as delete_end, false as may_delete, null::varchar[] as kept, fetched_at from meta.slices limit 0';
  await connection.run(definition);
  const rows = merged.map(({ sliceNo, prepared }) => [
    sliceNo,
    ...sliceValues(prepared.answer.slice),
    prepared.deleteEnd,
    mayDelete(prepared),
    keptRows(prepared),
    prepared.answer.pages.at(-1)?.fetchedAt ?? null,
  ]);
  const columns = BATCH_COLUMNS;
  await connection.appendRows({ catalog: 'temp', table: 'batch', columns, rows, tableColumns: columns });
}

/** The rows of some slices for one table, on their way. */
interface Merging {
  merge: TableMerge;
  merged: readonly MergedSlice[];
  staged: Staged;
}

const actionRow = z.object({ slice_no: z.number(), action: z.enum(ACTIONS), rows: z.number() });
type ActionRow = z.output<typeof actionRow>;
/** What DuckDB answers to `create table as`. */
const createdRow = z.object({ Count: z.number() });
const repeatRow = z.object({ slice_no: z.number(), rows: z.number() });
const conflictRow = z.object({ slice_no: z.number(), reject_row: z.string() });

async function compare(context: MergeContext, { merge, staged }: Merging): Promise<ActionRow[]> {
  const { connection } = context;
  const difference = createDifference(merge, {
    mayRepeat: staged.repeats !== 'none',
    isWhole: isWhole(context, staged),
  });
  const [created] = await connection.rowsAs(createdRow, difference);
  return created?.Count === 0 ? [] : await connection.rowsAs(actionRow, COUNT_ACTIONS);
}

/** Whether rows to which nothing happens have to be looked at: they lost to another one of their answer, or came back. */
function isWhole({ nothingVanishes }: MergeContext, { repeats }: Staged): boolean {
  return repeats === 'within' || nothingVanishes !== true;
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
    const slice = merged.find((one) => one.sliceNo === sliceNo);
    if (slice === undefined) continue;
    slice.isSuspicious = true;
    slice.counts.suspicious = slice.prepared.rowCount;
  }
  const list = suspicious.join(', ');
  await context.connection.run(`delete from arrived where slice_no in (${list})`);
  await context.connection.run(`update batch set may_delete = false where slice_no in (${list})`);
  return suspicious;
}

/** Every staged row is in the difference, the same as before, or lost to another row with its key: of its own answer, or of another one that says the same. */
async function account(
  context: MergeContext,
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
    counts.staged += staged.bySlice.get(sliceNo) ?? 0;
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

async function apply(context: MergeContext, merge: TableMerge, actions: readonly ActionRow[]): Promise<void> {
  const { connection, run } = context;
  const stamp = stampOf(run);
  const has = (action: Action): boolean => actions.some((row) => row.action === action);
  if (has('update') || takesAway(actions)) await connection.run(insertRestatements(merge), stamp);
  if (has('delete')) await connection.run(applyDeletes(merge));
  if (has('update') || has('fill')) await connection.run(applyUpdates(merge), stamp);
  if (has('remove')) await connection.run(applyRemovals(merge), stamp);
  if (has('insert')) await connection.run(applyInserts(merge), stamp);
  if (context.nothingVanishes !== true) await forgetVanishing(connection, merge);
}

/** What a statement writes into rows that it changes: `$1` and `$2`. */
function stampOf(run: LoadRun): readonly [string, string] {
  return [run.runId, new Date(run.startedAt).toISOString()];
}
