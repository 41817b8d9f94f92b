import { isWholeSql, periodEndSql } from '../believe/terms.ts';
import type { Day } from '../day.ts';
import { quoteIdentifier, quoteLiteral, quoteStored } from '../warehouse/sql.ts';
import type { SecondHand, Output } from '../endpoints/table.ts';
import type { AuditColumns } from './load-run.ts';
import { SLICE_COLUMNS } from '../slice.ts';

// The SQL of one merge, derived from its declaration; nothing here runs it. Temporary tables: `batch` (one row per slice), and the two of the declaration.

const q = quoteIdentifier;

function list(columns: readonly string[], prefix = ''): string {
  return columns.map((column) => prefix + q(column)).join(', ');
}

function same(columns: readonly string[], left: string, right: string): string {
  return columns.map((column) => `${left}.${q(column)} = ${right}.${q(column)}`).join(' and ');
}

/** Received rows, with the columns that their slice adds. */
export function selectStaged(merge: TableMerge): string {
  const shared: ReadonlySet<string> = new Set(merge.shared);
  const columns = stagedColumns(merge).map((column) => `${shared.has(column) ? 'b' : 'a'}.${q(column)}`);
  return (
    `(select a.slice_no, a.rowid as row_no, ${columns.join(', ')} ` +
    `from ${merge.arrived} a join batch b on a.slice_no = b.slice_no)`
  );
}

/** `fresh`: one row per key; the last one wins, and a null never overrides a last known value. */
function withFresh(merge: TableMerge, mayHaveDuplicates: boolean): string {
  const rows = selectStaged(merge);
  const first =
    merge.ofPeriodBefore.length === 0
      ? ''
      : `, "date" = min("date") over (partition by slice_no) as is_first`;
  if (!mayHaveDuplicates) return `with fresh as materialized (select *${first} from ${rows})`;
  // Rows are staged slice after slice, so the last row of the last slice has the largest number; for rows that may move, the later day counts.
  const place = merge.movable === null ? 'row_no' : `("date" - date '0001-01-01') * 1000000000 + row_no`;
  const value = (column: string): string =>
    `${merge.lastKnown.includes(column) ? 'arg_max' : 'arg_max_null'}(${q(column)}, ${place}) as ${q(column)}`;
  const values = [...merge.compared, ...merge.volatile].map(value);
  const columns = ['max(slice_no) as slice_no', 'max(row_no) as row_no', list(merge.key), ...values];
  return (
    `with fresh as materialized (select *${first} from ` +
    `(select ${columns.join(', ')} from ${rows} group by ${list(merge.key)}))`
  );
}

/** Rows that lost to another row with the same key in the same slice, and whether their values differ. */
export function selectLost(merge: TableMerge): string {
  const isOther = (column: string): string => isChanged(merge, column, [`s.${q(column)}`, `f.${q(column)}`]);
  const differs = merge.compared.map(isOther).join(' or ');
  const row = stagedColumns(merge)
    .map((column) => `${quoteLiteral(column)}, s.${q(column)}`)
    .join(', ');
  return (
    `${withFresh(merge, true)} select s.slice_no, (${differs || 'false'}) as is_conflict, cast(json_object(${row}) as varchar) as reject_row ` +
    `from ${selectStaged(merge)} s join fresh f on ${same(merge.key, 's', 'f')} and s.slice_no = f.slice_no where s.row_no <> f.row_no`
  );
}

/** Whether the answer of slice `b` reaches row `t`, so that the row may be gone if the answer lacks it. */
function deletable({ shape, key }: TableMerge, syncDay: Day): string {
  if (shape !== 'series' && shape !== 'dated') return 'b.may_delete';
  // Today's rows follow each list, even an empty one.
  const isToday = shape === 'dated' ? ` or t."date" = date '${syncDay}'` : '';
  const isReached = `(t."date" between b.reach_start and b.reach_end${isToday})`;
  const isKept = ['date', ...(shape === 'dated' ? key.slice(1) : [])].map(
    (column) => `list_contains(b.kept, cast(t.${q(column)} as varchar))`,
  );
  return `(b.may_delete and ${isReached} and (len(b.kept) = 0 or not (${isKept.join(' or ')})))`;
}

/** The key of a row as JSON; if several endpoints fill the row, with the names of this one's figures. */
export function keyJson({ key, vanished, measures }: TableMerge, alias: string): string {
  const fields = key.map((column) => `${quoteLiteral(column)}, ${alias}.${q(column)}`);
  if (vanished === 'keep' && measures.length > 0) fields.push(`'figures', ${quoteLiteral(measures.join())}`);
  return `cast(json_object(${fields.join(', ')}) as varchar)`;
}

/** A running month may be requested up to the day before the sync day. */
const WINDOW_END = "case b.window_kind when 'month' then last_day(b.window_start) else b.window_end end";

/** Whether the day or window of a row is over. @param alias of the table (`t`), its difference (`d`) or the old row (`o`) */
export function isClosed(merge: TableMerge, alias: 't' | 'd' | 'o', syncDay: Day): string {
  // The requested window decides: that of the row may have ended with an earlier sync.
  const end = {
    t: WINDOW_END,
    o: 'o.asked_end',
    d: `(select ${WINDOW_END} from batch b where b.slice_no = d.slice_no)`,
  }[alias];
  if (merge.shape === 'window') return isWholeSql(end, syncDay);
  if (merge.shape === 'series') return isWholeSql(periodEndSql(`${alias}.date`, `${alias}.grain`), syncDay);
  const day = dayOfRow(merge, alias);
  return day === null ? 'true' : isWholeSql(day, syncDay);
}

/** The day of a row, for a period its first; null if it has none. @param alias as for `isClosed` */
export function dayOfRow({ key, compared }: TableMerge, alias: 't' | 'd' | 'o'): string | null {
  if (key.includes('date')) return `${alias}.date`;
  if (!compared.includes('date')) return null;
  return `${alias}.${q(alias === 'd' ? 'old date' : 'date')}`;
}

/** The last digits of a mean depend on the order of its terms. */
const SAME_DOUBLE = '1e-9';

/** Whether a value differs from the stored one. */
function isChanged({ doubles }: TableMerge, column: string, [now, before]: [string, string]): string {
  const distinct = `${now} is distinct from ${before}`;
  if (!doubles.has(column)) return `(${distinct})`;
  return `(${distinct} and not coalesce(abs(${now} - ${before}) <= ${SAME_DOUBLE} * greatest(abs(${now}), abs(${before})), false))`;
}

/** Whether a known figure becomes NULL or 0. */
function isEmptied({ measures }: TableMerge, newValue: (column: string) => string): string {
  const each = measures.map(
    (column) =>
      `(coalesce(o.${q(column)}, 0) <> 0 and coalesce(${newValue(column)}, 0) = 0 or o.${q(column)} is not null and ${newValue(column)} is null)`,
  );
  return each.length === 0 ? 'false' : `(${each.join(' or ')})`;
}

export interface DifferenceOptions {
  syncDay: Day;
  /** Two staged rows may have the same key. */
  mayHaveDuplicates: boolean;
  /** Also returns rows that stay the same. */
  isWhole: boolean;
}

/** The old and the new row of every key that the batch covers, with the action to apply. */
export function createDifference(
  merge: TableMerge,
  { syncDay, mayHaveDuplicates, isWhole }: DifferenceOptions,
): string {
  const { key, compared, volatile, table, secondHand } = merge;
  const isKnownBetter = ({ table: knowing }: SecondHand): string =>
    `exists (from ${quoteStored(knowing)} k where ${same(key, 'k', 'o')} and k.removed_at is null)`;
  const known = (column: string): string => `coalesce(f.${q(column)}, o.${q(column)})`;
  const isSame = compared
    .filter((column) => !merge.ofPeriodBefore.includes(column))
    .map((column) => `not ${isChanged(merge, column, [`f.${q(column)}`, `o.${q(column)}`])}`)
    .join(' and ');
  const newValue = (column: string): string => {
    if (secondHand?.columns.includes(column) === true)
      return `(case when ${isKnownBetter(secondHand)} then coalesce(o.${q(column)}, f.${q(column)}) else ${known(column)} end)`;
    if (merge.isFirst) return `(case when o.is_old then o.${q(column)} else f.${q(column)} end)`;
    if (merge.lastKnown.includes(column)) return known(column);
    if (!merge.ofPeriodBefore.includes(column)) return `f.${q(column)}`;
    return `(case when f.is_first and ${isSame} then ${known(column)} else f.${q(column)} end)`;
  };
  const differs = compared
    .map((column) => isChanged(merge, column, [newValue(column), `o.${q(column)}`]))
    .join(' or ');
  const [askedEnd, asking] =
    merge.shape === 'window'
      ? [WINDOW_END, `join fresh f on ${same(key, 't', 'f')} join batch b on b.slice_no = f.slice_no`]
      : ['null', `semi join fresh f on ${same(key, 't', 'f')}`];
  const sameKey = `select -1 as slice_no, ${askedEnd} as asked_end, true as is_old, false as may_delete, t.* from ${quoteStored(table)} t ${asking}`;
  const old =
    merge.domain === null
      ? sameKey
      : `select b.slice_no, ${WINDOW_END} as asked_end, true as is_old, ${deletable(merge, syncDay)} as may_delete, t.* ` +
        `from ${quoteStored(table)} t join batch b on ${merge.domain}` +
        (merge.shape === 'dated' ? ` union all ${sameKey} anti join batch b on ${merge.domain}` : '');
  const present = merge.vanished === 'mark_removed' ? ' and o.removed_at is null' : '';
  const gone =
    `when o.may_delete${present} then '${merge.vanished === 'mark_removed' ? 'remove' : 'delete'}' ` +
    (merge.domain === null ? '' : `when ${isClosed(merge, 'o', syncDay)}${present} then 'lack'`);
  const isUnknown = loggedColumns(merge)
    .map((column) => `o.${q(column)} is null`)
    .join(' and ');
  const filled = merge.vanished === 'keep' ? `when ${isUnknown} then 'fill' ` : '';
  const emptied =
    merge.measures.length === 0
      ? ''
      : `when ${isEmptied(merge, newValue)} and ${isClosed(merge, 'o', syncDay)} then 'empty' `;
  // A row listed on two days belongs to the later one; a day that this batch also requests is judged by its own answer.
  const stands =
    merge.movable === null
      ? ''
      : `when o.slice_no = -1 and o."date" > f."date" and not exists (from meta.vanishing v where v.table_name = ${quoteLiteral(table)} and v.key = ${keyJson(merge, 'o')}) then 'unchanged' `;
  const changed = `(case ${filled}${emptied}when true then 'update' end)`;
  return (
    `create or replace temp table ${merge.difference} as ${withFresh(merge, mayHaveDuplicates)}, o as (${old}) ` +
    'select * from (select coalesce(f.slice_no, o.slice_no) as slice_no, ' +
    `case when o.is_old is null then 'insert' when f.slice_no is null then (case ${gone} else 'keep' end) ` +
    `${stands}when ${differs || 'false'} then ${changed} else 'unchanged' end as action, ` +
    [
      ...key.map((column) => `coalesce(f.${q(column)}, o.${q(column)}) as ${q(column)}`),
      ...[...compared, ...volatile].map((column) => `${newValue(column)} as ${q(`new ${column}`)}`),
      ...[...compared, ...volatile].map((column) => `o.${q(column)} as ${q(`old ${column}`)}`),
      'o._changed_at as "old _changed_at"',
    ].join(', ') +
    ` from fresh f full join o on ${same(key, 'f', 'o')})` +
    (isWhole ? '' : " where action not in ('unchanged', 'keep')")
  );
}

/** The actions for the rows of each slice, merge by merge; `step` is the index in `merges`. */
export function countActions(merges: readonly TableMerge[]): string {
  return merges
    .map(
      ({ difference }, step) =>
        `select ${String(step)} as step, slice_no, action, count(*) as rows from ${difference} group by slice_no, action`,
    )
    .join(' union all ');
}

/** Old and new values of every row that existed and is changed or removed; only for `actions`, because to plan all three takes longer than to run one. */
export function insertRestatements(
  merge: TableMerge,
  audit: AuditColumns,
  actions: ReadonlySet<string>,
): string[] {
  const { run, instant } = audit;
  const logged = loggedColumns(merge);
  // Filling an unknown value is not a restatement: two endpoints fill such rows together, or the column is newer than the row.
  const learned = (column: string): string => {
    const since = merge.vanished === 'keep' ? 'infinity' : merge.added.get(column);
    const isWritten = `${q(`old ${column}`)} is not null or "old _changed_at" > timestamp '${since ?? ''}'`;
    return since === undefined ? '' : ` and (${isWritten})`;
  };
  const parts = (side: 'old' | 'new', onlyChanged: boolean): string => {
    const fields = logged.map((column) => {
      const field = `${quoteLiteral(`${JSON.stringify(column)}:`)} || coalesce(cast(to_json(${loggedValue(merge, q(`${side} ${column}`), column)}) as varchar), 'null')`;
      return onlyChanged
        ? `case when ${isChanged(merge, column, [q(`new ${column}`), q(`old ${column}`)])}${learned(column)} then ${field} end`
        : field;
    });
    return `'{' || concat_ws(',', ${fields.join(', ') || "''"}) || '}'`;
  };
  const changed = parts('old', true);
  const audited = (isFinal: string): string =>
    `${run}, ${instant}, ${isFinal} from ${merge.difference} d where action =`;
  const final = audited(wasFinal(merge, audit));
  const removedAt = '(select b.fetched_at from batch b where b.slice_no = d.slice_no)';
  const rows = {
    update: `'updated', ${changed}, ${parts('new', true)}, ${final} 'update' and ${changed} <> '{}'`,
    delete: `'deleted', ${parts('old', false)}, null, ${final} 'delete'`,
    remove: `'updated', '{"removed_at":null}', cast(json_object('removed_at', ${removedAt}) as varchar), ${audited('false')} 'remove' and ${String(logged.includes('removed_at'))}`,
  };
  const into = `insert into meta.restatements (table_name, key, change, old, new, run_id, changed_at, was_final) select ${quoteLiteral(merge.table)}, ${keyJson(merge, 'd')}`;
  return Object.entries(rows).flatMap(([action, values]) =>
    actions.has(action) ? [`${into}, ${values}`] : [],
  );
}

/** A value as logged: a digest replaces a long text. */
function loggedValue({ digested }: TableMerge, value: string, column: string): string {
  const longest = digested.get(column);
  return longest === undefined
    ? value
    : `if(length(${value}) > ${String(longest)}, 'md5:' || md5(${value}), ${value})`;
}

/** Whether the day of a difference was older than the look-back at the time of the run; a replay reads this from its row in `meta.runs`. */
function wasFinal(merge: TableMerge, { run }: AuditColumns): string {
  const ends = { window: q('old window_end'), series: periodEndSql('date') };
  const day = merge.shape === 'window' || merge.shape === 'series' ? ends[merge.shape] : dayOfRow(merge, 'd');
  if (day === null) return 'false';
  const lookback =
    "coalesce(r.configured_lookback_days, (select try_cast(value as integer) from meta.settings where name = 'lookback_days'))";
  return `coalesce(${day} < (select r.sync_day - ${lookback} from meta.runs r where r.run_id = ${run}), false)`;
}

export function applyUpdates(merge: TableMerge, { run, instant }: AuditColumns): string {
  const set = [...merge.compared, ...merge.volatile].map(
    (column) => `${q(column)} = d.${q(`new ${column}`)}`,
  );
  return (
    `update ${quoteStored(merge.table)} as t set ${[...set, `_run_id = ${run}`, `_changed_at = ${instant}`].join(', ')} ` +
    `from ${merge.difference} d where d.action in ('update', 'fill') and ${same(merge.key, 't', 'd')}`
  );
}

export function applyInserts(merge: TableMerge, audit: AuditColumns): string {
  const values = [...merge.compared, ...merge.volatile].map((column) => `new ${column}`);
  return insertInto(
    merge,
    audit,
    `${list([...merge.key, ...values])} from ${merge.difference} where action = 'insert'`,
  );
}

/** Inserts the received rows directly: the table has no rows of their slices, and no two have the same key. */
export function insertFirst(merge: TableMerge, audit: AuditColumns): string {
  return insertInto(merge, audit, `${list(stagedColumns(merge))} from ${selectStaged(merge)}`);
}

function insertInto(merge: TableMerge, { run, instant }: AuditColumns, rows: string): string {
  return (
    `insert into ${quoteStored(merge.table)} (_run_id, _changed_at, ${list(stagedColumns(merge))}) ` +
    `select ${run}, ${instant}, ${rows}`
  );
}

export function applyDeletes(merge: TableMerge): string {
  return `delete from ${quoteStored(merge.table)} as t using ${merge.difference} d where d.action = 'delete' and ${same(merge.key, 't', 'd')}`;
}

/** Marks rows that are no longer in their list. */
export function applyRemovals(merge: TableMerge, { run, instant }: AuditColumns): string {
  return (
    `update ${quoteStored(merge.table)} as t set removed_at = b.fetched_at, _run_id = ${run}, _changed_at = ${instant} ` +
    `from ${merge.difference} d join batch b using (slice_no) where d.action = 'remove' and ${same(merge.key, 't', 'd')}`
  );
}

/** Everything that the SQL of one merge depends on: one table and one endpoint that feeds it. */
export type TableMerge = ReturnType<typeof tableMerge>;

const DOMAINS = {
  series:
    't.project_id = b.project_id and t.grain = b.grain and t.scope = b.scope and t.scope_id = b.scope_id ' +
    'and t.date between b.window_start and b.window_end',
  window:
    't.project_id = b.project_id and t.window_kind = b.window_kind and t.window_start = b.window_start ' +
    'and t.scope = b.scope and t.scope_id = b.scope_id',
  dated: 't.project_id = b.project_id and t.date between b.window_start and b.window_end',
  project: 't.project_id = b.project_id',
  account: 'true',
} as const satisfies Record<Output['shape'], string>;

/** The columns of a table by their type and age; `all`: those with a number. */
interface Columns {
  all: ReadonlySet<string>;
  doubles: ReadonlySet<string>;
  added: ReadonlyMap<string, string>;
}
export type Numbers = ReadonlyMap<string, Columns>;

/** The merge of one output into its table. @param place distinguishes concurrent merges */
export function tableMerge(
  endpoint: string,
  output: Output,
  { place, numbers }: { place: number; numbers: Numbers },
) {
  const { key, columns, shape, vanished, volatile, ordinal, ofPeriodBefore } = output;
  // A slice of one parent covers only that parent's rows.
  const ofParent = output.parent === null ? '' : ` and t.${q(output.parent)} = b.scope_id`;
  const movingEnd = shape === 'window' ? [MOVING_END] : [];
  const own = numbers.get(output.table);
  // Row numbers and figures of the preceding period are not figures of the row.
  const others: ReadonlySet<string> = new Set([...key, ...volatile, ...ordinal, ...ofPeriodBefore]);
  const isMeasured = shape === 'series' || shape === 'window';
  return {
    ...output,
    /** Columns whose values come from the slice. */
    shared: SLICE_COLUMNS.filter((column) => [...key, ...movingEnd].includes(column)),
    /** Columns whose change causes a write. */
    compared: [...movingEnd, ...columns.filter((column) => !volatile.includes(column))],
    /** Which rows of the table a slice covers: a condition over `t` (table) and `b` (slice). */
    domain:
      vanished === 'keep' ? null : `b.endpoint = ${quoteLiteral(endpoint)} and ${DOMAINS[shape]}${ofParent}`,
    /** Compared DOUBLE columns. */
    doubles: own?.doubles ?? new Set<string>(),
    /** Columns that were added when the table had rows → the newest change of these. */
    added: own?.added ?? new Map<string, string>(),
    /** Compared figures: on a closed day, a single answer never makes them NULL or 0. */
    measures: isMeasured
      ? columns.filter((column) => own?.all.has(column) === true && !others.has(column))
      : [],
    /** Temporary table of the received rows, without the columns of their slice. */
    arrived: `arrived_${String(place)}`,
    /** Temporary table with one row for each key of either side. */
    difference: `difference_${String(place)}`,
  };
}

/** The end of a window moves every night until the window is over; that is not a restatement. */
const MOVING_END = 'window_end';

/** The compared columns whose changes are logged. */
function loggedColumns({ compared }: TableMerge): readonly string[] {
  return compared.filter((column) => column !== MOVING_END);
}

/** Columns of the staging table after `slice_no` and `row_no`. */
export function stagedColumns(merge: TableMerge): readonly string[] {
  return [...merge.key, ...merge.compared, ...merge.volatile];
}
