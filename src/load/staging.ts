import type { Output } from '../endpoints/table.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { MergedSlice, RowCounts } from './merged-slice.ts';
import { findDuplicateKeys, type Part, type DuplicateKeys, type Rows } from './duplicate-keys.ts';
import { sharedValues, stagedColumns, tableMerge, type Doubles, type TableMerge } from './table-merge.ts';
import { NO_ROWS, type TableRows } from './prepare-answer.ts';

/** The rows that some answers of one endpoint have for one table. */
export interface Staged extends Rows {
  /** `shared` names only the columns that no row has a value of its own for: they are not staged. */
  merge: TableMerge;
  /** Number of rows. */
  count: number;
  /** Slice number → rows. */
  bySlice: Map<number, number>;
  /** Slice number → rows that are left out, because its answer holds an equal row. */
  again: Map<number, number>;
  duplicates: DuplicateKeys;
}

/** Rows before they are collected. */
export interface Arriving {
  merge: TableMerge;
  /** Columns that are staged. */
  names: readonly string[];
  parts: readonly Part[];
  /** Number of rows. */
  count: number;
}

/** What a group of answers of one endpoint has for one output. Pure. @param at as of `tableMerge` */
export function arrivingRows(
  { endpoint, output, group }: { endpoint: string; output: Output; group: readonly MergedSlice[] },
  at: { place: number; doubles: Doubles },
): Arriving {
  const whole = tableMerge(endpoint, output, at);
  const parts = group.map((slice): Part => ({
    sliceNo: slice.sliceNo,
    rows: rowsOf(slice, output),
    flat: sharedValues(whole, slice.prepared.answer.slice),
  }));
  const isGiven = (column: string): boolean => parts.some(({ rows }) => rows.columns.has(column));
  const merge = { ...whole, shared: whole.shared.filter((column) => !isGiven(column)) };
  const shared: ReadonlySet<string> = new Set(merge.shared);
  return {
    merge,
    names: stagedColumns(merge).filter((column) => !shared.has(column)),
    parts,
    count: parts.reduce((sum, { rows }) => sum + rows.count, 0),
  };
}

/** Puts the rows of all slices into one list and looks for those that come twice. Pure. */
export function collectRows({ merge, names, parts }: Arriving): Staged {
  const all: Rows = {
    columns: new Map(names.map((name) => [name, joined(parts, name)])),
    sliceNumbers: parts.flatMap(({ sliceNo, rows }) => Array<number>(rows.count).fill(sliceNo)),
  };
  const { duplicates, identical } = findDuplicateKeys(merge, parts, all);
  const again = new Map<number, number>();
  for (const row of identical) {
    const sliceNo = all.sliceNumbers[row] ?? NaN;
    again.set(sliceNo, (again.get(sliceNo) ?? 0) + 1);
  }
  const rows = identical.size === 0 ? all : without(all, identical);
  return {
    merge,
    ...rows,
    count: rows.sliceNumbers.length,
    bySlice: new Map(
      parts.map(({ sliceNo, rows: { count } }) => [sliceNo, count - (again.get(sliceNo) ?? 0)]),
    ),
    again,
    duplicates,
  };
}

function without({ columns, sliceNumbers }: Rows, rows: ReadonlySet<number>): Rows {
  const left = <Value>(values: readonly Value[]): Value[] => values.filter((_, row) => !rows.has(row));
  return {
    columns: new Map([...columns].map(([name, values]) => [name, left(values)])),
    sliceNumbers: left(sliceNumbers),
  };
}

/** The values of a column, slice after slice. */
function joined(parts: readonly Part[], name: string): readonly unknown[] {
  const all: unknown[] = [];
  for (const { rows, flat } of parts) {
    const own = rows.columns.get(name);
    const otherwise = flat[name] ?? null;
    for (let index = 0; index < rows.count; index += 1) all.push(own?.[index] ?? otherwise);
  }
  return all;
}

/** Fills the temporary table of the rows as they came. */
export async function stage(
  connection: Connection,
  { merge, columns, sliceNumbers, count }: Staged,
): Promise<void> {
  const all = new Map([['slice_no', sliceNumbers], ...columns]);
  await connection.appendColumns({
    catalog: 'temp',
    table: merge.arrived,
    columns: all,
    count,
    hasAllColumns: true,
  });
}

/** Counts what one slice has in `staged`; returns the rows that are staged. */
export function countStaged(counts: RowCounts, { bySlice, again }: Staged, sliceNo: number): number {
  const rows = bySlice.get(sliceNo) ?? 0;
  const leftOut = again.get(sliceNo) ?? 0;
  counts.deduplicated += leftOut;
  return rows;
}

/** What a slice has for the table of an output. */
export function rowsOf({ prepared }: MergedSlice, { table }: Output): TableRows {
  return prepared.rows.get(table) ?? NO_ROWS;
}
