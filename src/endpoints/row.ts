import type { Day } from '../day.ts';
import type { Slice } from '../slice.ts';

/** A value that a column of the warehouse takes. Instants are epoch milliseconds. */
export type Value = string | number | boolean | null | readonly string[];
export type Row = Readonly<Record<string, Value>>;

/** A row on its way to a table, without the columns that its slice gives it. */
export interface OutputRow {
  table: string;
  values: Row;
}

/** What the value of a column may depend on besides the item. */
export interface RowContext {
  slice: Slice;
  syncDay: Day;
  /** When the page was answered, epoch milliseconds. */
  fetchedAt: number;
  status: number;
  /** 1-based. */
  page: number;
}
