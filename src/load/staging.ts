import type { Output } from '../endpoints/table.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { MergedSlice, RowCounts } from './merged-slice.ts';
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

/** Which staged rows share a key: none, rows of different slices only, or perhaps rows of one slice too. */
type DuplicateKeys = 'none' | 'across' | 'within';

/** The rows of one slice. */
interface Part {
  sliceNo: number;
  rows: TableRows;
  /** What the slice gives its rows. */
  flat: Readonly<Record<string, string | null>>;
}

/** The columns of some rows, and the slice of each. */
interface Rows {
  /** Column → its values. */
  columns: ReadonlyMap<string, readonly unknown[]>;
  /** The slice of each row. */
  sliceNumbers: readonly number[];
}

const SEPARATOR = '\u0001';
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Looks for duplicate keys, so that DuckDB need not sort the rows of every batch to find them (8 % of a first sync's processor time).
 * `identical`: rows equal to an earlier row of their answer, such as those where two pages of a list overlap.
 */
function findDuplicateKeys(
  { key, shape, shared }: TableMerge,
  parts: readonly Part[],
  rows: Rows,
): { duplicates: DuplicateKeys; identical: ReadonlySet<number> } {
  // Slices of a series and windows never cover the same row; any other thing may come in several answers.
  const isApart = shape === 'series' || shape === 'window';
  const keyOf = keyNumbers([...rows.columns].filter(([name]) => key.includes(name)).map(([, own]) => own));
  const seen = new Map<number, number>();
  const identical = new Set<number>();
  let duplicates: DuplicateKeys = 'none';
  let start = 0;
  for (const { flat, rows: own } of parts) {
    if (isApart) seen.clear();
    const given = isApart ? '' : shared.map((column) => flat[column]).join(SEPARATOR) + SEPARATOR;
    const end = start + own.count;
    const found = findIn({ seen, identical, rows, keyOf: (row) => keyOf(given, row) }, start, end);
    if (found === 'within') return { duplicates: found, identical: NONE };
    if (found === 'across') duplicates = found;
    start = end;
  }
  return { duplicates, identical };
}

const NONE: ReadonlySet<number> = new Set();

interface Look {
  /** Key → the row that has it. */
  seen: Map<number, number>;
  identical: Set<number>;
  rows: Rows;
  keyOf: (row: number) => number | null;
}

/** Looks at the rows of one answer. */
function findIn({ seen, identical, rows, keyOf }: Look, start: number, end: number): DuplicateKeys {
  const { columns, sliceNumbers } = rows;
  let duplicates: DuplicateKeys = 'none';
  for (let row = start; row < end; row += 1) {
    const key = keyOf(row);
    if (key === null) return 'within';
    const before = seen.get(key);
    if (before === undefined) seen.set(key, row);
    else if (sliceNumbers[before] !== sliceNumbers[row]) {
      duplicates = 'across';
      seen.set(key, row);
    } else if (areEqual(columns, before, row)) identical.add(row);
    else return 'within';
  }
  return duplicates;
}

/** More texts than a batch has. */
const MAX_TEXTS = 2 ** 26;

/**
 * A number for each key, made of the numbers of its texts, because one text of the whole key would have to be hashed for every row. Null for
 * a text with a lone surrogate: DuckDB stores all of them as the same replacement character.
 */
function keyNumbers(columns: readonly (readonly unknown[])[]): (given: string, row: number) => number | null {
  const [first = [], second, ...others] = columns;
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const made = LONE_SURROGATE.test(text) ? Number.NaN : numbers.size;
    numbers.set(text, made);
    return made;
  };
  return (given, row) => {
    const lead = numberOf(given + String(first[row]));
    let rest = 0;
    if (second !== undefined) {
      let text = String(second[row]);
      for (const values of others) text += SEPARATOR + String(values[row]);
      rest = numberOf(text);
    }
    const number = lead * MAX_TEXTS + rest;
    return Number.isNaN(number) ? null : number;
  };
}

function areEqual(columns: Rows['columns'], one: number, other: number): boolean {
  for (const values of columns.values()) if (!Object.is(values[one], values[other])) return false;
  return true;
}
