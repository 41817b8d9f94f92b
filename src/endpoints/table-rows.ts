import { isDay, type Day } from '../day.ts';
import type { Row, Value } from './table.ts';

/** The nature of a table's rows. */
interface Kind {
  /** The key is in the first columns. */
  keyColumns: number;
  /** Entities of a side table, which one answer mentions many times: the last row of each is kept, and in these columns null never replaces a value. */
  lastKnown?: readonly string[];
  /** Points of a series or window: one without any value counts as missing. */
  isPoint?: boolean;
}

/** Rows from which a column without readable values counts as renamed or retyped. */
const ENOUGH_ROWS = 5;

/** The rows that an answer has for one table, without the columns of its slice: a few arrays instead of many objects. */
export class TableRows {
  readonly table: string;
  /** Column → its values, row after row. */
  readonly columns: ReadonlyMap<string, Value[]>;
  readonly #kind: Kind;
  readonly #values: readonly Value[][];
  /** Columns with an unreadable value. */
  readonly #unread = new Set<string>();
  #added = 0;
  /** Key of an entity → index of its row. */
  readonly #indexes = new Map<Value | undefined, number>();
  #count = 0;

  constructor(table: string, columns: Iterable<string>, kind: Kind = { keyColumns: 0 }) {
    this.table = table;
    this.columns = new Map(Array.from(columns, (name) => [name, []]));
    this.#values = [...this.columns.values()];
    this.#kind = kind;
  }

  get count(): number {
    return this.#count;
  }

  /** @param row a value for each column, in order; undefined if unreadable */
  add(row: readonly (Value | undefined)[]): void {
    const { keyColumns, lastKnown, isPoint } = this.#kind;
    this.#added += 1;
    if (row.includes(undefined)) this.#noteUnread(row);
    // Nearly every point has a first figure, and a first sync adds all its points here.
    const mayLack = isPoint === true && (row[keyColumns] ?? null) === null;
    if (mayLack && row.every((value, column) => column < keyColumns || (value ?? null) === null)) return;
    if (lastKnown !== undefined && this.#replaced(row, keyColumns, lastKnown)) return;
    for (let column = 0; column < this.#values.length; column += 1)
      this.#values[column]?.push(row[column] ?? null);
    this.#count += 1;
  }

  #noteUnread(row: readonly unknown[]): void {
    for (const [index, name] of [...this.columns.keys()].entries())
      if (row[index] === undefined) this.#unread.add(name);
  }

  /** The columns without a single readable value, among enough rows. */
  get unreadColumns(): readonly string[] {
    if (this.#added < ENOUGH_ROWS) return [];
    return [...this.#unread].filter((name) => this.columns.get(name)?.every((value) => value === null));
  }

  /** Overwrites the row of the same entity; false for its first row. */
  #replaced(row: readonly (Value | undefined)[], keyColumns: number, lastKnown: readonly string[]): boolean {
    const key = keyColumns === 1 ? row[0] : JSON.stringify(row.slice(0, keyColumns));
    const index = this.#indexes.get(key);
    if (index === undefined) {
      this.#indexes.set(key, this.#count);
      return false;
    }
    let column = 0;
    for (const [name, values] of this.columns) {
      const value = row[column] ?? null;
      if (value !== null || !lastKnown.includes(name)) values[index] = value;
      column += 1;
    }
    return true;
  }

  at(index: number): Row {
    return Object.fromEntries(Array.from(this.columns, ([name, values]) => [name, values[index] ?? null]));
  }

  all(): Row[] {
    return Array.from({ length: this.#count }, (_, index) => this.at(index));
  }

  /** The rows whose value in `column` passes; a table without that column keeps all. */
  where(column: string, passes: (value: Value, index: number) => boolean): TableRows {
    const tested = this.columns.get(column) ?? [];
    if (tested.every(passes)) return this;
    const kept = new TableRows(this.table, this.columns.keys());
    for (const [index, value] of tested.entries())
      if (passes(value, index)) kept.add(this.#values.map((values) => values[index] ?? null));
    return kept;
  }

  /** The distinct days of its rows. */
  days(): Day[] {
    const dates = new Set(this.columns.get('date'));
    return [...dates].filter((date): date is Day => typeof date === 'string' && isDay(date));
  }
}
