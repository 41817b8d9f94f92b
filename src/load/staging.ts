import type { Row } from '../endpoints/row.ts';
import type { Output } from '../endpoints/table.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { MergedSlice } from './merged-slice.ts';
import { createArrived } from './merge-sql.ts';
import { sharedValues, stagedColumns, tableMerge, type TableMerge } from './table-merge.ts';

/** The rows that some answers of one endpoint have for one table. */
export interface Staged {
  /** `shared` names only the columns that no row has a value of its own for: they are not staged. */
  merge: TableMerge;
  columns: readonly string[];
  /** The number of the slice, then a value for each of `columns`. */
  rows: readonly (readonly unknown[])[];
  /** Slice number → rows. */
  bySlice: Map<number, number>;
  /** Two rows may have the same key, so one of them has to win. False is certain, true is not. */
  mayRepeat: boolean;
}

interface Collected {
  slice: MergedSlice;
  rows: readonly Row[];
}

/** Collects what a group of answers has for one output. Pure. */
export function collectRows(endpoint: string, output: Output, group: readonly MergedSlice[]): Staged {
  const collected = group.map((slice): Collected => ({ slice, rows: rowsOf(slice, output) }));
  const whole = tableMerge(endpoint, output);
  const merge = { ...whole, shared: whole.shared.filter((column) => !isGiven(collected, column)) };
  const shared: ReadonlySet<string> = new Set(merge.shared);
  const columns = stagedColumns(merge).filter((column) => !shared.has(column));
  const keys = new KeyTexts(merge, columns);
  const rows: unknown[][] = [];
  const bySlice = new Map<number, number>();
  for (const { slice, rows: values } of collected) {
    const flat = sharedValues(whole, slice.prepared.answer.slice);
    keys.begin(merge.shared.map((column) => flat[column]).join(SEPARATOR));
    bySlice.set(slice.sliceNo, values.length);
    for (const row of values) {
      const cells: unknown[] = [slice.sliceNo];
      for (const column of columns) cells.push(row[column] ?? flat[column] ?? null);
      keys.add(cells);
      rows.push(cells);
    }
  }
  return { merge, columns, rows, bySlice, mayRepeat: keys.mayRepeat };
}

/** Fills the temporary table `arrived`. */
export async function stage(connection: Connection, { merge, columns, rows }: Staged): Promise<void> {
  const definition = createArrived(merge, columns);
  await connection.run(definition);
  const names = ['slice_no', ...columns];
  await connection.appendRows({ catalog: 'temp', table: 'arrived', columns: names, rows, definition });
}

function rowsOf({ prepared, isSuspicious }: MergedSlice, { table }: Output): readonly Row[] {
  if (isSuspicious) return [];
  return prepared.validated.rows.filter((row) => row.table === table).map(({ values }) => values);
}

function isGiven(collected: readonly Collected[], column: string): boolean {
  return collected.some(({ rows }) => rows.some((row) => Object.hasOwn(row, column)));
}

const SEPARATOR = '\u0001';
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Looks for keys that come twice. Texts of different keys may be equal, those of equal keys never differ. */
class KeyTexts {
  mayRepeat = false;
  readonly #places: readonly number[];
  /** Slices of a series and windows never cover the same row; any other thing may come in several answers. */
  readonly #isApart: boolean;
  readonly #seen = new Set<string>();
  #start = '';

  constructor({ key, shape }: TableMerge, columns: readonly string[]) {
    this.#places = key.map((column) => columns.indexOf(column) + 1).filter((place) => place > 0);
    this.#isApart = shape === 'series' || shape === 'window';
  }

  /** The next rows are those of another slice. */
  begin(shared: string): void {
    if (this.#isApart) this.#seen.clear();
    else this.#start = shared;
  }

  add(cells: readonly unknown[]): void {
    if (this.mayRepeat) return;
    let text = this.#start;
    for (const place of this.#places) text += SEPARATOR + String(cells[place]);
    // DuckDB stores all of them as the same replacement character.
    this.mayRepeat = this.#seen.has(text) || LONE_SURROGATE.test(text);
    this.#seen.add(text);
  }
}
