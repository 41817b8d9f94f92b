import type { Output } from '../endpoints/table.ts';
import type { Connection } from '../warehouse/connection.ts';
import * as sql from './merge-sql.ts';
import type { Numbers, TableMerge } from './merge-sql.ts';
import type { TableRows } from '../endpoints/table-rows.ts';
import { flatSlice, type Slice } from '../slice.ts';
import { quoteIdentifier, quoteStored } from '../warehouse/sql.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

/** An answer with its number in the batch. */
export interface NumberedAnswer {
  sliceNo: number;
  prepared: PreparedAnswer;
}

/** The rows of some answers of one endpoint for one table, slice after slice. */
export type Staged = ReturnType<typeof collectRows>;

/** The rows of one slice. */
interface Part {
  sliceNo: number;
  rows: TableRows;
  /** The values that the slice gives its rows. */
  flat: Readonly<Record<string, string | null>>;
}

/** Joins the rows that a group of answers of one endpoint has for one output. Pure. @param at as for `tableMerge` */
export function collectRows(
  { endpoint, output, group }: { endpoint: string; output: Output; group: readonly NumberedAnswer[] },
  at: { place: number; numbers: Numbers },
) {
  const whole = sql.tableMerge(endpoint, output, at);
  const parts = group.map((slice): Part => ({
    sliceNo: slice.sliceNo,
    rows: rowsOf(slice, output),
    flat: sharedValues(whole, slice.prepared.answer.slice),
  }));
  const isGiven = (column: string): boolean => parts.some(({ rows }) => rows.columns.has(column));
  const merge = { ...whole, shared: whole.shared.filter((column) => !isGiven(column)) };
  const shared: ReadonlySet<string> = new Set(merge.shared);
  const names = sql.stagedColumns(merge).filter((column) => !shared.has(column));
  const columns = new Map(names.map((name) => [name, joined(parts, name)]));
  return {
    /** `shared` names only the columns for which no row has its own value: they are not staged. */
    merge,
    /** Column → its values. */
    columns,
    /** The slice of each row. */
    sliceNumbers: parts.flatMap(({ sliceNo, rows }) => Array<number>(rows.count).fill(sliceNo)),
    /** Slice number → rows. */
    bySlice: new Map(parts.map(({ sliceNo, rows }) => [sliceNo, rows.count])),
    /** Two rows may have the same key. */
    hasDuplicates: haveDuplicateKeys(merge, parts, columns),
  };
}

/** The values that all rows of a slice share. */
function sharedValues({ shared }: TableMerge, slice: Slice): Readonly<Record<string, string | null>> {
  const flat = flatSlice(slice);
  return Object.fromEntries(shared.map((column) => [column, flat[column]]));
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

/** Fills the temporary table of received rows. */
export async function stage(connection: Connection, { merge, columns, sliceNumbers }: Staged): Promise<void> {
  connection.runWithNext(createArrived(merge, [...columns.keys()]));
  const all = new Map([['slice_no', sliceNumbers], ...columns]);
  const arrived = { catalog: 'temp', table: merge.arrived, columns: all, isWhole: true };
  await connection.appendColumns({ ...arrived, count: sliceNumbers.length });
}

/** An empty table for the rows of a batch, with the column types of the target. */
function createArrived({ table, arrived }: TableMerge, columns: readonly string[]): string {
  return (
    `create or replace temp table ${arrived} as select ` +
    `${['0::integer as slice_no', ...columns.map(quoteIdentifier)].join(', ')} from ${quoteStored(table)} limit 0`
  );
}

/** The rows of a slice for the table of an output. */
export function rowsOf({ prepared }: NumberedAnswer, { table }: Output): TableRows {
  const found = prepared.validated.rows.find((rows) => rows.table === table);
  if (found === undefined) throw new RangeError(`${prepared.endpoint.name} has no table ${table}`);
  return found;
}

const SEPARATOR = '\u0001';
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether rows may share a key; if not, DuckDB need not sort every batch to find out (3 to 8 % of a first sync's processor time). */
function haveDuplicateKeys(
  { key, shape, shared }: TableMerge,
  parts: readonly Part[],
  columns: ReadonlyMap<string, readonly unknown[]>,
): boolean {
  // Slices of series and windows never cover the same row; other rows may arrive in several answers.
  const isApart = shape === 'series' || shape === 'window';
  const ofKey = [...columns].flatMap(([name, values]) => (key.includes(name) ? [values] : []));
  const seen = new Set<string>();
  let row = 0;
  for (const { flat, rows } of parts) {
    if (isApart) seen.clear();
    const given = isApart ? '' : shared.map((column) => flat[column]).join(SEPARATOR);
    for (const end = row + rows.count; row < end; row += 1) {
      let text = given;
      for (const values of ofKey) text += SEPARATOR + String(values[row]);
      // DuckDB replaces all lone surrogates with the same character.
      if (seen.has(text) || LONE_SURROGATE.test(text)) return true;
      seen.add(text);
    }
  }
  return false;
}
