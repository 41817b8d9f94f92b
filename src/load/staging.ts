import type { Output } from '../endpoints/table.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { MergedSlice } from './merged-slice.ts';
import { sharedValues, stagedColumns, tableMerge, type Doubles, type TableMerge } from './table-merge.ts';
import { NO_ROWS, type TableRows } from './prepare-answer.ts';

/** The rows that some answers of one endpoint have for one table. */
export interface Staged {
  /** `shared` names only the columns that no row has a value of its own for: they are not staged. */
  merge: TableMerge;
  /** Column → its values. */
  columns: ReadonlyMap<string, readonly unknown[]>;
  /** The slice of each row. */
  sliceNumbers: readonly number[];
  /** Number of rows. */
  count: number;
  /** Slice number → rows. */
  bySlice: ReadonlyMap<number, number>;
}

/** The rows of one slice. */
interface SliceRows {
  sliceNo: number;
  rows: TableRows;
  /** What the slice gives its rows. */
  flat: Readonly<Record<string, string | null>>;
}

/** What a group of answers of one endpoint has for one output, in one list. Pure. @param at as of `tableMerge` */
export function collectRows(
  { endpoint, output, group }: { endpoint: string; output: Output; group: readonly MergedSlice[] },
  at: { place: number; doubles: Doubles },
): Staged {
  const whole = tableMerge(endpoint, output, at);
  const parts = group.map((slice): SliceRows => ({
    sliceNo: slice.sliceNo,
    rows: rowsOf(slice, output),
    flat: sharedValues(whole, slice.prepared.answer.slice),
  }));
  const isGiven = (column: string): boolean => parts.some(({ rows }) => rows.columns.has(column));
  const merge = { ...whole, shared: whole.shared.filter((column) => !isGiven(column)) };
  const shared: ReadonlySet<string> = new Set(merge.shared);
  const names = stagedColumns(merge).filter((column) => !shared.has(column));
  const sliceNumbers = parts.flatMap(({ sliceNo, rows }) => Array<number>(rows.count).fill(sliceNo));
  return {
    merge,
    columns: new Map(names.map((name) => [name, joined(parts, name)])),
    sliceNumbers,
    count: sliceNumbers.length,
    bySlice: new Map(parts.map(({ sliceNo, rows: { count } }) => [sliceNo, count])),
  };
}

/** The values of a column, slice after slice. */
function joined(parts: readonly SliceRows[], name: string): readonly unknown[] {
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
    tableColumns: [...all.keys()],
  });
}

/** What a slice has for the table of an output. */
export function rowsOf({ prepared }: MergedSlice, { table }: Output): TableRows {
  return prepared.rows.get(table) ?? NO_ROWS;
}
