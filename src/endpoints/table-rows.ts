import { isDay, type Day } from '../day.ts';
import type { Row, Value } from './table.ts';

/** How the rows of a side table are told apart: one answer mentions the same thing (a monitor, a brand) many times. */
interface Things {
  /** Its key is in the first columns. */
  keyColumns: number;
  /** Columns in which null never replaces a value. */
  lastKnown: readonly string[];
}

/** The rows that an answer has for one table, without the columns that its slice gives them: a few arrays in place of many objects. */
export class TableRows {
  readonly table: string;
  /** Column → its values, row after row. */
  readonly columns: ReadonlyMap<string, Value[]>;
  readonly #things: Things | null;
  readonly #values: readonly Value[][];
  /** Key of a thing → index of its row. */
  readonly #indexes = new Map<Value | undefined, number>();
  #count = 0;

  /** @param things only the last row of each thing is kept; null: every row is */
  constructor(table: string, columns: Iterable<string>, things: Things | null = null) {
    this.table = table;
    this.columns = new Map(Array.from(columns, (name) => [name, []]));
    this.#values = [...this.columns.values()];
    this.#things = things;
  }

  get count(): number {
    return this.#count;
  }

  /** @param row a value for each column, in their order */
  add(row: readonly Value[]): void {
    if (this.#things !== null && this.#replaced(row, this.#things)) return;
    for (let column = 0; column < this.#values.length; column += 1)
      this.#values[column]?.push(row[column] ?? null);
    this.#count += 1;
  }

  /** Overwrites the row of the same thing; false for the first row of a thing. */
  #replaced(row: readonly Value[], { keyColumns, lastKnown }: Things): boolean {
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
